// A sheet that hangs between two edges: the elastic catenary (Irvine: Cable Structures, 1981). With the length L, a span of 1, the weight w
// per length and the stiffness 1, the pull H at the edges solves H L + 2 (H/w) asinh(w L / (2 H)) = 1, and
//
//     sag = (sqrt(H^2 + (w L / 2)^2) - H) / w + w L^2 / 8
//
// for a law whose force is linear in the stretch: corotated with nu = 0.
#include <cmath>
#include <fmt/format.h>

#include "measure/points.h"
#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double span = 1, width = 0.1, thickness = 1e-4, young = 1e6, density = 1000;

struct Row {
  double length, q;  // q = density g L / E
  double sag, pull;  // over the span; over the weight per length
};
constexpr Row rows[] = {
    {1, 0.1, 0.172777, 0.699764}, {1, 0.5, 0.316679, 0.364691}, {1.5, 0.5, 0.644657, 0.235068}};

std::vector<double> found(const Row& row, const SheetMesh& mesh, model::Bending bending, int32_t cells,
                          const Control& control) {
  Specimen sheet(strip(mesh, row.length, width, cells), thickness,
                 {.law = "corotated", .young = young, .poisson = 0, .density = density}, bending);
  const double gravity = row.q * young / (density * row.length);
  const int first = sheet.hold(sheet.group("xmin"), sheet.still());
  sheet.hold(sheet.group("xmax"), sheet.motion(Mat3d::identity(), {span - row.length, 0, 0}));
  sheet.set_gravity({0, 0, -gravity});
  const double w = row.q / row.length, H = row.pull * w, end = std::hypot(H, 0.5 * w * row.length);
  std::vector<Vec3d> start = sheet.model().X;
  for (int32_t node : all_nodes(sheet.model())) {
    const double s = start[node][0] - 0.5 * row.length;
    start[node] = {0.5 * span + H * s + H / w * std::asinh(w * s / H), start[node][1],
                   (std::hypot(H, w * s) - end) / w + 0.5 * w * (s * s - 0.25 * row.length * row.length)};
  }
  const Solution solution = sheet.equilibrium(control, 1e-9, start);
  const double sag = -displacement_at(sheet, solution, {0.5 * row.length, 0, 0})[2];
  double pull = 0;
  const measure::Snapshot snapshot(sheet.model(), sheet.model().params, solution.state);
  for (const Vec3d& force : measure::reactions(snapshot, first)) pull += std::abs(force[0]);
  return {solution.valid(sag), solution.valid(pull / (density * gravity * thickness * width))};
}

}  // namespace

const Problem& problem_hanging_sheet() {
  static const Problem problem = {
      .id = "V21b",
      .title = "Sheet that hangs between two edges",
      .source = "closed form, the elastic catenary; Irvine 1981",
      .doc =
          "Sheet of length 1 or 1.5, width 0.1 and thickness 1e-4 between two edges a distance of 1 apart, "
          "which "
          "do not keep it from turning; "
          "corotated, nu = 0, q = density g L / E; from the catenary itself. Its bending stiffness is that "
          "of its thickness and too "
          "small to show. Grids of 10, "
          "20 and 40 cells along it.",
      .run =
          [](const Control& control) {
            Checks checks(problem_hanging_sheet());
            for (const Row& row : rows) {
              const std::string id = fmt::format("length_{}.q_{}.", row.length, row.q);
              const std::array<SheetRow, 2> list = {
                  {{id + "sag", "sag over the span", row.sag, 1e-3, 1e-3},
                   {id + "pull", "pull along the span over the weight per length", row.pull, 1e-3, 1e-3}}};
              check_sheets(checks, control, std::array{one_way, jittered}, std::array<int32_t, 3>{10, 20, 40},
                           list, [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                             return found(row, mesh, bending, cells, control);
                           });
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

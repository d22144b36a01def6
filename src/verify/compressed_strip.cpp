// A strip whose ends come closer beyond Euler's load: the elastica with ends that may turn. With k the sine of half the angle of an end,
// K and E the complete elliptic integrals of k (Love: A Treatise on the Mathematical Theory of Elasticity, 1927, sections 262 and 263),
//
//     P / P_Euler = (2 K / pi)^2,   shortening 2 - 2 E / K,   rise k / K   (over the length).
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "measure/points.h"
#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double length = 1, width = 0.05, thickness = 1e-3, young = 1e9;    // nu = 0
constexpr double rigidity = young * thickness * thickness * thickness / 12;  // [N m]
constexpr double euler = std::numbers::pi * std::numbers::pi * rigidity * width / (length * length);  // [N]
// By elliptic integrals.
constexpr double shortenings[] = {0.1, 0.2, 0.5}, loads[] = {1.05299, 1.11274, 1.34945},
                 rises[] = {0.194924, 0.266319, 0.373306};

std::vector<double> found(const SheetMesh& mesh, model::Bending bending, int32_t cells, bool clamped,
                          const Control& control) {
  Specimen sheet(strip(mesh, length, width, cells), thickness, {"stvk", young, 0}, bending);
  constexpr double full = shortenings[2];
  const int32_t near = sheet.still(), far = sheet.motion(Mat3d::identity(), {-full, 0, 0});
  const int first = clamped ? sheet.clamp(sheet.group("xmin"), near) : sheet.hold(sheet.group("xmin"), near);
  clamped ? sheet.clamp(sheet.group("xmax"), far) : sheet.hold(sheet.group("xmax"), far);
  std::vector<Vec3d> start = sheet.model().X;
  for (int32_t node : all_nodes(sheet.model())) {
    const double s = start[node][0], pi = std::numbers::pi;
    const double shape = clamped ? 0.5 - 0.5 * std::cos(2 * pi * s) : std::sin(pi * s);
    start[node] = {s * (1 - shortenings[0]), start[node][1], rises[0] * shape};
  }
  constexpr double times[] = {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
  const std::vector<Solution> path = sheet.path(control, 1e-8, times, start);
  std::vector<double> values;
  for (double shortening : shortenings) {
    const Solution* at = solution_at(path, shortening / full);
    if (!at) {
      values.insert(values.end(), 2, std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    double rise = 0, force = 0;
    for (int32_t node : all_nodes(sheet.model())) rise = std::fmax(rise, at->state.x()[node][2]);
    const measure::Snapshot snapshot(sheet.model(), sheet.model().params, at->state);
    for (const Vec3d& f : measure::reactions(snapshot, first)) force += f[0];
    values.insert(values.end(), {std::abs(force) / euler, rise / length});
  }
  return values;
}

}  // namespace

const Problem& problem_compressed_strip() {
  static const Problem problem = {
      .id = "V11c",
      .title = "Strip compressed beyond Euler's load",
      .source = "closed form, the elastica in elliptic integrals; Love 1927",
      .doc =
          "Strip 1 x 0.05 x 0.001, nu = 0, its ends 0.1, 0.2 and 0.5 closer than its length, free to turn or "
          "clamped; from an "
          "arc near the first of these. Clamped, the load is four times Euler's at the same rise. Grids of "
          "10, 20 "
          "and 40 cells along it.",
      .run =
          [](const Control& control) {
            Checks checks(problem_compressed_strip());
            for (const bool clamped : {false, true}) {
              std::vector<SheetRow> rows;
              for (int k = 0; k < 3; ++k) {
                const std::string id =
                    fmt::format("{}.shortened_{}.", clamped ? "clamped" : "pinned", shortenings[k]);
                rows.push_back({id + "load", "load over Euler's", loads[k] * (clamped ? 4 : 1), 0.005, 0.13});
                rows.push_back({id + "rise", "rise over the length", rises[k], 0.005, 0.007});
              }
              check_sheets(checks, control, std::array{one_way, jittered}, std::array<int32_t, 3>{20, 40, 80},
                           rows, [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                             return found(mesh, bending, cells, clamped, control);
                           });
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

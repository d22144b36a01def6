// A long strip on springs that is pressed together along its length: it wrinkles with the wavelength 2 pi (D/K)^(1/4) at the force 2 sqrt(K D) per
// width, K the stiffness of the springs per area (Timoshenko, Gere: Theory of Elastic Stability, 1961, section 2.10).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double length = 1, width = 0.05, thickness = 2e-3, young = 1e7;    // nu = 0
constexpr double rigidity = young * thickness * thickness * thickness / 12;  // [N m]
constexpr int wrinkles = 5;                                                  // waves along the strip
constexpr double wavelength = length / wrinkles;
const double springs = rigidity * std::pow(2 * std::numbers::pi / wavelength, 4);  // [N/m^3]
constexpr double pressed = 1.1;  // beyond what the strip bears flat

struct Wrinkles {
  double count, wavelength;
};

Wrinkles found(const SheetMesh& mesh, model::Bending bending, int32_t cells, const Control& control) {
  Specimen sheet(strip(mesh, length, width, cells), thickness, {"stvk", young, 0}, bending);
  const double strain = pressed * 2 * std::sqrt(springs * rigidity) / (young * thickness);
  sheet.hold(sheet.group("xmin"), sheet.still());
  sheet.hold(sheet.group("xmax"), sheet.motion(Mat3d::identity(), {-strain * length, 0, 0}));
  model::Model& model = sheet.model();
  const std::vector<double> mass = model.lumped_mass(model.params);  // density 1: of volume
  std::vector<Vec3d> start = model.X;
  for (int32_t node : all_nodes(model)) {
    // The link acts across the sheet alone.
    model.links.push_back({.a = model::Site::at_node(node),
                           .b = model::Site::on_frame(-1, model.X[node]),
                           .normal = {0, 0, 1},
                           .group = "springs"});
    model.params.link_normal.push_back(springs * mass[node] / thickness);
    model.params.link_tangent.push_back(0);
    start[node][0] *= 1 - strain;
    start[node][2] = 1e-3 * thickness * std::cos(7 * start[node][0] + 1);  // no wave of the answer
  }
  for (const char* end : {"xmin", "xmax"})
    for (int32_t node : sheet.group(end)) start[node][2] = 0;
  const Solution solution = sheet.equilibrium(control, 1e-8, start);
  // Where one side of the strip passes through its plane.
  std::vector<int32_t> side = sheet.group("ymin");
  std::sort(side.begin(), side.end(), [&](int32_t a, int32_t b) { return model.X[a][0] < model.X[b][0]; });
  std::vector<double> zeros;
  for (size_t k = 1; k + 2 < side.size(); ++k) {
    const Vec3d &a = solution.state.x()[side[k]], &b = solution.state.x()[side[k + 1]];
    if ((a[2] > 0) != (b[2] > 0)) zeros.push_back(a[0] + (b[0] - a[0]) * a[2] / (a[2] - b[2]));
  }
  if (zeros.size() < 2) return {solution.valid(static_cast<double>(zeros.size())), solution.valid(0)};
  const double half = (zeros.back() - zeros.front()) / static_cast<double>(zeros.size() - 1);
  return {solution.valid(0.5 * static_cast<double>(zeros.size() + 1)),
          solution.valid(2 * half / (1 - strain))};
}

}  // namespace

const Problem& problem_wrinkled_strip() {
  static const Problem problem = {
      .id = "V32",
      .title = "Strip on springs that wrinkles",
      .source = "closed form; Timoshenko, Gere 1961, 2.10",
      .doc =
          "Strip 1 x 0.05 x 0.002, five wavelengths long, nu = 0, on springs across it, pressed by 10 % more "
          "than 2 sqrt(K D) per "
          "width bears; from "
          "a bend of a thousandth of the thickness that is no wave of the answer. The waves between the "
          "ends, which may turn, and their mean length at rest where "
          "the strip passes through its plane. Grids of 40, 60 and 80 cells along it.",
      .run =
          [](const Control& control) {
            Checks checks(problem_wrinkled_strip());
            const std::array<SheetRow, 2> rows = {{{"count", "waves", wrinkles, 1e-12, 0.11},
                                                   {"wavelength", "wavelength [m]", wavelength, 0.03, 0.1}}};
            check_sheets(checks, control, std::array{one_way, jittered}, std::array<int32_t, 3>{40, 60, 80},
                         rows, [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                           const Wrinkles at = found(mesh, bending, cells, control);
                           return std::vector{at.count, at.wavelength};
                         });
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

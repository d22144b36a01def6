// Woven cloth pulled at an angle to its warp: the modulus of a lamina off its axes (Jones: Mechanics of Composite Materials, 1999,
// section 2.6), 1/E = c^4/E_1 + (1/G - 2 nu/E_1) c^2 s^2 + s^4/E_2.
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double warp = 2e6, weft = 5e5, poisson = 0.2, shear = 3e4;  // [Pa], [1]
constexpr double length = 1, width = 0.5, thickness = 1e-3;           // [m]
constexpr double strain = 1e-8;  // about; the law is quadratic in Green's strain

double modulus(double c, double s) {
  return 1 / (c * c * c * c / warp + (1 / shear - 2 * poisson / warp) * c * c * s * s + s * s * s * s / weft);
}

// Stress over strain along the sheet.
double found(const SheetMesh& mesh, double angle, const Control& control) {
  Specimen sheet(strip(mesh, length, width, 8), thickness,
                 {.law = "orthotropic", .fields = {warp, weft, poisson, shear}});
  const double c = std::cos(angle), s = std::sin(angle);
  for (auto& flat : sheet.model().bodies[0].flat)
    for (auto& edge : flat) edge = {c * edge[0] + s * edge[1], c * edge[1] - s * edge[0]};
  const int32_t still = sheet.still();
  sheet.hold_plane(all_nodes(sheet.model()), {0, 0, 1}, still);
  sheet.hold_plane({node_at(sheet.model(), {0, 0, 0})}, {1, 0, 0}, still);
  sheet.hold_plane({node_at(sheet.model(), {0, 0, 0}), node_at(sheet.model(), {length, 0, 0})}, {0, 1, 0},
                   still);
  const double force = strain * modulus(c, s) * thickness * width;
  pull_edge(sheet, "xmin", {-force, 0, 0});
  pull_edge(sheet, "xmax", {force, 0, 0});
  const Solution solution = sheet.equilibrium(control, 1e-11);
  const double along =
      displacement_at(sheet, solution, {length, 0, 0})[0] - displacement_at(sheet, solution, {0, 0, 0})[0];
  return solution.valid(force / (thickness * width) / (along / length));
}

}  // namespace

const Problem& problem_off_axis() {
  static const Problem problem = {
      .id = "V31",
      .title = "Woven sheet pulled off its axes",
      .source = "closed form; Jones 1999",
      .doc =
          "Sheet 1 x 0.5 of orthotropic cloth without bending, moduli of 2e6 along the warp, 5e5 along the "
          "weft and 3e4 in "
          "shear, ratio 0.2; equal forces on both ends, a strain of about 1e-8, the warp at 0 to 90 degrees "
          "to them.",
      .run =
          [](const Control& control) {
            Checks checks(problem_off_axis());
            for (const SheetMesh& mesh : {one_way, jittered})
              for (const int degrees : {0, 20, 45, 70, 90}) {
                if (control.cancelled()) break;
                const double angle = degrees * std::numbers::pi / 180;
                checks.relative(fmt::format("{}.angle_{}", mesh.name, degrees),
                                "Young's modulus along the force [Pa]", found(mesh, angle, control),
                                modulus(std::cos(angle), std::sin(angle)), 1e-6);
              }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

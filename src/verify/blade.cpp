// A blade clamped at one end with its weight in its plane: above a load it bends and twists sideways (Timoshenko, Gere: Theory of Elastic
// Stability, 1961, section 6.2: q L^3 = 12.85 sqrt(EI C) for a narrow section). Of a sheet with nu = 0 the stiffness against bending is D w
// and that against twist 2 D w: density g thickness L^3 / D = 18.1780, from the power series of the solution.
#include <cmath>
#include <limits>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double length = 1, width = 0.025, thickness = 1e-3, young = 1e9, density = 1000;  // nu = 0
constexpr double rigidity = young * thickness * thickness * thickness / 12;                 // [N m]

// In one step, from a state that leaves the plane by a thousandth of the length: a step from a flat one stays flat.
bool stays_flat(const SheetMesh& mesh, model::Bending bending, int32_t cells, double gamma,
                const Control& control) {
  Specimen sheet = clamped_strip(mesh, length, width, cells, thickness,
                                 {.law = "stvk", .young = young, .poisson = 0, .density = density}, bending);
  sheet.set_gravity({0, -gamma * rigidity / (density * thickness * length * length * length), 0});
  std::vector<Vec3d> start = sheet.model().X;
  for (int32_t node : all_nodes(sheet.model())) {
    const double s = start[node][0] / length;
    start[node][2] = 1e-3 * length * s * s;
  }
  const Solution solution = sheet.equilibrium(control, 1e-8, start);
  double across = 0;
  for (int32_t node : sheet.group("xmax")) across = std::fmax(across, std::abs(solution.state.x()[node][2]));
  return across < 1e-3 * length;
}

double buckling_load(const SheetMesh& mesh, model::Bending bending, int32_t cells, const Control& control) {
  double flat = 12, bent = 48;
  while (bent - flat > 0.005 * flat && !control.cancelled()) {
    const double middle = 0.5 * (flat + bent);
    (stays_flat(mesh, bending, cells, middle, control) ? flat : bent) = middle;
  }
  return control.cancelled() ? std::numeric_limits<double>::quiet_NaN() : 0.5 * (flat + bent);
}

}  // namespace

const Problem& problem_blade() {
  static const Problem problem = {
      .id = "V11d",
      .title = "Blade that buckles sideways under its own weight",
      .source = "power series; Timoshenko, Gere 1961, 6.2",
      .doc =
          "Strip 1 x 0.025 x 0.001, nu = 0, clamped at one end, its weight in its plane and across its "
          "length. "
          "density g thickness L^3 / D above which it leaves its plane, by "
          "bisection to 0.25 %. Grids of 10, 20 and 40 cells along it.",
      .run =
          [](const Control& control) {
            Checks checks(problem_blade());
            const SheetRow row = {"load", "density g thickness L^3 / D", 18.1780, 0.02, 1};
            check_sheets(checks, control, std::array{one_way, jittered}, std::array<int32_t, 3>{10, 20, 40},
                         {&row, 1}, [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                           return std::vector{buckling_load(mesh, bending, cells, control)};
                         });
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

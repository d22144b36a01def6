// A thin spherical balloon: the pressure of the membrane rises to a maximum and falls again, p = 2 (H/R) (1/l - 1/l^7)
// (mu + 2 c01 (l^2 - 1)) for a Mooney-Rivlin solid with mu = 2 (c10 + c01) and stretch l (Green, Adkins: Large Elastic
// Deformations, 1960). A thin wall of tets must come close to it. One octant; the inner wall is moved, so
// that the falling branch is stable too.
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

constexpr double thickness = 0.02;  // over the radius of the middle of the wall

// Pressure times R / H [Pa], R = 1 the radius of the middle of the wall, H its thickness, at the stretch of the middle.
double pressure(const Solid& solid, int32_t cells, double stretch, const Control& control) {
  const double A = 1 - thickness / 2;
  Specimen octant(*mesh::make_shell({.inner = A,
                                     .outer = 1 + thickness / 2,
                                     .octant = true,
                                     .radial = 1,
                                     .across = cells,
                                     .split = mesh::Split::crossed}),
                  solid);
  const int32_t still = octant.still();
  octant.hold_plane(octant.group("xmin"), {1, 0, 0}, still);
  octant.hold_plane(octant.group("ymin"), {0, 1, 0}, still);
  octant.hold_plane(octant.group("zmin"), {0, 0, 1}, still);
  // The volume between the inner wall and the middle stays.
  const double a = std::cbrt(std::pow(stretch, 3) - (1 - A * A * A));
  const int inner = octant.hold(octant.group("inner"), octant.motion(Mat3d::identity() * (a / A), {0, 0, 0}));
  const Solution solution = octant.equilibrium(control, 1e-7);

  const measure::Snapshot snapshot(octant.model(), octant.model().params, solution.state);
  const std::vector<Vec3d> forces = measure::reactions(snapshot, inner);
  double radial = 0;
  for (size_t k = 0; k < forces.size(); ++k)
    radial += dot(forces[k], normalized(octant.model().X[octant.group("inner")[k]]));
  return solution.valid(radial / (std::numbers::pi / 2 * a * a) / thickness);
}

struct Row {
  std::string_view id;
  Solid solid;
  double stretch, pressure;  // [1] [Pa], the latter times R / H
};

const Solid rubber = Solid::from_moduli("neo_hookean_decoupled", 1, 1000);

const Row rows[] = {
    {"rising", rubber, 1.2, 2 * (1 / 1.2 - std::pow(1.2, -7))},
    {"maximum", rubber, 1.38308755, 1.23946290},
    {"falling", rubber, 2, 2 * (1 / 2.0 - std::pow(2, -7))},
    // c01 / c10 = 0.1: the maximum of p R / (2 c10 H).
    {"mooney_rivlin", {.law = "mooney_rivlin", .fields = {0.5, 0.05, 1000}}, 1.476070, 1.490618},
};

}  // namespace

const Problem& problem_balloon() {
  static const Problem problem = {
      .id = "V09",
      .title = "Thin spherical balloon",
      .source = "membrane in closed form, Green, Adkins 1960",
      .doc =
          "Octant of a sphere of radius 1 and thickness H = 0.02, inner wall moved. neo_hookean_decoupled "
          "with mu = 1, kappa = 1000; mooney_rivlin with c10 = 0.5, c01 = 0.05, bulk = 1000. Pressure times "
          "R / H at given stretches of the middle of the wall, the maximum of the membrane among them. "
          "Linear tets, 24 a cell, one cell through the wall, 16 along each side of a patch.",
      .run =
          [](const Control& control) {
            Checks checks(problem_balloon());
            for (const Row& row : rows) {
              std::vector<double> h, found;
              for (int32_t cells : {4, 8, 16}) {
                if (control.cancelled()) return checks.take();
                h.push_back(1.0 / cells);
                found.push_back(pressure(row.solid, cells, row.stretch, control));
              }
              checks.relative(std::string(row.id), "pressure times R / H [Pa]", found.back(), row.pressure,
                              0.01);
              checks.series(fmt::format("{}, stretch {:.4g}", row.id, row.stretch),
                            "one over cells along a patch", h, found, row.pressure, 0);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

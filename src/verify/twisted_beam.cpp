// A beam twisted by a quarter turn, clamped at one end and loaded at the other, small displacements (MacNeal, Harder:
// A proposed standard set of problems to test finite element accuracy, 1985).
#include <cmath>
#include <numbers>

#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "verify/elements.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

constexpr double length = 12, width = 1.1, thickness = 0.32;  // [m]

// Displacement of the tip along a unit force in the direction of the axis [m].
double deflection(int axis, int32_t n, const Control& control) {
  mesh::TetMesh beam = *mesh::make_box({.size = {length, width, thickness}, .cells = {12 * n, 2 * n, n}});
  mesh::add_edge_nodes(beam);
  for (Vec3d& X : beam.vertices) {
    const double angle = std::numbers::pi / 2 * X[0] / length;
    const double y = X[1] - width / 2, z = X[2] - thickness / 2;
    X = {X[0], y * std::cos(angle) - z * std::sin(angle), y * std::sin(angle) + z * std::cos(angle)};
  }
  Specimen specimen(std::move(beam), {"linear", 29e6, 0.22});
  specimen.hold(specimen.group("xmin"), specimen.still());
  add_traction(specimen, "xmax", [&](const Vec3d&, const Vec3d&) {
    Vec3d traction = {0, 0, 0};
    traction[axis] = 1 / (width * thickness);
    return traction;
  });
  const Solution solution = specimen.equilibrium(control, 1e-9);
  const int32_t tip = node_at(specimen.model(), {length, 0, 0});
  return solution.valid(solution.state.x()[tip][axis] - specimen.model().X[tip][axis]);
}

}  // namespace

const Problem& problem_twisted_beam() {
  static const Problem problem = {
      .id = "V19",
      .title = "Twisted beam",
      .source = "MacNeal, Harder 1985",
      .doc =
          "Beam of length 12, width 1.1 and thickness 0.32, twisted by 90 degrees, E = 29e6, nu = 0.22, "
          "clamped at one end, unit force at the other along the width there (in plane) or across it. Tets "
          "of second order, 12n x 2n x n cells of six; the checks are for n = 2.",
      .run =
          [](const Control& control) {
            Checks checks(problem_twisted_beam());
            const auto run = [&](const char* id, const char* what, int axis, double reference) {
              std::vector<double> h, found;
              for (int32_t n : {1, 2}) {
                if (control.cancelled()) return;
                h.push_back(1.0 / n);
                found.push_back(deflection(axis, n, control));
              }
              checks.relative(id, what, found.back(), reference, 0.01);
              checks.series(what, "cell size [m]", h, found, reference, 0);
            };
            run("in_plane", "tip displacement in plane [m]", 2, 5.424e-3);
            run("out_of_plane", "tip displacement out of plane [m]", 1, 1.754e-3);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

// A thick-walled sphere whose inner wall is moved outwards (Green, Zerna: Theoretical Elasticity, 1954).
// One octant.
#include <numbers>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

constexpr double A = 1, B = 2, a = 1.5;  // radii: inner, outer, inner after the move [m]

struct Blown {
  double p;  // pressure on the inner wall [Pa]
  double b;  // outer radius [m]
};

Blown blow(const Solid& solid, mesh::Split split, int32_t radial, int32_t across, const Control& control) {
  Specimen octant(
      *mesh::make_shell(
          {.inner = A, .outer = B, .octant = true, .radial = radial, .across = across, .split = split}),
      solid);
  const int32_t still = octant.still();
  octant.hold_plane(octant.group("xmin"), {1, 0, 0}, still);
  octant.hold_plane(octant.group("ymin"), {0, 1, 0}, still);
  octant.hold_plane(octant.group("zmin"), {0, 0, 1}, still);
  const int inner = octant.hold(octant.group("inner"), octant.motion(Mat3d::identity() * (a / A), {0, 0, 0}));
  const Solution solution = octant.equilibrium(control, 1e-8);

  // Radial directions lie in the planes of symmetry, so what these planes take does not count.
  const measure::Snapshot snapshot(octant.model(), octant.model().params, solution.state);
  const std::vector<Vec3d> forces = measure::reactions(snapshot, inner);
  const auto& nodes = octant.group("inner");
  double radial_force = 0, b = 0;
  for (size_t k = 0; k < nodes.size(); ++k)
    radial_force += dot(forces[k], normalized(octant.model().X[nodes[k]]));
  for (int32_t node : octant.group("outer")) b += norm(solution.state.x()[node]);
  return {solution.valid(radial_force / (std::numbers::pi / 2 * a * a)),
          solution.valid(b / static_cast<double>(octant.group("outer").size()))};
}

}  // namespace

const Problem& problem_thick_sphere() {
  static const Problem problem = {
      .id = "V05",
      .title = "Thick-walled sphere",
      .source = "separate program at high precision; Green, Zerna 1954",
      .doc =
          "Octant of a sphere of radii 1 and 2, inner wall moved to 1.5, outer wall free. Pressure = radial "
          "reaction over current inner area. neo_hookean with E = 1, nu = 0.3 in six tets per cell; "
          "neo_hookean_decoupled with mu = 1, kappa = 1000 in 24 tets per cell, which does not lock. The "
          "order is from two meshes.",
      .run =
          [](const Control& control) {
            Checks checks(problem_thick_sphere());
            const Solid compressible{"neo_hookean", 1, 0.3};
            constexpr double p = 0.26944187, b = 2.23470468;
            std::vector<double> h, ps, bs;
            for (int32_t cells : {2, 4, 8}) {
              const Blown blown = blow(compressible, mesh::Split::six, cells, cells, control);
              h.push_back((B - A) / cells);
              ps.push_back(blown.p);
              bs.push_back(blown.b);
            }
            checks.series("neo_hookean, pressure", "cell size [m]", h, ps, p, 2);
            checks.series("neo_hookean, outer radius", "cell size [m]", h, bs, b, 2);
            checks.relative("neo_hookean.p", "pressure [Pa]", ps[2], p, 0.01);
            checks.relative("neo_hookean.b", "outer radius [m]", bs[2], b, 0.01);
            checks.absolute("neo_hookean.order", "observed order of the pressure",
                            observed_order(ps[1] - p, ps[2] - p), 2, 0.4);
            ps.clear();
            Blown soft{};
            for (int32_t cells : {2, 4}) {
              soft = blow(Solid::from_moduli("neo_hookean_decoupled", 1, 1000), mesh::Split::crossed, cells,
                          cells, control);
              ps.push_back(soft.p);
            }
            checks.relative("neo_hookean_decoupled.p", "pressure [Pa]", soft.p, 0.75506171, 0.01);
            checks.relative("neo_hookean_decoupled.b", "outer radius [m]", soft.b, 2.18121382, 0.01);
            h.pop_back();
            checks.series("neo_hookean_decoupled, pressure", "cell size [m]", h, ps, 0.75506171, 2);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

// A thick-walled tube in plane strain whose inner wall is moved outwards (Rivlin: Large elastic deformations
// of isotropic materials VI, 1949). A quarter of one layer.
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "verify/elements.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

constexpr Discretisation six = discretisations[0];
constexpr double A = 1, B = 2, a = 1.5;  // radii: inner, outer, inner after the move [m]

struct Blown {
  double p;  // pressure on the inner wall [Pa]
  double b;  // outer radius [m]
  double nodes;
};

// The middle of an edge in polar coordinates.
Vec3d bent_middle(const Vec3d& a, const Vec3d& b) {
  const double r = (std::hypot(a[0], a[1]) + std::hypot(b[0], b[1])) / 2;
  const double angle = (std::atan2(a[1], a[0]) + std::atan2(b[1], b[0])) / 2;
  return {r * std::cos(angle), r * std::sin(angle), (a[2] + b[2]) / 2};
}

Blown blow(const Solid& solid, const Discretisation& with, int32_t radial, const Control& control) {
  const double length = (B - A) / radial;
  mesh::TetMesh tets = with_nodes(*mesh::make_tube({.inner = A,
                                                    .outer = B,
                                                    .length = length,
                                                    .sweep_degrees = 90,
                                                    .radial = radial,
                                                    .around = 2 * radial,
                                                    .layers = 1,
                                                    .split = with.split}),
                                  with.elements);
  for (size_t t = 0; t < tets.edge_nodes.size(); ++t)
    for (int e = 0; e < 6; ++e)
      tets.vertices[tets.edge_nodes[t][e]] =
          bent_middle(tets.vertices[tets.elements[t][mesh::tet_edges[e][0]]],
                      tets.vertices[tets.elements[t][mesh::tet_edges[e][1]]]);
  Specimen quarter(std::move(tets), solid, with.elements);
  const int32_t still = quarter.still();
  quarter.hold_plane(quarter.group("start"), {0, 1, 0}, still);
  quarter.hold_plane(quarter.group("end"), {1, 0, 0}, still);
  quarter.hold_plane(quarter.group("bottom"), {0, 0, 1}, still);
  quarter.hold_plane(quarter.group("top"), {0, 0, 1}, still);
  const Mat3d in_plane = Mat3d::diagonal({a / A, a / A, 1});
  const int inner = quarter.hold(quarter.group("inner"), quarter.motion(in_plane, {0, 0, 0}));
  const Solution solution = quarter.equilibrium(control, 1e-8, {}, 4);

  const auto in_plane_radius = [](Vec3d x) {
    x[2] = 0;
    return x;
  };
  const measure::Snapshot snapshot(quarter.model(), quarter.model().params, solution.state);
  const std::vector<Vec3d> forces = measure::reactions(snapshot, inner);
  const auto& nodes = quarter.group("inner");
  double radial_force = 0, b = 0;
  for (size_t k = 0; k < nodes.size(); ++k)
    radial_force += dot(forces[k], normalized(in_plane_radius(quarter.model().X[nodes[k]])));
  for (int32_t node : quarter.group("outer")) b += norm(in_plane_radius(solution.state.x()[node]));
  return {solution.valid(radial_force / (std::numbers::pi / 2 * a * length)),
          solution.valid(b / static_cast<double>(quarter.group("outer").size())),
          static_cast<double>(quarter.model().X.size())};
}

}  // namespace

const Problem& problem_thick_tube() {
  static const Problem problem = {
      .id = "V06",
      .title = "Thick-walled tube, plane strain",
      .source = "separate program at high precision; Rivlin 1949",
      .doc =
          "Quarter of a tube of radii 1 and 2, inner wall moved to 1.5, outer wall free, no axial strain. "
          "Pressure = radial reaction over current inner area. neo_hookean with E = 1, nu = 0.3 in six tets "
          "per cell; neo_hookean_decoupled with mu = 1, kappa = 1000 with each kind of element; linear tets "
          "in sixes lock. The order is from two meshes.",
      .run =
          [](const Control& control) {
            Checks checks(problem_thick_tube());
            const Solid compressible{"neo_hookean", 1, 0.3};
            constexpr double p = 0.15335612, b = 2.34524417;
            std::vector<double> h, ps, bs;
            for (int32_t cells : {4, 8, 16}) {
              const Blown blown = blow(compressible, six, cells, control);
              h.push_back((B - A) / cells);
              ps.push_back(blown.p);
              bs.push_back(blown.b);
            }
            checks.relative("neo_hookean.p", "pressure [Pa]", ps[2], p, 0.01);
            checks.relative("neo_hookean.b", "outer radius [m]", bs[2], b, 0.01);
            checks.absolute("neo_hookean.order", "observed order of the pressure",
                            observed_order(ps[1] - p, ps[2] - p), 2, 0.4);
            checks.series("neo_hookean, pressure", "cell size [m]", h, ps, p, 2);
            checks.series("neo_hookean, outer radius", "cell size [m]", h, bs, b, 2);
            const Solid soft = Solid::from_moduli("neo_hookean_decoupled", 1, 1000);
            constexpr double soft_p = 0.42804762;
            for (const Discretisation& with : discretisations) {
              std::vector<double> nodes;
              ps.clear();
              for (int32_t cells : {4, 8, 16}) {
                if (control.cancelled()) return checks.take();
                const Blown blown = blow(soft, with, cells / with.coarser, control);
                nodes.push_back(blown.nodes);
                ps.push_back(blown.p);
              }
              // Linear tets in sixes lock: they are here for comparison.
              if (with.id != six.id)
                checks.relative(fmt::format("neo_hookean_decoupled.{}.p", with.id), "pressure [Pa]", ps[2],
                                soft_p, 0.01);
              checks.series(fmt::format("neo_hookean_decoupled, {}", with.name), "nodes", nodes, ps, soft_p,
                            0);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

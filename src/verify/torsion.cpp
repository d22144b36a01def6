// Torsion of a solid cylinder between plates that keep its length and let it slide radially, so that every
// section deforms alike (Rivlin: Large elastic deformations of isotropic materials III, 1948). The axial
// force is the Poynting effect: the plates have to push.
#include <cmath>
#include <fmt/format.h>
#include <span>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Twisted {
  double moment, force, radius;  // [N m] [N] [m]; radius 0: not given
};

struct Row {
  double twist;  // [rad/m]
  Twisted reference;
};

constexpr Row compressible[] = {
    {0.2, {0.1202361, -0.0072218, 0.9980104}},
    {0.5, {0.2931019, -0.0442505, 0.9878916}},
    {1.0, {0.5399526, -0.1658381, 0.9556062}},
};
// Closed form for the incompressible Mooney-Rivlin solid: M = pi w a^4 (c10 + c01), N = -pi/2 w^2 a^4 (c10 + 2 c01).
constexpr Row mooney_rivlin[] = {{0.5, {0.785398163, -0.274889357, 0}}};
constexpr Row nearly_incompressible[] = {
    {0.2, {0.3141560, -0.0314051, 0}},
    {0.5, {0.7853473, -0.1962711, 0}},
    {1.0, {1.5703897, -0.7849314, 0}},
};

// Holds every node of a face on its own radius, which turns with the frame. Returns the attachments.
std::vector<int> hold_on_radii(Specimen& rod, const std::string& face, int32_t frame) {
  std::vector<int> held;
  for (int32_t node : rod.group(face)) {
    Vec3d radial = rod.model().X[node];
    radial[2] = 0;
    held.push_back(rod.hold({node}, frame));
    if (norm(radial) < 1e-9) continue;  // on the axis
    rod.model().attachments.back().hold = model::Hold::line;
    rod.model().attachments.back().direction = normalized(radial);
  }
  return held;
}

Twisted twist(const Solid& solid, double per_length, int32_t cells, const Control& control) {
  const double length = 2.0 / cells;
  Specimen rod(
      *mesh::make_cylinder(
          {.radius = 1, .length = length, .cells = cells, .layers = 1, .split = mesh::Split::crossed}),
      solid);
  hold_on_radii(rod, "bottom", rod.still());
  const std::vector<int> top = hold_on_radii(
      rod, "top",
      rod.model().inputs.add_pose("top", {{}, {.time = 1, .axis = {0, 0, 1}, .angle = per_length * length}}));
  const Solution solution = rod.equilibrium(control, 1e-8);

  const measure::Snapshot snapshot(rod.model(), rod.model().params, solution.state);
  Twisted result{0, 0, 0};
  for (int attachment : top) {
    const Vec3d force = measure::reactions(snapshot, attachment)[0];
    const Vec3d& x = solution.state.x()[rod.model().attachments[attachment].nodes[0]];
    result.moment += x[0] * force[1] - x[1] * force[0];
    result.force += force[2];
  }
  for (int32_t node : rod.group("side"))
    result.radius += std::hypot(solution.state.x()[node][0], solution.state.x()[node][1]);
  return {solution.valid(result.moment), solution.valid(result.force),
          solution.valid(result.radius / static_cast<double>(rod.group("side").size()))};
}

}  // namespace

const Problem& problem_torsion() {
  static const Problem problem = {
      .id = "V07",
      .title = "Torsion of a solid cylinder",
      .source = "separate program at high precision; Rivlin 1948",
      .doc =
          "Slice of a cylinder of radius 1 between plates that turn, keep its length and let it slide "
          "radially. neo_hookean with E = 1, nu = 0.3; neo_hookean_decoupled with mu = 1, kappa = 1000; "
          "mooney_rivlin with c10 = 0.3, c01 = 0.2, bulk = 1000. Moment, axial force (the Poynting effect) "
          "and outer radius.",
      .run =
          [](const Control& control) {
            Checks checks(problem_torsion());
            const auto run = [&](const Solid& solid, std::span<const Row> rows, int32_t finest) {
              for (const Row& row : rows) {
                std::vector<double> h, moments, forces;
                Twisted result{};
                for (int32_t cells : {finest / 4, finest / 2, finest}) {
                  if (control.cancelled()) return;
                  result = twist(solid, row.twist, cells, control);
                  h.push_back(2.0 / cells);
                  moments.push_back(result.moment);
                  forces.push_back(result.force);
                }
                const std::string id = fmt::format("{}.twist_{}", solid.law, row.twist);
                checks.relative(id + ".moment", "moment [N m]", result.moment, row.reference.moment, 0.01);
                checks.relative(id + ".force", "axial force [N]", result.force, row.reference.force, 0.01);
                if (row.reference.radius != 0)
                  checks.relative(id + ".radius", "outer radius [m]", result.radius, row.reference.radius,
                                  0.01);
                if (row.twist != 0.5) continue;
                const std::string label(solid.law);
                checks.series(label + ", moment", "cell size [m]", h, moments, row.reference.moment, 2);
                checks.series(label + ", force", "cell size [m]", h, forces, row.reference.force, 2);
              }
            };
            run({"neo_hookean", 1, 0.3}, compressible, 12);
            run(Solid::from_moduli("neo_hookean_decoupled", 1, 1000), nearly_incompressible, 24);
            run({.law = "mooney_rivlin", .fields = {0.3, 0.2, 1000}}, mooney_rivlin, 24);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

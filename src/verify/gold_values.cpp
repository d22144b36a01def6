// Minimisers of the energy of linear tets on named meshes. They do not depend on the solver, so every
// consistent method must reproduce them: discretisation and solver are checked together.
#include "verify/gold_values.h"

#include <cmath>
#include <fmt/format.h>
#include <functional>

#include "mesh/shapes.h"
#include "verify/specimen.h"

namespace sinew::verify {

const Problem& problem_gold_values();

namespace {

constexpr double accuracy = 1e-6;  // of the largest component

using Solve = std::function<Solution(const Specimen&)>;

// Components of a displacement, each within a part of the largest.
void check_vector(const std::string& id, const Vec3d& u, const Vec3d& reference, int components,
                  const Solution& solution, Checks& checks) {
  double largest = 0;
  for (int k = 0; k < components; ++k) largest = std::fmax(largest, std::abs(reference[k]));
  for (int k = 0; k < components; ++k)
    checks.absolute(id + ".u_" + "xyz"[k], "displacement [m]", solution.valid(u[k]), reference[k],
                    accuracy * largest);
}

struct Cook {
  std::string_view law;
  Vec3d u;           // at (48, 60, 0) [m]
  double potential;  // [J]; 0: not given
};

constexpr Cook cooks[] = {
    {"neo_hookean", {-4.340303112, 5.472878485, 0}, -543.0605805},
    {"neo_hookean_decoupled", {-4.347553881, 5.491576374, 0}, 0},
    {"stable_neo_hookean", {-4.353313435, 5.477227274, 0}, -543.3838184},
};

// Cook's slab: n x n x 1 cells between the lines y = 44 x/48 and y = 44 + 16 x/48, clamped at x = 0, traction
// 4 Pa upwards at x = 48, no displacement in z.
void run_cook(const Cook& cook, const Solve& solve, Checks& checks) {
  constexpr int32_t n = 16;
  constexpr double depth = 48.0 / n, traction = 4;
  mesh::TetMesh box = *mesh::make_box({.cells = {n, n, 1}});
  for (Vec3d& X : box.vertices) {
    const double u = X[0], v = X[1], w = X[2];
    X = {48 * u, (1 - v) * 44 * u + v * (44 + 16 * u), w * depth};
  }
  const std::vector<int32_t> all = all_nodes(box);
  Specimen slab(std::move(box), {cook.law, 200, 0.35});
  const int32_t still = slab.still();
  slab.hold(slab.group("xmin"), still);
  slab.hold_plane(all, {0, 0, 1}, still);

  // A quarter of each face's load to its four corners: two faces meet at all but the end nodes.
  const double quarter = traction * (16.0 / n) * depth / 4;
  std::vector<Vec3d> forces;
  double work_at_rest = 0;  // the load's energy counts from the rest state in the reference
  for (int32_t node : slab.group("xmax")) {
    const double y = slab.model().X[node][1];
    forces.push_back({0, quarter * (y < 44 + 1e-9 || y > 60 - 1e-9 ? 1 : 2), 0});
    work_at_rest += forces.back()[1] * y;
  }
  slab.add_load(slab.group("xmax"), forces);
  const Solution solution = solve(slab);

  const int32_t corner = node_at(slab.model(), {48, 60, 0});
  const std::string id = fmt::format("cook_16.{}", cook.law);
  check_vector(id, solution.state.x()[corner] - slab.model().X[corner], cook.u, 2, solution, checks);
  if (cook.potential != 0)
    checks.relative(id + ".potential", "elastic energy minus work of the load [J]",
                    solution.valid(solution.report.energy + work_at_rest), cook.potential, accuracy);
}

struct Cantilever {
  int32_t n;
  std::string_view law;
  Vec3d u;  // at (1, 0.1, 0.1) [m]
};

constexpr Cantilever cantilevers[] = {
    {2, "neo_hookean", {-0.014098912, 0.032300734, -0.159052168}},
    {2, "neo_hookean_decoupled", {-0.014128629, 0.032362098, -0.159360755}},
    {2, "stable_neo_hookean", {-0.014162948, 0.032351889, -0.158799020}},
    {4, "neo_hookean", {-0.036306907, 0.024562510, -0.257324154}},
    {4, "neo_hookean_decoupled", {-0.036311709, 0.024578223, -0.257651948}},
    {4, "stable_neo_hookean", {-0.036370281, 0.024627957, -0.257120974}},
    {8, "stable_neo_hookean", {-0.054368008, 0.009548591, -0.313458412}},
};

void run_cantilever(const Cantilever& cantilever, const Solve& solve, Checks& checks) {
  const int32_t n = cantilever.n;
  Specimen beam(*mesh::make_box({.size = {1, 0.2, 0.2}, .cells = {5 * n, n, n}}),
                {cantilever.law, 1e6, 0.4, 1000});
  beam.hold(beam.group("xmin"), beam.still());
  beam.set_gravity({0, 0, -9.81});
  const Solution solution = solve(beam);
  const int32_t tip = node_at(beam.model(), {1, 0.1, 0.1});
  check_vector(fmt::format("cantilever_{}.{}", n, cantilever.law),
               solution.state.x()[tip] - beam.model().X[tip], cantilever.u, 3, solution, checks);
}

}  // namespace

Outcome gold_values(const step::Method& method, double tolerance, const Control& control) {
  Checks checks(problem_gold_values());
  const Solve solve = [&](const Specimen& specimen) {
    return specimen.equilibrium_by(method, tolerance, control);
  };
  for (const Cook& cook : cooks)
    if (!control.cancelled()) run_cook(cook, solve, checks);
  for (const Cantilever& cantilever : cantilevers)
    if (!control.cancelled()) run_cantilever(cantilever, solve, checks);
  return checks.take();
}

const Problem& problem_gold_values() {
  static const Problem problem = {
      .id = "V18",
      .title = "Minimisers on named meshes",
      .source = "separate program, Newton's method to 1e-9",
      .doc =
          "Cook's slab (16 x 16 x 1 cells, E = 200, nu = 0.35) and a cantilever under its own weight (1 x "
          "0.2 x 0.2, 5n x n x n cells, E = 1e6, nu = 0.4, density 1000), six tets per cell. The minimiser "
          "of the discrete energy is the same for every consistent method.",
      .run = [](const Control& control) { return gold_values(*step::find_method("newton"), 1e-10, control); },
  };
  return problem;
}

}  // namespace sinew::verify

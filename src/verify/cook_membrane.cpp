// Cook's membrane at finite strain in plane strain: a tapered panel, clamped on the left, sheared upwards on
// the right. The limit of fine meshes, from three of them. For the values on one mesh see gold_values.cpp.
#include <cmath>
#include <fmt/format.h>

#include "mesh/geometry.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Row {
  std::string_view law;
  double corner, middle;  // upward displacement at (48, 60) and (48, 52) [m]
};

constexpr Row rows[] = {
    {"neo_hookean", 6.1487, 6.1438},
    {"stable_neo_hookean", 6.1466, 6.1423},
    {"neo_hookean_decoupled", 6.1768, 6.1730},
};

struct Lift {
  double corner, middle;  // [m]
};

Lift lift(std::string_view law, int32_t n, const Control& control) {
  const double depth = 48.0 / n;
  constexpr double traction = 4;
  mesh::TetMesh box = *mesh::make_box({.cells = {n, n, 1}, .split = mesh::Split::crossed});
  for (Vec3d& X : box.vertices) {
    const double u = X[0], v = X[1], w = X[2];
    X = {48 * u, (1 - v) * 44 * u + v * (44 + 16 * u), w * depth};
  }
  const mesh::TriBoundary boundary = mesh::boundary(box);
  Specimen panel(std::move(box), {law, 200, 0.35});
  const int32_t still = panel.still();
  panel.hold(panel.group("xmin"), still);
  panel.hold_plane(panel.group("zmin"), {0, 0, 1}, still);
  panel.hold_plane(panel.group("zmax"), {0, 0, 1}, still);

  std::vector<double> share(panel.model().X.size(), 0);  // of the right side's area [m^2]
  for (const auto& triangle : boundary.triangles) {
    const auto right = [&](int32_t node) { return panel.model().X[node][0] > 48 - 1e-9; };
    if (!right(triangle[0]) || !right(triangle[1]) || !right(triangle[2])) continue;
    for (int32_t node : triangle) share[node] += mesh::triangle_area(panel.model().X, triangle) / 3;
  }
  std::vector<Vec3d> forces;
  for (int32_t node : panel.group("xmax")) forces.push_back({0, traction * share[node], 0});
  panel.add_load(panel.group("xmax"), forces);
  const Solution solution = panel.equilibrium(control, 1e-8);
  const auto raised = [&](double y) {
    const int32_t node = node_at(panel.model(), {48, y, 0});
    return solution.valid(solution.state.x()[node][1] - panel.model().X[node][1]);
  };
  return {raised(60), raised(52)};
}

// The limit of a sequence whose errors fall by one factor (Aitken).
double limit(double a, double b, double c) { return c - (c - b) * (c - b) / ((c - b) - (b - a)); }

}  // namespace

const Problem& problem_cook_membrane() {
  static const Problem problem = {
      .id = "V17",
      .title = "Cook's membrane, finite strain",
      .source = "separate program at high precision",
      .doc =
          "Panel with the corners (0, 0), (48, 44), (48, 60), (0, 44), E = 200, nu = 0.35, plane "
          "strain, clamped at x = 0, traction 4 upwards at x = 48. Limit of the displacement on 8, "
          "16 and 32 cells a side in 24 tets each.",
      .run =
          [](const Control& control) {
            Checks checks(problem_cook_membrane());
            for (const Row& row : rows) {
              if (control.cancelled()) break;
              const Lift a = lift(row.law, 8, control), b = lift(row.law, 16, control),
                         c = lift(row.law, 32, control);
              checks.relative(fmt::format("{}.corner", row.law), "upward displacement at (48, 60) [m]",
                              limit(a.corner, b.corner, c.corner), row.corner, 0.01);
              checks.relative(fmt::format("{}.middle", row.law), "upward displacement at (48, 52) [m]",
                              limit(a.middle, b.middle, c.middle), row.middle, 0.01);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

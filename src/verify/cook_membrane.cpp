// Cook's membrane (Cook: Improved two-dimensional finite element, 1974): a tapered panel, clamped on the left, sheared upwards on
// the right. The limit of fine meshes, from three of them. For the values on one mesh see gold_values.cpp.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "verify/elements.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Row {
  std::string_view id;
  Solid solid;
  double traction;        // on the right side, upwards [Pa]
  double corner, middle;  // upward displacement at (48, 60) and (48, 52) [m]; 0: not given
  bool plane_stress = false;
};

const Row rows[] = {
    {"linear_plane_stress", {"linear", 1, 1.0 / 3}, 1.0 / 16, 0, 23.9677, true},
    {"linear", {"linear", 1, 1.0 / 3}, 1.0 / 16, 22.610, 21.5245},
    {"neo_hookean", {"neo_hookean", 200, 0.35}, 4, 6.1487, 6.1438},
    {"stable_neo_hookean", {"stable_neo_hookean", 200, 0.35}, 4, 6.1466, 6.1423},
    {"neo_hookean_decoupled", {"neo_hookean_decoupled", 200, 0.35}, 4, 6.1768, 6.1730},
    {"neo_hookean_ciarlet", {"neo_hookean_ciarlet", 200, 0.35}, 4, 6.1472, 0},
    {"kappa_400889", Solid::from_moduli("neo_hookean_decoupled", 80.1938, 400889.8), 100.0 / 16, 6.93, 6.96},
    {"incompressible", Solid::from_moduli("neo_hookean_decoupled", 1, 1e4), 0.05, 4.7011, 0},
};

struct Lift {
  double corner, middle;  // [m]
  double nodes;
};

Lift lift(const Row& row, const Discretisation& with, int32_t n, const Control& control) {
  const double depth = 48.0 / n;
  mesh::TetMesh box = *mesh::make_box({.cells = {n, n, 1}, .split = with.split});
  if (with.elements == model::Elements::quadratic) mesh::add_edge_nodes(box);
  for (Vec3d& X : box.vertices) {
    const double u = X[0], v = X[1], w = X[2];
    X = {48 * u, (1 - v) * 44 * u + v * (44 + 16 * u), w * depth};
  }
  Specimen panel(std::move(box), row.solid, with.elements);
  const int32_t still = panel.still();
  for (const Vec3d& direction : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}})
    panel.hold_plane(panel.group("xmin"), direction, still);
  panel.hold_plane(panel.group("zmin"), {0, 0, 1}, still);
  if (!row.plane_stress) panel.hold_plane(panel.group("zmax"), {0, 0, 1}, still);
  add_traction(panel, "xmax", [&](const Vec3d&, const Vec3d&) { return Vec3d{0, row.traction, 0}; });
  const Solution solution = panel.equilibrium(control, 1e-8);
  const auto raised = [&](double y) {
    const int32_t node = node_at(panel.model(), {48, y, 0});
    return solution.valid(solution.state.x()[node][1] - panel.model().X[node][1]);
  };
  return {raised(60), raised(52), static_cast<double>(panel.model().X.size())};
}

// The limit of a sequence whose errors fall by one factor (Aitken).
double limit(const std::vector<double>& of) {
  const double first = of[1] - of[0], second = of[2] - of[1];
  return of[2] - second * second / (second - first);
}

// The nearly incompressible case with each kind of element.
void compare(const Control& control, Checks& checks) {
  const Row& row = *std::find_if(std::begin(rows), std::end(rows),
                                 [](const Row& one) { return one.id == "kappa_400889"; });
  for (const Discretisation& with : discretisations) {
    std::vector<double> nodes, corners;
    for (int32_t cells : {4, 8, 16}) {
      if (control.cancelled()) return;
      const Lift lifted =
          lift(row, with, with.elements == model::Elements::quadratic ? cells / 2 : cells, control);
      nodes.push_back(lifted.nodes);
      corners.push_back(lifted.corner);
    }
    checks.series(fmt::format("{}, {}", row.id, with.name), "nodes", nodes, corners, row.corner, 0);
  }
}

}  // namespace

const Problem& problem_cook_membrane() {
  static const Problem problem = {
      .id = "V17",
      .title = "Cook's membrane",
      .source = "separate program at high precision; incompressible: Mueller 2015",
      .doc =
          "Panel with the corners (0, 0), (48, 44), (48, 60), (0, 44), clamped at x = 0, traction upwards at "
          "x = "
          "48, plane strain unless named otherwise. Limit of the displacement on 8, 16 and 32 cells a side "
          "in 24 "
          "tets each. linear: E = 1, nu = 1/3, traction 1/16. Finite strain: E = 200, nu = 0.35, traction 4; "
          "kappa_400889: neo_hookean_decoupled, mu = 80.1938, kappa = 400889.8, traction 6.25; "
          "incompressible: "
          "neo_hookean_decoupled with mu = 1, kappa = 10000, traction 0.05. Over nodes: the corner of "
          "kappa_400889 with "
          "each kind of element.",
      .run =
          [](const Control& control) {
            Checks checks(problem_cook_membrane());
            for (const Row& row : rows) {
              std::vector<double> h, corners, middles;
              for (int32_t cells : {8, 16, 32}) {
                if (control.cancelled()) return checks.take();
                const Lift lifted = lift(row, crossed, cells, control);
                h.push_back(48.0 / cells);
                corners.push_back(lifted.corner);
                middles.push_back(lifted.middle);
              }
              const std::string id(row.id);
              if (row.corner != 0) {
                checks.relative(id + ".corner", "upward displacement at (48, 60) [m]", limit(corners),
                                row.corner, 0.01);
                checks.series(id + ", corner", "cell size [m]", h, corners, row.corner, 0);
              }
              if (row.middle != 0)
                checks.relative(id + ".middle", "upward displacement at (48, 52) [m]", limit(middles),
                                row.middle, 0.01);
              if (row.corner == 0) checks.series(id + ", middle", "cell size [m]", h, middles, row.middle, 0);
            }
            compare(control, checks);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

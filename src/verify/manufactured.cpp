// Manufactured solution: a smooth displacement u that vanishes on the boundary of the unit cube is chosen, and the
// body force -Div P(1 + grad u) that makes it the solution is applied. The error of the result must fall with the
// order of the elements, h^(p+1) in the 2-norm of u and h^p in that of its gradient (Roache: Code verification by
// the method of manufactured solutions, 2002).
//
// Div P comes from central differences of the law's stress.
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "verify/elements.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

constexpr double pi = std::numbers::pi;

// u_k = size_k (1 + X_k) sin(pi x) sin(pi y) sin(pi z)
constexpr double size[3] = {0.08, 0.06, -0.05};

Vec3d u_at(const Vec3d& X) {
  const double bubble = std::sin(pi * X[0]) * std::sin(pi * X[1]) * std::sin(pi * X[2]);
  Vec3d u;
  for (int k = 0; k < 3; ++k) u[k] = size[k] * (1 + X[k]) * bubble;
  return u;
}

Mat3d grad_u_at(const Vec3d& X) {
  Vec3d sine, slope;
  for (int j = 0; j < 3; ++j) {
    sine[j] = std::sin(pi * X[j]);
    slope[j] = pi * std::cos(pi * X[j]);
  }
  Mat3d G;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j) {
      G(k, j) = size[k] * (1 + X[k]) * slope[j] * sine[(j + 1) % 3] * sine[(j + 2) % 3];
      if (j == k) G(k, j) += size[k] * sine[0] * sine[1] * sine[2];
    }
  return G;
}

// -Div P at a point, from the stresses at a distance along each axis.
Vec3d body_force(const PointStress& stress, const Vec3d& X) {
  constexpr double d = 1e-4;
  std::array<Mat3d, 6> F, P;
  for (int k = 0; k < 6; ++k) {
    Vec3d at = X;
    at[k / 2] += k % 2 == 0 ? d : -d;
    F[k] = Mat3d::identity() + grad_u_at(at);
  }
  stress(F, P);
  Vec3d force = {0, 0, 0};
  for (int j = 0; j < 3; ++j) force -= (P[2 * j].c[j] - P[2 * j + 1].c[j]) * (1 / (2 * d));
  return force;
}

struct Errors {
  double L2, H1;  // relative
};

Errors solve(const Solid& solid, bool second_order, int32_t cells, const Control& control) {
  mesh::TetMesh cube = *mesh::make_box({.cells = {cells, cells, cells}});
  if (second_order) mesh::add_edge_nodes(cube);
  const std::vector<int32_t> held = boundary_nodes(cube);
  const std::vector<int32_t> all = all_nodes(cube);
  Specimen specimen(std::move(cube), solid);
  specimen.hold(held, specimen.still());
  const model::Model& model = specimen.model();
  const PointStress stress(solid);
  std::vector<Vec3d> load(model.X.size(), Vec3d{0, 0, 0});
  for_each_point(model, [&](const ElementPoint& point) {
    const Vec3d force = body_force(stress, point.X) * point.volume;
    for (int a = 0; a < point.count; ++a) load[point.node[a]] += force * point.N[a];
  });
  specimen.add_load(all, load);
  const Solution solution = specimen.equilibrium(control, 1e-7);

  std::vector<Vec3d> u(model.X.size());
  for (size_t i = 0; i < u.size(); ++i) u[i] = solution.state.x()[i] - model.X[i];
  double L2 = 0, H1 = 0, u2 = 0, grad2 = 0;
  for_each_point(model, [&](const ElementPoint& point) {
    const Mat3d exact = grad_u_at(point.X), difference = point.gradient(u) - exact;
    L2 += point.volume * norm2(point.value(u) - u_at(point.X));
    H1 += point.volume * contract(difference, difference);
    u2 += point.volume * norm2(u_at(point.X));
    grad2 += point.volume * contract(exact, exact);
  });
  return {solution.valid(std::sqrt(L2 / u2)), solution.valid(std::sqrt(H1 / grad2))};
}

struct Family {
  std::string_view law, name;
  bool second_order;
  std::array<int32_t, 3> cells;
};

constexpr Family families[] = {
    {"neo_hookean", "linear", false, {6, 12, 24}},
    {"neo_hookean", "second_order", true, {3, 6, 12}},
    {"stable_neo_hookean", "second_order", true, {3, 6, 12}},
};

}  // namespace

const Problem& problem_manufactured() {
  static const Problem problem = {
      .id = "M01",
      .title = "Manufactured solution",
      .source = "chosen displacement; orders of the elements",
      .doc =
          "Unit cube, boundary held, E = 1, nu = 0.3, six tets per cell. The body force is that of u_k = "
          "s_k (1 + x_k) sin pi x sin pi y sin pi z, s = (0.08, 0.06, -0.05). Errors in the 2-norms of u "
          "and of its gradient, relative to those of the solution; the order between the two finest meshes.",
      .run =
          [](const Control& control) {
            Checks checks(problem_manufactured());
            for (const Family& family : families) {
              const double order = family.second_order ? 2 : 1;  // of the gradient
              const std::string id = fmt::format("{}.{}", family.name, family.law);
              Series L2{id + ", u", "cell size [m]", {}, {}, order + 1};
              Series H1{id + ", grad u", "cell size [m]", {}, {}, order};
              for (int32_t cells : family.cells) {
                if (control.cancelled()) return checks.take();
                const Errors errors = solve({family.law, 1, 0.3}, family.second_order, cells, control);
                for (Series* series : {&L2, &H1}) series->x.push_back(1.0 / cells);
                L2.y.push_back(errors.L2);
                H1.y.push_back(errors.H1);
              }
              checks.absolute(id + ".u", "observed order of u", observed_order(L2.y[1], L2.y[2]), order + 1,
                              0.1);
              checks.absolute(id + ".grad_u", "observed order of grad u", observed_order(H1.y[1], H1.y[2]),
                              order, 0.05);
              checks.add(std::move(L2));
              checks.add(std::move(H1));
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

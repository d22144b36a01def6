// Manufactured solution: a smooth displacement u that vanishes on the boundary of the unit cube is chosen, and the
// body force -Div P(1 + grad u) that makes it the solution is applied. The error of the result must fall with the
// order of the elements, h^(p+1) in the 2-norm of u and h^p in that of its gradient (Roache: Code verification by
// the method of manufactured solutions, 2002).
//
// Div P comes from central differences of the law's stress, the load and the norms from a product rule of Gauss
// points in collapsed coordinates: neither is part of what is tested.
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include "math/pack.h"
#include "mesh/shapes.h"
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

// -Div P at a point, from the stresses at distance d along each axis: six points in the lanes of one pack.
class BodyForce {
 public:
  explicit BodyForce(const Solid& solid) : law_(*material::find_law(solid.law)), params_(law_.param_count) {
    const double fields[] = {solid.young, solid.poisson};
    std::vector<double> converted(law_.param_count);
    law_.convert(fields, converted.data());
    for (int k = 0; k < law_.param_count; ++k) params_[k] = math::PackD(converted[k]);
  }

  Vec3d operator()(const Vec3d& X) const {
    constexpr double d = 1e-4;
    static_assert(math::lanes_of<math::PackD> >= 6);
    math::PackD F[9], P[9];
    for (int lane = 0; lane < math::lanes_of<math::PackD>; ++lane) {
      Vec3d at = X;
      if (lane < 6) at[lane / 2] += lane % 2 == 0 ? d : -d;
      const Mat3d G = Mat3d::identity() + grad_u_at(at);
      for (int k = 0; k < 9; ++k) F[k].set(lane, G.c[k / 3].v[k % 3]);
    }
    law_.d.evaluate(1, params_.data(), 0, F, {}, nullptr, P);
    Vec3d force = {0, 0, 0};
    for (int j = 0; j < 3; ++j)  // P[3 j + i] is P_ij
      for (int i = 0; i < 3; ++i) force[i] -= (P[3 * j + i][2 * j] - P[3 * j + i][2 * j + 1]) / (2 * d);
    return force;
  }

 private:
  const material::Law& law_;
  std::vector<math::PackD> params_;
};

struct Point {
  std::array<double, 4> bary;
  double weight;  // of the tet's volume
};

// Gauss points in the cube, folded onto the tet: exact to the degree 5.
std::vector<Point> quadrature() {
  constexpr double at[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
  constexpr double weight[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                               0.3478548451374538};
  std::vector<Point> points;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) {
        const double a = (1 + at[i]) / 2, b = (1 + at[j]) / 2, c = (1 + at[k]) / 2;
        const double x = a, y = b * (1 - a), z = c * (1 - a) * (1 - b);
        points.push_back({{1 - x - y - z, x, y, z},
                          6 * weight[i] * weight[j] * weight[k] / 8 * (1 - a) * (1 - a) * (1 - b)});
      }
  return points;
}

// The nodes of an element and its shape functions at one point.
struct Shapes {
  int count = 0;
  std::array<double, 10> N{};
  std::array<Vec3d, 10> grad{};
};

struct Errors {
  double h, L2, H1;  // [m], relative
};

class Elements {
 public:
  explicit Elements(const mesh::TetMesh& mesh) : mesh_(mesh) {}

  int32_t node(size_t tet, int a) const { return mesh_.elements[tet][a]; }

  // f(tet, volume of the point, its position, shape functions) at every point of every tet.
  template <class F>
  void for_each_point(F&& f) const {
    const std::vector<Point> points = quadrature();
    for (size_t tet = 0; tet < mesh_.elements.size(); ++tet) {
      std::array<Vec3d, 4> corner;
      for (int a = 0; a < 4; ++a) corner[a] = mesh_.vertices[mesh_.elements[tet][a]];
      const Mat3d edges = Mat3d::columns(corner[1] - corner[0], corner[2] - corner[0], corner[3] - corner[0]);
      const Mat3d gradients = transpose(inverse(edges));
      const std::array<Vec3d, 4> grad = {-(gradients.c[0] + gradients.c[1] + gradients.c[2]), gradients.c[0],
                                         gradients.c[1], gradients.c[2]};
      for (const Point& point : points) {
        Vec3d X = {0, 0, 0};
        for (int a = 0; a < 4; ++a) X += corner[a] * point.bary[a];
        f(tet, det(edges) / 6 * point.weight, X, shapes(point.bary, grad));
      }
    }
  }

 private:
  Shapes shapes(const std::array<double, 4>& bary, const std::array<Vec3d, 4>& grad) const {
    Shapes s;
    s.count = 4;
    for (int a = 0; a < 4; ++a) {
      s.N[a] = bary[a];
      s.grad[a] = grad[a];
    }
    return s;
  }

  const mesh::TetMesh& mesh_;
};

Errors solve(const Solid& solid, int32_t cells, const Control& control) {
  const mesh::TetMesh cube = *mesh::make_box({.cells = {cells, cells, cells}});
  const Elements elements(cube);
  Specimen specimen(cube, solid);
  specimen.hold(boundary_nodes(cube), specimen.still());
  const BodyForce body_force(solid);
  std::vector<Vec3d> load(specimen.model().X.size(), Vec3d{0, 0, 0});
  elements.for_each_point([&](size_t tet, double volume, const Vec3d& X, const Shapes& shapes) {
    const Vec3d force = body_force(X) * volume;
    for (int a = 0; a < shapes.count; ++a) load[elements.node(tet, a)] += force * shapes.N[a];
  });
  specimen.add_load(all_nodes(cube), load);
  const Solution solution = specimen.equilibrium(control, 1e-9);

  const auto x = solution.state.x();
  double L2 = 0, H1 = 0, u2 = 0, grad2 = 0;
  elements.for_each_point([&](size_t tet, double volume, const Vec3d& X, const Shapes& shapes) {
    Vec3d u = {0, 0, 0};
    Mat3d G = Mat3d::zero();
    for (int a = 0; a < shapes.count; ++a) {
      const int32_t node = elements.node(tet, a);
      const Vec3d at_node = x[node] - specimen.model().X[node];
      u += at_node * shapes.N[a];
      G += outer(at_node, shapes.grad[a]);
    }
    const Mat3d exact = grad_u_at(X), difference = G - exact;
    L2 += volume * norm2(u - u_at(X));
    H1 += volume * contract(difference, difference);
    u2 += volume * norm2(u_at(X));
    grad2 += volume * contract(exact, exact);
  });
  return {1.0 / cells, solution.valid(std::sqrt(L2 / u2)), solution.valid(std::sqrt(H1 / grad2))};
}

}  // namespace

const Problem& problem_manufactured() {
  static const Problem problem = {
      .id = "M01",
      .title = "Manufactured solution",
      .source = "chosen displacement; orders of linear elements",
      .doc =
          "Unit cube, boundary held, E = 1, nu = 0.3, six tets per cell. The body force is that of u_k = s_k "
          "(1 + "
          "x_k) sin pi x sin pi y sin pi z, s = (0.08, 0.06, -0.05). Errors in the 2-norms of u and of its "
          "gradient, relative to those of the solution; the order between the two finest meshes.",
      .run =
          [](const Control& control) {
            Checks checks(problem_manufactured());
            for (std::string_view law : {"neo_hookean", "stable_neo_hookean"}) {
              Series L2{fmt::format("{}, u", law), "cell size [m]", {}, {}, 2};
              Series H1{fmt::format("{}, grad u", law), "cell size [m]", {}, {}, 1};
              for (int32_t cells : {6, 12, 24}) {
                if (control.cancelled()) return checks.take();
                const Errors errors = solve({law, 1, 0.3}, cells, control);
                for (Series* series : {&L2, &H1}) series->x.push_back(errors.h);
                L2.y.push_back(errors.L2);
                H1.y.push_back(errors.H1);
              }
              checks.absolute(fmt::format("{}.u", law), "observed order of u",
                              observed_order(L2.y[1], L2.y[2]), 2, 0.1);
              checks.absolute(fmt::format("{}.grad_u", law), "observed order of grad u",
                              observed_order(H1.y[1], H1.y[2]), 1, 0.05);
              checks.add(std::move(L2));
              checks.add(std::move(H1));
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

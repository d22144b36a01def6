// A column that is clamped at its foot and pressed by a dead force at its head. Below Euler's load it stays straight; above,
// the straight state is a saddle point of the energy, and the column bends to an elastica (Euler: Methodus inveniendi, 1744).
// With the angle a of the tangent at the head, k = sin(a/2), and the complete elliptic integrals K and E of k:
//
//     P / P_Euler = (2 K / pi)^2,   head: along 2 E/K - 1, across 2 k / K   (over the length)
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include "mesh/shapes.h"
#include "verify/elements.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

constexpr double length = 1, width = 1.0 / 40, depth = 1.5 * width, young = 1e6;  // [m] [Pa]

double euler_load() {
  const double I = depth * width * width * width / 12;
  return std::numbers::pi * std::numbers::pi * young * I / (4 * length * length);
}

struct Head {
  double along, across;  // [m]
};

// The head of a column that begins straight and unloaded, under this force [N].
Head press(double force, const Control& control) {
  const mesh::TetMesh box =
      *mesh::make_box({.size = {length, width, depth}, .cells = {40, 1, 1}, .split = mesh::Split::six});
  Specimen column(with_nodes(box, "quadratic"), {"corotated", young, 0.1});
  const auto &foot = column.group("xmin"), &head = column.group("xmax");
  column.hold(foot, column.still());
  add_traction(column, "xmax",
               [&](const Vec3d&, const Vec3d& normal) { return normal * (-force / (width * depth)); });
  const Solution solution = column.equilibrium(control, 1e-8);
  const auto x = solution.state.x();
  Vec3d mean = {0, 0, 0};
  for (int32_t node : head)
    mean += (x[node] - column.model().X[node]) * (1 / static_cast<double>(head.size()));
  return {solution.valid(length + mean[0]), solution.valid(std::hypot(mean[1], mean[2]))};
}

// The load above which the column leaves the straight state, by bisection, over Euler's.
double buckling_load(const Control& control) {
  double straight = 0.95, bent = 1.05;
  while (bent - straight > 0.005 && !control.cancelled()) {
    const double middle = 0.5 * (straight + bent);
    (press(middle * euler_load(), control).across > 0.01 * length ? bent : straight) = middle;
  }
  return control.cancelled() ? std::numeric_limits<double>::quiet_NaN() : 0.5 * (straight + bent);
}

}  // namespace

const Problem& problem_column() {
  static const Problem problem = {
      .id = "V11a",
      .title = "Buckling of a column",
      .source = "closed form, Euler 1744: the elastica in elliptic integrals",
      .doc =
          "Column of length 1, width 1/40 and depth 1.5/40, corotated with nu = 0.1, clamped at its foot; a "
          "dead force on "
          "its head. 40 cells of tets of second order. From the straight, unloaded state in one "
          "step: the load "
          "above which it leaves the straight state (its head moves by more than 1 % across), and the head's "
          "place "
          "beyond it, for angles of its tangent of 40 to 120 degrees.",
      .run =
          [](const Control& control) {
            Checks checks(problem_column());
            checks.relative("load", "buckling load over Euler's", buckling_load(control), 1, 0.03);
            for (const int degrees : {40, 80, 120}) {
              if (control.cancelled()) break;
              const double k = std::sin(0.5 * degrees * std::numbers::pi / 180), K = std::comp_ellint_1(k),
                           E = std::comp_ellint_2(k), factor = std::pow(2 * K / std::numbers::pi, 2);
              const Head head = press(factor * euler_load(), control);
              const std::string id = fmt::format("angle_{}", degrees);
              checks.absolute(id + ".along",
                              fmt::format("head along the column at {:.4f} of the load [m]", factor),
                              head.along, 2 * E / K - 1, 0.01);
              checks.absolute(id + ".across", fmt::format("head across it at {:.4f} of the load [m]", factor),
                              head.across, 2 * k / K, 0.01);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

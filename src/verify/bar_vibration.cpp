// Vibration of a bar held at one end, nu = 0: along its axis f = sqrt(E / density) / (4 L), across it f = 0.55959
// sqrt(E I / (density A L^4)) for a slender one.
#include <cmath>
#include <numbers>

#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

double frequency(int32_t cells, const Control& control) {
  Specimen bar(*mesh::make_box({.size = {1, 0.1, 0.1}, .cells = {cells, 2, 2}, .split = mesh::Split::five}),
               {"neo_hookean", 1, 0, 1});
  bar.hold(bar.group("xmin"), bar.still());
  std::vector<Vec3d> u;
  for (const Vec3d& X : bar.model().X) u.push_back({1e-4 * std::sin(std::numbers::pi / 2 * X[0]), 0, 0});
  return 1 / vibration_period(bar.model(), u, 4, 200, control);
}

// The first vibration across a slender beam, from its shape in the theory of Euler and Bernoulli; sections stay normal
// to the axis.
double bending_frequency(int32_t cells, double expected, const Control& control) {
  constexpr double side = 0.05, k = 1.875104069, ratio = 0.734095514, amplitude = 1e-4;
  mesh::TetMesh beam = *mesh::make_box({.size = {1, side, side}, .cells = {cells, 1, 1}});
  mesh::add_edge_nodes(beam);
  Specimen specimen(std::move(beam), {"neo_hookean", 1, 0, 1});
  specimen.hold(specimen.group("xmin"), specimen.still());
  std::vector<Vec3d> u;
  for (const Vec3d& X : specimen.model().X) {
    const double x = k * X[0];
    const double w = std::cosh(x) - std::cos(x) - ratio * (std::sinh(x) - std::sin(x));
    const double slope = k * (std::sinh(x) + std::sin(x) - ratio * (std::cosh(x) - std::cos(x)));
    u.push_back(Vec3d{-slope * (X[2] - side / 2), 0, w} * amplitude);
  }
  return 1 / vibration_period(specimen.model(), u, 1 / expected, 200, control);
}

}  // namespace

const Problem& problem_bar_vibration() {
  static const Problem problem = {
      .id = "V22d",
      .title = "Vibration of a bar",
      .source = "wave equation; beam of Euler and Bernoulli",
      .doc =
          "Bar of length 1 held at one end, E = density = 1, nu = 0, released at a small multiple of sin(pi "
          "x / 2): f = sqrt(E / density) / (4 L). BDF2 with 200 steps a period lowers it by (w dt)^2 / 3 = "
          "0.033 %, lumped masses on 20 cells by (pi / 80)^2 / 6 = 0.026 %. Across, with a square section "
          "of side 0.05: f = 0.55959 sqrt(E I / (density A L^4)), which shear and rotary inertia lower by "
          "about 0.2 %.",
      .run =
          [](const Control& control) {
            Checks checks(problem_bar_vibration());
            std::vector<double> f;
            for (int32_t cells : {5, 10, 20}) f.push_back(frequency(cells, control));
            checks.relative("frequency", "frequency on 20 cells [1/s]", f[2], 0.25, 1e-3);
            // No order: at the finest the error of the time step is as large.
            checks.series("along", "cell size [m]", {0.2, 0.1, 0.05}, f, 0.25, 0);
            const double expected = 0.55959 * 0.05 / std::sqrt(12.0);
            std::vector<double> bending;
            for (int32_t cells : {5, 10, 20}) bending.push_back(bending_frequency(cells, expected, control));
            checks.relative("bending", "frequency across, second order, 20 cells [1/s]", bending[2], expected,
                            0.01);
            checks.series("across, second order", "cell size [m]", {0.2, 0.1, 0.05}, bending, expected, 0);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

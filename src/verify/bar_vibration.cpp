// Axial vibration of a bar held at one end, nu = 0: f = sqrt(E / density) / (4 L).
#include <cmath>
#include <numbers>

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

}  // namespace

const Problem& problem_bar_vibration() {
  static const Problem problem = {
      .id = "V22d",
      .title = "Axial vibration of a bar",
      .source = "wave equation",
      .doc =
          "Bar of length 1 held at one end, E = density = 1, nu = 0, released at a small multiple of sin(pi "
          "x / 2): f = sqrt(E / density) / (4 L). BDF2 with 200 steps a period lowers it by (w dt)^2 / 3 = "
          "0.033 %, lumped masses on 20 cells by (pi / 80)^2 / 6 = 0.026 %.",
      .run =
          [](const Control& control) {
            Checks checks(problem_bar_vibration());
            std::vector<double> f;
            for (int32_t cells : {5, 10, 20}) f.push_back(frequency(cells, control));
            checks.relative("frequency", "frequency on 20 cells [1/s]", f[2], 0.25, 1e-3);
            // No order: at the finest the error of the time step is as large.
            checks.series("frequency", "cell size [m]", {0.2, 0.1, 0.05}, f, 0.25, 0);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

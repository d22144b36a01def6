// A vibration of a free cube in closed form: u = (cos pi x sin pi y, -sin pi x cos pi y, 0) leaves the faces
// free of traction and does not change the volume, so its frequency depends on mu alone (Lame: Lecons sur la
// theorie mathematique de l'elasticite des corps solides, 1852).
#include <cmath>
#include <numbers>

#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

double period(int32_t cells, double poisson, const Control& control) {
  // mu = density = 1.
  const Specimen cube(*mesh::make_box({.cells = {cells, cells, cells}, .split = mesh::Split::five}),
                      {"neo_hookean", 2 * (1 + poisson), poisson, 1});
  constexpr double pi = std::numbers::pi, amplitude = 1e-4;
  std::vector<Vec3d> u;
  for (const Vec3d& X : cube.model().X)
    u.push_back(
        Vec3d{std::cos(pi * X[0]) * std::sin(pi * X[1]), -std::sin(pi * X[0]) * std::cos(pi * X[1]), 0} *
        amplitude);
  return vibration_period(cube.model(), u, std::numbers::sqrt2, 100, control);
}

}  // namespace

const Problem& problem_cube_vibration() {
  static const Problem problem = {
      .id = "V22c",
      .title = "Vibration of a free cube",
      .source = "Lame's mode, closed form",
      .doc =
          "Unit cube, mu = density = 1, released at a small multiple of u = (cos pi x sin pi y, -sin pi x "
          "cos pi y, 0). The period is sqrt(2) s for any Poisson's ratio. BDF2 with 100 steps a period "
          "lengthens it by (w dt)^2 / 3 = 0.13 %, lumped linear tets on 8 x 8 x 8 cells by about 1 %, "
          "falling with the square of the cell size.",
      .run =
          [](const Control& control) {
            Checks checks(problem_cube_vibration());
            std::vector<double> periods;
            for (int32_t cells : {2, 4, 8}) periods.push_back(period(cells, 0.3, control));
            const double coarse = periods[1], fine = periods[2];
            checks.series("period, nu = 0.3", "cell size [m]", {0.5, 0.25, 0.125}, periods,
                          std::numbers::sqrt2, 2);
            checks.relative("period", "period on 8 x 8 x 8 cells, nu = 0.3 [s]", fine, std::numbers::sqrt2,
                            0.015);
            checks.relative("period_nu_0", "period on 8 x 8 x 8 cells, nu = 0 [s]", period(8, 0, control),
                            std::numbers::sqrt2, 0.015);
            checks.absolute("order", "observed order of the period in the cell size",
                            observed_order(coarse - std::numbers::sqrt2, fine - std::numbers::sqrt2), 2, 0.4);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

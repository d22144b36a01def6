// A free body under gravity. Backward Euler gives y_n = -g dt^2 n (n + 1) / 2 at every node of any body.
#include <limits>

#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

const Problem& problem_free_fall() {
  static const Problem problem = {
      .id = "V22a",
      .title = "Free fall",
      .source = "sum of the recurrence of backward Euler",
      .doc =
          "Free cube of tets of first and second order, dt = 0.01 s, 100 steps of backward Euler, g = 9.81 "
          "m/s^2: every node falls by g dt^2 "
          "n (n + 1) / 2.",
      .run =
          [](const Control& control) {
            Checks checks(problem_free_fall());
            for (bool second_order : {false, true}) {
              mesh::TetMesh box = *mesh::make_box({.cells = {2, 2, 2}});
              if (second_order) mesh::add_edge_nodes(box);
              Specimen cube(std::move(box), {"neo_hookean", 1e4, 0.3, 1000});
              cube.set_gravity({0, -9.81, 0});
              Motion motion(cube.model(), step::Integrator::backward_euler, 0.01);
              bool good = true;
              for (int n = 0; n < 100 && good; ++n) good = motion.advance(control);
              std::vector<double> fall, drift;
              for (size_t i = 0; i < cube.model().X.size(); ++i) {
                const Vec3d u = motion.state.x()[i] - cube.model().X[i];
                fall.push_back(u[1]);
                drift.push_back(u[0]);
                drift.push_back(u[2]);
              }
              const double none = std::numeric_limits<double>::quiet_NaN();
              const std::string elements = second_order ? "second_order." : "";
              checks.relative(elements + "fall", "displacement after 100 steps, farthest node [m]",
                              good ? farthest(fall, -4.95405) : none, -4.95405, 1e-12);
              checks.absolute(elements + "drift", "displacement across gravity, farthest node [m]",
                              good ? farthest(drift, 0) : none, 0, 1e-12);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

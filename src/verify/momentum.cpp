// Momentum of a free body. Linear momentum is kept by both integrators to rounding. Backward Euler loses
// angular momentum: x_(n+1) x v_(n+1) - x_n x v_n = h v_(n+1) x v_n, so that dL/dt = -h L^3 / I^2 for a
// turning stiff body.
#include <cmath>
#include <limits>

#include "math/random.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Momentum {
  Vec3d linear = {0, 0, 0}, angular = {0, 0, 0};  // [kg m/s] [kg m^2/s]
};

Momentum momentum_of(const model::Model& model, const model::State& state) {
  const std::vector<double> mass = model.lumped_mass(model.params);
  Momentum sum;
  for (size_t i = 0; i < mass.size(); ++i) {
    sum.linear += state.v()[i] * mass[i];
    sum.angular += cross(state.x()[i], state.v()[i]) * mass[i];
  }
  return sum;
}

// A cube thrown with different velocities at every node: the change of linear momentum in 30 steps, as a part
// of it.
double linear_change(step::Integrator integrator, const Control& control) {
  const Specimen cube(*mesh::make_box({.cells = {3, 3, 3}}), {"neo_hookean", 1e4, 0.4, 1000});
  Motion motion(cube.model(), integrator, 0.01);
  const math::Random random(6);
  for (size_t i = 0; i < cube.model().X.size(); ++i)
    for (int k = 0; k < 3; ++k) motion.state.v()[i][k] = 1 + random.uniform(3 * i + k, -1, 1);
  const Vec3d before = momentum_of(cube.model(), motion.state).linear;
  for (int n = 0; n < 30; ++n)
    if (!motion.advance(control)) return std::numeric_limits<double>::quiet_NaN();
  return norm(momentum_of(cube.model(), motion.state).linear - before) / norm(before);
}

// A stiff cube that turns about z with 1 rad/s: the part of the angular momentum that is lost in 1 s.
double angular_loss(step::Integrator integrator, double dt, const Control& control) {
  const Specimen cube(*mesh::make_box({.cells = {2, 2, 2}, .split = mesh::Split::five}),
                      {"neo_hookean", 1e6, 0.3, 1000});
  Motion motion(cube.model(), integrator, dt);
  for (size_t i = 0; i < cube.model().X.size(); ++i)
    motion.state.v()[i] = cross(Vec3d{0, 0, 1}, cube.model().X[i] - Vec3d{0.5, 0.5, 0.5});
  const double before = momentum_of(cube.model(), motion.state).angular[2];
  for (int n = 0; n < std::lround(1 / dt); ++n)
    if (!motion.advance(control)) return std::numeric_limits<double>::quiet_NaN();
  return 1 - momentum_of(cube.model(), motion.state).angular[2] / before;
}

}  // namespace

const Problem& problem_momentum() {
  static const Problem problem = {
      .id = "V22e",
      .title = "Momentum of a free body",
      .source = "Newton's third law; recurrence of backward Euler",
      .doc =
          "No external force. A cube with random velocities keeps its linear momentum. A stiff cube that "
          "turns with w = 1 rad/s loses the part 1 - 1 / sqrt(1 + 2 h w^2 t) of its angular momentum to "
          "backward Euler, to first order in h.",
      .run =
          [](const Control& control) {
            Checks checks(problem_momentum());
            using enum step::Integrator;
            const char* change = "change of linear momentum in 30 steps, as a part of it";
            checks.absolute("backward_euler.linear", change, linear_change(backward_euler, control), 0,
                            1e-12);
            checks.absolute("bdf2.linear", change, linear_change(bdf2, control), 0, 1e-12);
            const double loss = angular_loss(backward_euler, 0.01, control);
            const double half = angular_loss(backward_euler, 0.005, control);
            checks.relative("backward_euler.angular", "part of the angular momentum lost in 1 s, dt = 0.01 s",
                            loss, 1 - 1 / std::sqrt(1.02), 0.02);
            checks.add({"backward_euler, angular momentum lost in 1 s",
                        "time step [s]",
                        {0.01, 0.005},
                        {loss, half},
                        1});
            checks.absolute("backward_euler.angular_order", "observed order of that loss",
                            observed_order(loss, half), 1, 0.05);
            checks.absolute("bdf2.angular", "part of the angular momentum lost in 1 s, dt = 0.01 s",
                            angular_loss(bdf2, 0.01, control), 0, 1e-3);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

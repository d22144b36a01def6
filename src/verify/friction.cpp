// A block on a slope and a block that slides to a stop (Coulomb's law of friction).
#include <cmath>
#include <limits>

#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

constexpr double g = 9.81;  // [m/s^2]
constexpr double none = std::numeric_limits<double>::quiet_NaN();

enum class Response { penalty, barrier };

Specimen make_block(double friction, Response response) {
  Specimen block(*mesh::make_box({.size = {0.2, 0.2, 0.1}, .cells = {2, 2, 1}}), {"corotated", 1e8, 0, 1000});
  block.add_floor(friction);
  block.model().contact.barrier = response == Response::barrier;
  return block;
}

// Mean displacement or velocity along x, by lumped mass.
double along_x(const model::Model& model, std::span<const Vec3d> values) {
  const std::vector<double> mass = model.lumped_mass(model.params);
  double sum = 0, total = 0;
  for (size_t i = 0; i < mass.size(); ++i) {
    sum += mass[i] * values[i][0];
    total += mass[i];
  }
  return sum / total;
}

// The way down a slope of tan = 1/2 in 1 s [m]. The plane is level for 0.2 s, in which the block settles, and then
// tilts, in the time of a step or slowly; the second begins when it is done.
double slide(double friction, double tilting, double dt, Response response, const Control& control) {
  constexpr double settled = 0.2;  // [s]
  const double along = g / std::sqrt(5.0), down = -2 * along;
  Specimen block = make_block(friction, response);
  block.model().gravity = block.model().inputs.add_numbers(
      "gravity",
      {{0, {0, 0, down}}, {settled + dt / 2, {0, 0, down}}, {settled + tilting + dt / 2, {along, 0, down}}});
  Motion motion(block.model(), step::Integrator::backward_euler, dt, 1e-8);
  double start = 0;
  const long tilted = std::lround((settled + tilting) / dt), end = tilted + std::lround(1 / dt);
  for (long n = 0; n < end; ++n) {
    if (n == std::lround(settled / dt)) start = along_x(block.model(), motion.state.x());
    if (!motion.advance(control)) return none;
  }
  return along_x(block.model(), motion.state.x()) - start;
}

struct Stop {
  double distance = none, time = none;  // [m] [s]
};

// From 1 m/s. The time is where the velocity, straight between steps, comes down to 1 mm/s.
Stop stop(double dt, Response response, const Control& control) {
  Specimen block = make_block(0.5, response);
  block.set_gravity({0, 0, -g});
  Motion motion(block.model(), step::Integrator::backward_euler, dt, 1e-8);
  for (Vec3d& v : motion.state.v()) v = {1, 0, 0};
  const double start = along_x(block.model(), motion.state.x());
  double before = 1;
  Stop result;
  for (int n = 0; n < std::lround(0.25 / dt); ++n) {
    const double t = motion.state.time();
    if (!motion.advance(control)) return {};
    const double after = along_x(block.model(), motion.state.v());
    if (std::isnan(result.time) && after < 1e-3) result.time = t + dt * (before - 1e-3) / (before - after);
    before = after;
  }
  result.distance = along_x(block.model(), motion.state.x()) - start;
  return result;
}

// The same of a point: its velocity falls by mu g dt a step until the next one would turn it around, and is 0 then.
Stop stop_of_backward_euler(double dt) {
  const double fall = 0.5 * g * dt, steps = std::floor(1 / fall), last = 1 - steps * fall;
  return {dt * (steps - fall * steps * (steps + 1) / 2), dt * (steps + (last - 1e-3) / last)};
}

}  // namespace

const Problem& problem_friction() {
  static const Problem problem = {
      .id = "V24a",
      .title = "Friction: a slope, and sliding to a stop",
      .source = "Coulomb's law",
      .doc =
          "A stiff block of 0.2 x 0.2 x 0.1 m on a plane, backward Euler. On a slope of tan = 0.5 it slides "
          "with "
          "g (sin - mu cos) if mu = 0.49 and rests if mu = 0.5. With 1 m/s on a level plane and mu = 0.5 it "
          "stops after v^2 / (2 mu g) and v / (mu g). Contact by the penalty, or by the barrier at the same "
          "steps and at "
          "ten times as long ones, there against what backward Euler makes of Coulomb's law.",
      .run =
          [](const Control& control) {
            Checks checks(problem_friction());
            const double a = g * (1 - 2 * 0.49) / std::sqrt(5.0);
            constexpr double short_step = 0.005, long_step = 0.05;  // [s]
            using enum Response;
            checks.relative("slope.slides", "way in 1 s, mu = 0.49 [m]",
                            slide(0.49, 0, short_step, penalty, control), a / 2, 0.01);
            checks.absolute("slope.rests", "way in 1 s, mu = 0.5 [m]",
                            slide(0.5, 0.5, short_step, penalty, control), 0, 1e-4);
            // At the critical coefficient a speed that tilting leaves stays: here 0.12 mm/s.
            checks.relative("slope.slides.barrier", "way in 1 s, mu = 0.49, barrier [m]",
                            slide(0.49, 0, short_step, barrier, control), a / 2, 0.01);
            checks.absolute("slope.rests.barrier", "way in 1 s, mu = 0.5, barrier [m]",
                            slide(0.5, 0.5, short_step, barrier, control), 0, 2e-4);
            // Backward Euler's own way, the sum of a n dt^2.
            checks.relative("slope.slides.long_steps", "way in 1 s, mu = 0.49, barrier, dt = 50 ms [m]",
                            slide(0.49, 0, long_step, barrier, control), a / 2 * (1 + long_step), 0.01);
            checks.absolute("slope.rests.long_steps", "way in 1 s, mu = 0.5, barrier, dt = 50 ms [m]",
                            slide(0.5, 0.5, long_step, barrier, control), 0, 2e-4);
            const std::vector<double> dt = {0.004, 0.002, 0.001};
            std::vector<double> distances, times;
            for (double h : dt) {
              const Stop stopped = stop(h, penalty, control);
              distances.push_back(stopped.distance);
              times.push_back(stopped.time);
            }
            constexpr double distance = 0.101936799, time = 0.203873598;
            checks.series("stopping distance", "time step [s]", dt, distances, distance, 1);
            checks.relative("stop.distance", "stopping distance, dt = 1 ms [m]", distances[2], distance,
                            0.01);
            checks.relative("stop.time", "stopping time, dt = 1 ms [s]", times[2], time, 0.01);
            for (const double h : {0.001, 0.01}) {
              const Stop stopped = stop(h, barrier, control), euler = stop_of_backward_euler(h);
              const std::string name = h < 0.005 ? "stop.barrier" : "stop.long_steps",
                                step = h < 0.005 ? ", barrier, dt = 1 ms" : ", barrier, dt = 10 ms";
              checks.relative(name + ".distance", "stopping distance" + step + " [m]", stopped.distance,
                              euler.distance, 0.01);
              checks.relative(name + ".time", "stopping time" + step + " [s]", stopped.time, euler.time,
                              0.01);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

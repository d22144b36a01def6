// A mass on linear springs. Backward Euler divides the energy by 1 + w^2 h^2 in every step, exactly; BDF2
// follows cos(w t) with an error of second order.
#include <cmath>
#include <limits>
#include <numbers>

#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

constexpr double omega = 2 * std::numbers::pi;  // [1/s]
constexpr double amplitude = 0.1;               // [m]

// A body with a spring at each node in proportion to its mass, so that it moves as a whole.
Specimen mass_on_springs() {
  Specimen body(*mesh::make_box({.cells = {1, 1, 1}}), {"neo_hookean", 1, 0.3, 1});
  model::Model& model = body.model();
  const int32_t frame = body.still();
  const std::vector<double> mass = model.lumped_mass(model.params);
  for (int32_t i = 0; i < static_cast<int32_t>(model.X.size()); ++i) {
    model.links.push_back(
        {.a = model::Site::at_node(i), .b = model::Site::on_frame(frame, model.X[i]), .group = "springs"});
    model.params.link_normal.push_back(omega * omega * mass[i]);
    model.params.link_tangent.push_back(omega * omega * mass[i]);
  }
  return body;
}

struct Swing {
  double displacement = std::numeric_limits<double>::quiet_NaN();  // mean over the mass [m]
  double energy = std::numeric_limits<double>::quiet_NaN();        // kinetic and of the springs [J]
};

// When the springs pass through rest the forces vanish, and with them the scale of the relative residual:
// with small steps a tight tolerance would ask for less than rounding errors.
Swing swing(step::Integrator integrator, double dt, int steps, double tolerance, const Control& control) {
  const Specimen body = mass_on_springs();
  const model::Model& model = body.model();
  Motion motion(model, integrator, dt, tolerance);
  for (Vec3d& x : motion.state.x()) x[0] += amplitude;
  for (int n = 0; n < steps; ++n)
    if (!motion.advance(control)) return {};
  const std::vector<double> mass = model.lumped_mass(model.params);
  double total = 0;
  Swing result{0, 0};
  for (size_t i = 0; i < mass.size(); ++i) {
    const Vec3d u = motion.state.x()[i] - model.X[i];
    total += mass[i];
    result.displacement += mass[i] * u[0];
    result.energy += 0.5 * mass[i] * (norm2(motion.state.v()[i]) + omega * omega * norm2(u));
  }
  result.displacement /= total;
  return result;
}

}  // namespace

const Problem& problem_oscillator() {
  static const Problem problem = {
      .id = "V22b",
      .title = "Mass on springs",
      .source = "recurrence of backward Euler; x = x0 cos(w t)",
      .doc =
          "A unit mass with w = 2 pi 1/s released at 0.1 m. Backward Euler: the energy after n steps is E0 "
          "/ (1 + w^2 h^2)^n. BDF2: the error after 0.9 s is of second order.",
      .run =
          [](const Control& control) {
            Checks checks(problem_oscillator());
            const double E0 = 0.5 * omega * omega * amplitude * amplitude;
            constexpr double h = 0.01;
            for (int n : {1, 10, 100})
              checks.relative("backward_euler.energy_" + std::to_string(n), "energy after n steps [J]",
                              swing(step::Integrator::backward_euler, h, n, 1e-11, control).energy,
                              E0 / std::pow(1 + omega * omega * h * h, n), 1e-9);
            const double exact = amplitude * std::cos(omega * 0.9);
            const auto error = [&](step::Integrator integrator, int steps) {
              return swing(integrator, 0.9 / steps, steps, 1e-8, control).displacement - exact;
            };
            const auto family = [&](const char* name, step::Integrator integrator, int steps, double order) {
              Series series{name, "time step [s]", {}, {}, order};
              for (int n : {steps, 2 * steps, 4 * steps}) {
                series.x.push_back(0.9 / n);
                series.y.push_back(std::abs(error(integrator, n)) / amplitude);
              }
              checks.absolute(std::string(name) + ".order", "observed order of the displacement after 0.9 s",
                              observed_order(series.y[1], series.y[2]), order, 0.1);
              checks.add(std::move(series));
            };
            family("backward_euler", step::Integrator::backward_euler, 200, 1);
            family("bdf2", step::Integrator::bdf2, 50, 2);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

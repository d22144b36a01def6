#include "step/problem.h"

#include <algorithm>
#include <cmath>

namespace sinew::step {

using math::Vec3d;

StepProblem::StepProblem(const model::Model& model, const Settings& settings)
    : model_(model),
      settings_(settings),
      damped_(std::any_of(model.bodies.begin(), model.bodies.end(),
                          [](const model::Body& body) { return body.stiffness_damping > 0; })),
      mass_(model.lumped_mass(model.params)),
      load_mass_(model.load_mass(model.params)),
      inputs_(model.inputs.size()) {}

void StepProblem::declare(model::StateLayout& layout) const {
  if (!bdf2()) return;
  layout.declare({"x_old", model::ColumnType::f64, 3, model::On::node, model::Transfer::interpolate});
  layout.declare({"v_old", model::ColumnType::f64, 3, model::On::node, model::Transfer::interpolate});
  layout.declare({"dt_old", model::ColumnType::f64, 1, model::On::global, model::Transfer::reset});
}

void StepProblem::set_inputs(solve::System& system, const model::InputCurve& inputs, double time) {
  inputs.evaluate(time, inputs_);
  system.set_inputs(inputs_);
}

void StepProblem::begin(solve::System& system, const model::InputCurve& inputs, double t1,
                        const model::State& state, bool second_order, Positions& x,
                        std::span<const char> held_up) {
  set_inputs(system, inputs, t1);
  const auto x_n = state.x();
  const auto v_n = state.v();
  const size_t n = x_n.size();
  x.assign(x_n.begin(), x_n.end());
  if (!dynamic()) return;

  const double dt = t1 - state.time();
  const bool second = bdf2() && second_order && std::abs(state.numbers("dt_old")[0] - dt) <= 1e-9 * dt;
  h_ = second ? 2 * dt / 3 : dt;
  x_star_.assign(x_n.begin(), x_n.end());
  v_star_.assign(v_n.begin(), v_n.end());
  target_.resize(n);
  if (second) {
    const auto x_old = state.vectors("x_old"), v_old = state.vectors("v_old");
    for (size_t i = 0; i < n; ++i) {
      x_star_[i] = (x_n[i] * 4.0 - x_old[i]) * (1.0 / 3);
      v_star_[i] = (v_n[i] * 4.0 - v_old[i]) * (1.0 / 3);
    }
  }
  const Vec3d g = model_.gravity < 0 ? Vec3d{0, 0, 0}
                                     : Vec3d{inputs_[model_.gravity], inputs_[model_.gravity + 1],
                                             inputs_[model_.gravity + 2]};
  weight_.assign(n, 0.0);
  for (size_t b = 0; b < model_.bodies.size(); ++b) {
    const model::Body& body = model_.bodies[b];
    const Vec3d fall = held_up.empty() || !held_up[b] ? g * (h_ * h_) : Vec3d{0, 0, 0};
    for (int32_t i = body.nodes.begin; i < body.nodes.end; ++i) {
      const double inertia = mass_[i] / (h_ * h_), drag = body.mass_damping * mass_[i] / h_;
      weight_[i] = inertia + drag;
      const Vec3d ballistic = x_star_[i] + v_star_[i] * h_;
      // Weight acts on the lumped mass, as inertia does: what the term of gravity gives to other nodes is taken back.
      const Vec3d weight = g * (mass_[i] - load_mass_[i]);
      target_[i] =
          mass_[i] > 0 ? (ballistic * inertia + x_star_[i] * drag + weight) * (1 / weight_[i]) : ballistic;
      x[i] = ballistic + fall;  // where it would fall freely
    }
  }
  system.set_inertia(weight_, target_);
  if (damped_) system.set_damping(x_star_, 1 / h_);
}

void StepProblem::end(std::span<const Vec3d> x, double t1, model::State& state) const {
  const auto x_n = state.x();
  const auto v_n = state.v();
  if (bdf2()) {
    std::copy(x_n.begin(), x_n.end(), state.vectors("x_old").begin());
    std::copy(v_n.begin(), v_n.end(), state.vectors("v_old").begin());
    state.numbers("dt_old")[0] = t1 - state.time();
  }
  for (size_t i = 0; i < x.size(); ++i) {
    v_n[i] = dynamic() ? (x[i] - x_star_[i]) * (1 / h_) : Vec3d{0, 0, 0};
    x_n[i] = x[i];
  }
  state.set_time(t1);
}

}  // namespace sinew::step

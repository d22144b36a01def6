#include "step/time_step.h"

#include <algorithm>

namespace sinew::step {

using math::Vec3d;

TimeStep::TimeStep(const model::Model& model, const Settings& settings)
    : model_(model),
      integrator_(settings.mode == Mode::dynamic ? make_time_integrator(settings.integrator) : nullptr),
      damped_(std::any_of(model.bodies.begin(), model.bodies.end(),
                          [](const model::Body& body) { return body.stiffness_damping > 0; })),
      mass_(model.lumped_mass(model.params)),
      load_mass_(model.load_mass(model.params)),
      inputs_(model.inputs.size()) {}

void TimeStep::declare(model::StateLayout& layout) const {
  if (integrator_) integrator_->declare(layout);
}

void TimeStep::begin(solve::System& system, const model::InputCurve& inputs, double t1,
                     const model::State& state, Positions& x, std::span<const char> supported, bool restart) {
  inputs.evaluate(t1, inputs_);
  system.set_inputs(inputs_);
  x.assign(state.x().begin(), state.x().end());
  if (!integrator_) {
    system.set_motion(state.x(), 0);
    return;
  }
  integrator_->differences(state, t1 - state.time(), restart, now_);
  set_inertia(system, x, supported);
  if (damped_) system.set_damping(now_.x_star, 1 / now_.h);
  system.set_motion(now_.x_star, 1 / now_.h);
}

// Inertia and mass damping, M a + alpha M v, are the forces of springs to one target each; x goes where free fall leads.
void TimeStep::set_inertia(solve::System& system, Positions& x, std::span<const char> supported) {
  const double h = now_.h;
  const Vec3d g = model_.gravity < 0 ? Vec3d{0, 0, 0}
                                     : Vec3d{inputs_[model_.gravity], inputs_[model_.gravity + 1],
                                             inputs_[model_.gravity + 2]};
  weight_.assign(x.size(), 0.0);
  target_.resize(x.size());
  for (size_t b = 0; b < model_.bodies.size(); ++b) {
    const model::Body& body = model_.bodies[b];
    const Vec3d fall = supported.empty() || !supported[b] ? g * (h * h) : Vec3d{0, 0, 0};
    for (int32_t i = body.nodes.begin; i < body.nodes.end; ++i) {
      const double inertia = mass_[i] / (h * h), drag = body.mass_damping * mass_[i] / h;
      weight_[i] = inertia + drag;
      const Vec3d ballistic = now_.x_star[i] + now_.v_star[i] * h;
      // Weight acts on the lumped mass, as inertia does: what the term of gravity gives to other nodes is taken back.
      const Vec3d weight = g * (mass_[i] - load_mass_[i]);
      target_[i] = mass_[i] > 0 ? (ballistic * inertia + now_.x_star[i] * drag + weight) * (1 / weight_[i])
                                : ballistic;
      x[i] = i < body.visible().end ? ballistic + fall : ballistic;
    }
  }
  system.set_inertia(weight_, target_);
}

void TimeStep::end(std::span<const Vec3d> x, double t1, model::State& state) const {
  if (integrator_) integrator_->remember(t1 - state.time(), state);
  const auto x_n = state.x();
  const auto v_n = state.v();
  for (size_t i = 0; i < x.size(); ++i) {
    v_n[i] = integrator_ ? (x[i] - now_.x_star[i]) * (1 / now_.h) : Vec3d{0, 0, 0};
    x_n[i] = x[i];
  }
  state.set_time(t1);
}

void TimeStep::forget_history(model::State& state) const {
  if (integrator_) integrator_->forget(state);
}

}  // namespace sinew::step

#include "energy/node_blocks.h"
#include "energy/plate_bending.h"
#include "energy/term_interfaces.h"
#include "measure/quantity.h"

namespace sinew::measure {

using math::Vec3d;

Snapshot::Snapshot(const model::Model& model, const model::Params& params, const model::State& state,
                   const energy::Terms* terms)
    : model_(model), params_(params), state_(state), terms_(terms), inputs_(model.inputs.size()) {
  model.inputs.evaluate(state.time(), inputs_);
}

std::span<const double> Snapshot::mass() const {
  if (mass_.empty()) mass_ = model_.lumped_mass(params_);
  return mass_;
}

std::span<const Vec3d> Snapshot::internal_gradient() const {
  compute_forces();
  return internal_;
}

std::span<const Vec3d> Snapshot::external_gradient() const {
  compute_forces();
  return external_;
}

// By the velocities of the state: as if a very short step had ended here.
void Snapshot::set_motion(const energy::Terms& terms) const {
  constexpr double rate = 1e6;  // [1/s]
  std::vector<Vec3d> before;
  for (const auto& term : terms) {
    auto* moving = dynamic_cast<energy::MotionDriven*>(term.get());
    if (!moving) continue;
    for (size_t i = before.size(); i < model_.X.size(); ++i)
      before.push_back(state_.x()[i] - state_.v()[i] * (1 / rate));
    moving->set_motion(before, rate, inputs_);
  }
}

void Snapshot::compute_forces() const {
  if (!internal_.empty()) return;
  energy::Terms own;
  if (!terms_) {
    own = energy::make_terms(model_);
    for (auto& term : own) term->bind(params_);
  }
  internal_.assign(model_.X.size(), Vec3d::zero());
  external_.assign(model_.X.size(), Vec3d::zero());
  set_motion(terms_ ? *terms_ : own);
  const energy::View view{.x = state_.x(), .inputs = inputs_};
  for (const auto& term : terms_ ? *terms_ : own)
    term->evaluate(view, term->external() ? external_ : internal_);
}

std::span<const double> Snapshot::bending_energy() const {
  if (!bending_.empty()) return bending_;
  bending_.assign(model_.bodies.size(), 0.0);
  if (model_.hinges.empty()) return bending_;
  energy::Terms own;
  if (!terms_) {
    own = energy::make_terms(model_);
    for (auto& term : own) term->bind(params_);
  }
  const energy::View view{.x = state_.x(), .inputs = inputs_};
  for (const auto& term : terms_ ? *terms_ : own)
    if (const auto* plate = dynamic_cast<const energy::PlateBending*>(term.get()))
      bending_[plate->sheet()] += term->evaluate(view, {}).value;
  return bending_;
}

std::span<const int32_t> Snapshot::node_colours() const {
  if (!colours_.empty()) return colours_;
  energy::Terms own;
  if (!terms_) own = energy::make_terms(model_);
  return colours_ = energy::colour_nodes(energy::lasting_stencils(terms_ ? *terms_ : own),
                                         static_cast<int64_t>(model_.X.size()));
}

}  // namespace sinew::measure

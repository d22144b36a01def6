#include "energy/node_blocks.h"
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

void Snapshot::compute_forces() const {
  if (!internal_.empty()) return;
  energy::Terms own;
  if (!terms_) {
    own = energy::make_terms(model_);
    for (auto& term : own) term->bind(params_);
  }
  internal_.assign(model_.X.size(), Vec3d::zero());
  external_.assign(model_.X.size(), Vec3d::zero());
  const energy::View view{.x = state_.x(), .inputs = inputs_};
  for (const auto& term : terms_ ? *terms_ : own)
    term->evaluate(view, term->external() ? external_ : internal_);
}

std::span<const int32_t> Snapshot::node_colours() const {
  if (!colours_.empty()) return colours_;
  energy::Terms own;
  if (!terms_) own = energy::make_terms(model_);
  return colours_ = energy::colour_nodes(energy::lasting_stencils(terms_ ? *terms_ : own),
                                         static_cast<int64_t>(model_.X.size()));
}

}  // namespace sinew::measure

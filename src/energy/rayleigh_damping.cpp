#include "energy/rayleigh_damping.h"

#include <algorithm>

namespace sinew::energy {

RayleighDamping::RayleighDamping(const model::Model& model, const Terms& terms) {
  for (const auto& term : terms)
    if (const double beta = term->body() < 0 ? 0 : model.bodies[term->body()].stiffness_damping; beta > 0)
      parts_.push_back({term.get(), beta, term->linearisation()});
}

void RayleighDamping::set(const View& view, double rate) {
  rate_ = rate;
  if (!active()) return;
  origin_.assign(view.x.begin(), view.x.end());
  view_ = view;
  view_.x = origin_;
  moved_.resize(origin_.size());
  force_.resize(origin_.size());
  for (Part& part : parts_) part.stiffness->set(view_, Hessian::projected);
}

double RayleighDamping::evaluate(std::span<const Vec3d> x, std::span<Vec3d> gradient) const {
  double energy = 0;
  for_each([&](const Part& part, double factor) {
    for (size_t i = 0; i < x.size(); ++i) {
      moved_[i] = x[i] - origin_[i];
      force_[i] = {0, 0, 0};
    }
    part.stiffness->apply(moved_, force_);
    for (size_t i = 0; i < x.size(); ++i) {
      energy += 0.5 * factor * dot(moved_[i], force_[i]);
      gradient[i] += force_[i] * factor;
    }
  });
  return energy;
}

void RayleighDamping::assemble(BlockMatrix& matrix) const {
  for_each([&](const Part& part, double factor) {
    part.term->assemble(view_, Hessian::projected, factor, matrix);
  });
}

void RayleighDamping::apply(std::span<const Vec3d> d, std::span<Vec3d> out) const {
  for_each([&](const Part& part, double factor) {
    std::fill(force_.begin(), force_.end(), Vec3d{0, 0, 0});
    part.stiffness->apply(d, force_);
    for (size_t i = 0; i < d.size(); ++i) out[i] += force_[i] * factor;
  });
}

void RayleighDamping::diagonal(std::span<Mat3d> blocks) const {
  std::vector<Mat3d> own;
  for_each([&](const Part& part, double factor) {
    own.assign(blocks.size(), Mat3d::zero());
    part.stiffness->diagonal(own);
    for (size_t i = 0; i < blocks.size(); ++i) blocks[i] += own[i] * factor;
  });
}

}  // namespace sinew::energy

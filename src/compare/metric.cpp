#include "compare/metric.h"

#include <algorithm>
#include <cmath>

#include "model/bounds.h"
#include "step/contact_history.h"

namespace sinew::compare {

using math::Vec3d;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double diagonal(const mesh::Bounds& box) { return norm(box.high - box.low); }

}  // namespace

Metric::Metric(const model::Model& model, const step::Settings& settings, double t1,
               const model::State& state)
    : system_(model), step_(model, settings), size_(diagonal(model::bounds(model, model.X))) {
  step::ContactHistory history(model);
  history.load(state);
  step_.begin(system_, model.inputs, t1, state, start_, history.loaded_bodies());
  x_.resize(start_.size());
  gradient_.resize(start_.size());
}

void Metric::set_contacts(std::span<const contact::Pair> pairs) {
  system_.set_contacts({{pairs.begin(), pairs.end()}});
}

void Metric::set_reference(std::span<const Vec3d> x) {
  reference_.assign(x.begin(), x.end());
  system_.dofs().retract(reference_);
  energy_ = system_.evaluate(reference_, gradient_).energy;
}

Point Metric::start() {
  x_ = start_;
  return measure();
}

Point Metric::measure(std::span<const double> coordinates) {
  for (size_t i = 0; i < x_.size(); ++i)
    x_[i] = {coordinates[3 * i], coordinates[3 * i + 1], coordinates[3 * i + 2]};
  return measure();
}

Point Metric::measure() {
  Point point{.residual = infinity,
              .relative = infinity,
              .energy_gap = infinity,
              .error_rms = infinity,
              .error_max = infinity};
  if (!std::all_of(x_.begin(), x_.end(), [](const Vec3d& p) { return std::isfinite(norm2(p)); }))
    return point;
  system_.dofs().retract(x_);
  const solve::Evaluation at = system_.evaluate(x_, gradient_);
  point.residual = std::isfinite(at.residual) ? at.residual : infinity;
  point.relative = at.relative;
  if (reference_.empty()) {
    point.energy_gap = point.error_rms = point.error_max = unknown;
    return point;
  }
  point.energy_gap = at.energy_valid ? at.energy - energy_ : unknown;
  double sum = 0, largest = 0;
  for (size_t i = 0; i < x_.size(); ++i) {
    const double d2 = norm2(x_[i] - reference_[i]);
    sum += d2;
    largest = std::max(largest, d2);
  }
  point.error_rms = std::sqrt(sum / static_cast<double>(x_.size())) / size_;
  point.error_max = std::sqrt(largest) / size_;
  return point;
}

}  // namespace sinew::compare

#include "sensitivity/field_step.h"

#include <algorithm>
#include <cmath>

namespace sinew::sensitivity {

namespace {

using Row = std::array<double, stencil_points>;

constexpr Row central_offset = {-3, -2, -1, 0, 1, 2, 3};
constexpr Row central_weight = {-1.0 / 60, 3.0 / 20, -3.0 / 4, 0, 3.0 / 4, -3.0 / 20, 1.0 / 60};
constexpr Row up_offset = {0, 1, 2, 3, 4, 5, 6};
constexpr Row up_weight = {-49.0 / 20, 6, -15.0 / 2, 20.0 / 3, -15.0 / 4, 6.0 / 5, -1.0 / 6};
constexpr Row down_offset = {0, -1, -2, -3, -4, -5, -6};
constexpr Row down_weight = {49.0 / 20, -6, 15.0 / 2, -20.0 / 3, 15.0 / 4, -6.0 / 5, 1.0 / 6};

constexpr double share = 0.004;

// The largest of the numbers with the same unit: a number that is 0 has no size of its own.
double size_of(const material::Law& law, std::span<const double> values, int v) {
  const Field& field = field_of_value(law, v);
  if (values[v] != 0 && field.kind != Field::Kind::vector3) return std::abs(values[v]);
  double size = 0;
  for (size_t w = 0; w < values.size(); ++w) {
    const Field& other = field_of_value(law, static_cast<int>(w));
    if (other.kind == field.kind && other.unit == field.unit) size = std::max(size, std::abs(values[w]));
  }
  return size > 0 ? size : 1;
}

}  // namespace

const Field& field_of_value(const material::Law& law, int v) {
  for (const Field& field : law.fields) {
    v -= field.kind == Field::Kind::vector3 ? 3 : 1;
    if (v < 0) return field;
  }
  return law.fields.back();
}

bool differentiable(const Field& field) {
  return field.kind == Field::Kind::number || field.kind == Field::Kind::vector3;
}

FieldStep field_step(const material::Law& law, std::span<const double> values, int v) {
  const Field& field = field_of_value(law, v);
  double h = share * size_of(law, values, v);
  const bool bounded = field.kind == Field::Kind::number;
  const double below = bounded ? values[v] - field.min : INFINITY;
  const double above = bounded ? field.max - values[v] : INFINITY;
  if (field.min_open) h = std::min(h, share * below);
  if (field.max_open) h = std::min(h, share * above);
  if (below < 3 * h) return {&up_offset, &up_weight, std::min(h, above / 8)};
  if (above < 3 * h) return {&down_offset, &down_weight, std::min(h, below / 8)};
  return {&central_offset, &central_weight, h};
}

}  // namespace sinew::sensitivity

#pragma once
// Differences of sixth order in one number of a material, inside the range that its field allows:
//     df/dv = sum_k weight[k] f(v + offset[k] h) / h,   offsets -3..3, or 0..6 or -6..0 beside a bound
// Steps are 0.004 of the number's size or of its distance to a bound that it cannot reach, where laws have their poles; the
// error is then about 1e-11 of the derivative.
#include <array>
#include <span>

#include "base/field.h"
#include "material/law.h"

namespace sinew::sensitivity {

inline constexpr int stencil_points = 7;

struct FieldStep {
  const std::array<double, stencil_points>* offset;
  const std::array<double, stencil_points>* weight;
  double h;
};

// The field that value v of a law belongs to (vectors are three values each).
const Field& field_of_value(const material::Law& law, int v);
// False: a switch, which has no derivative.
bool differentiable(const Field& field);
// For value v of the values that a law converts.
FieldStep field_step(const material::Law& law, std::span<const double> values, int v);

}  // namespace sinew::sensitivity

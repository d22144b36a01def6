#pragma once
// Right-handed orthonormal frames around a unit vector, without branches.
// Duff et al., Building an orthonormal basis, revisited, 2017.
#include "math/scalar.h"
#include "math/vec.h"

namespace sinew::math {

// Unit vectors a, b with a x b = w, for a unit vector w.
template <class T>
SINEW_INLINE void complete_frame(const Vec3<T>& w, Vec3<T>& a, Vec3<T>& b) {
  const T sign = copysign(T(1), w[2]);
  const T k = T(-1) / (sign + w[2]);
  const T xy = w[0] * w[1] * k;
  a = {T(1) + sign * w[0] * w[0] * k, sign * xy, -sign * w[0]};
  b = {xy, sign + w[1] * w[1] * k, -w[1]};
}

}  // namespace sinew::math

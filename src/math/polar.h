#pragma once
// The rotation nearest to F: R = U V^T of the singular value decomposition, det R = +1 also where F is
// inverted or singular.
#include "math/svd.h"

namespace sinew::math {

template <class T>
SINEW_HD Mat3<T> polar_rotation(const Mat3<T>& F) {
  const Svd<T> f = svd(F);
  Mat3<T> R;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      R(i, j) = f.U(i, 0) * f.V(j, 0) + f.U(i, 1) * f.V(j, 1) + f.U(i, 2) * f.V(j, 2);
  return R;
}

}  // namespace sinew::math

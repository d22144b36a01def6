#pragma once
// The second derivative of det F in the entries of F, as a 9x9 matrix over (i + 3 j, k + 3 l).
#include "math/mat.h"

namespace sinew::math {

// Entry (ij, kl): zero where i = k or j = l, otherwise plus or minus the entry of F in the remaining row and column.
template <class T>
SINEW_INLINE T det_hessian(const Mat3<T>& F, int i, int j, int k, int l) {
  if (i == k || j == l) return T(0);
  const T f = F(3 - i - k, 3 - j - l);
  return ((k - i + 3) % 3 == 1) == ((l - j + 3) % 3 == 1) ? f : -f;
}

}  // namespace sinew::math

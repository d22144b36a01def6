#pragma once
// atan2 for double, float, PackD and PackF from additions, multiplications and divisions alone, as math/elementary.h has exp
// and log. Of the two numbers the smaller one is divided by the larger one; above z = tan(pi/8)
//
//     atan z = pi/4 + atan((z - 1) / (z + 1)),
//
// so that the series z - z^3/3 + z^5/5 ... is summed for |z| < 0.415. Errors stay below 3 ulp.
#include "math/elementary.h"

namespace sinew::math {

// The angle of (x, y), in (-pi, pi]; 0 where both are 0.
template <class T>
SINEW_HD T atan2(const T& y, const T& x) {
  constexpr int terms = sizeof(ScalarOf<T>) == 8 ? 21 : 9;
  const T ax = abs(x), ay = abs(y), large = max(ax, ay);
  const auto some = large > T(0);
  const T z = select(some, min(ax, ay) / select(some, large, T(1)), T(0));
  const auto steep = z > T(0.41421356237309503);
  const T w = select(steep, (z - T(1)) / (z + T(1)), z), s = w * w;
  const T series = detail::horner<1, terms>(s, [](int i) { return (i % 2 == 0 ? 1.0 : -1.0) / (2 * i + 1); });
  T angle = w + w * s * series;
  angle = select(steep, T(0.78539816339744831) + angle, angle);
  angle = select(ay > ax, T(1.5707963267948966) - angle, angle);
  angle = select(x < T(0), T(3.1415926535897932) - angle, angle);
  return copysign(angle, y);
}

}  // namespace sinew::math

#pragma once
// Matrices for the tests of the decompositions, each a function of its number alone: random, of all sizes,
// inverted, of rank 0, 1 and 2, with equal and nearly equal singular values.
#include <cmath>
#include <cstdint>

#include "math/mat.h"
#include "math/pack.h"
#include "math/random.h"

namespace sinew::math {

// Lanes and scalars give the same bits unless the compiler may fuse products and sums.
#if defined(SINEW_PORTABLE) || !defined(__FMA__)
inline constexpr bool same_bits_expected = true;
#else
inline constexpr bool same_bits_expected = false;
#endif

inline Mat3d random_matrix(const Random& random, uint64_t i) {
  Mat3d A;
  for (int k = 0; k < 9; ++k) A(k % 3, k / 3) = random.uniform(9 * i + k, -1, 1);
  return A;
}

// A rotation from a random unit quaternion.
inline Mat3d random_rotation(const Random& random, uint64_t i) {
  double q[4], s = 0;
  for (int k = 0; k < 4; ++k) q[k] = random.normal(4 * i + k), s += q[k] * q[k];
  for (double& x : q) x /= std::sqrt(s);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return Mat3d::columns({1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                        {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                        {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)});
}

// Sixteen kinds of matrices in turn, regular and degenerate.
inline Mat3d sample(uint64_t i) {
  const Random random(11);
  const Random a = random.stream(1), b = random.stream(2), c = random.stream(3);
  const auto with_values = [&](double s0, double s1, double s2) {
    return random_rotation(a, i) * Mat3d::diagonal({s0, s1, s2}) * transpose(random_rotation(b, i));
  };
  const auto power = [&](int k, double low, double high) {
    return std::pow(10, c.uniform(8 * i + k, low, high));
  };
  switch (i % 16) {
    case 0:
      return random_matrix(a, i);
    case 1:
      return random_matrix(a, i) * power(0, -8, 8);
    case 2: {  // every entry of its own size
      Mat3d A = random_matrix(a, i);
      for (int k = 0; k < 9; ++k) A(k % 3, k / 3) *= std::pow(10, b.uniform(9 * i + k, -8, 8));
      return A;
    }
    case 3:
      return outer(random_matrix(a, i).col(0), random_matrix(b, i).col(0)) * power(0, -8, 8);
    case 4: {  // rank 2
      const Mat3d A = random_matrix(a, i), B = random_matrix(b, i);
      return outer(A.col(0), B.col(0)) + outer(A.col(1), B.col(1)) * power(0, -8, 0);
    }
    case 5:
      return with_values(1, 1, 1) * power(0, -8, 8);
    case 6:
      return with_values(1, 1, -1) * power(0, -8, 8);
    case 7:
      return with_values(1, 1, c.uniform(i, -1, 1));
    case 8:
      return with_values(2, c.uniform(i), c.uniform(i)) * power(0, -8, 8);
    case 9:
      return with_values(2, c.uniform(i), -c.uniform(i));
    case 10:
      return with_values(1, power(0, -12, 0), power(1, -12, 0));
    case 11:
      return with_values(1, 1 + power(0, -16, -2), 1 - power(1, -16, -2));
    case 12:
      return with_values(1, 1 - power(0, -16, -2), -power(1, -9, 0));
    case 13:
      return Mat3d::identity() + random_matrix(a, i) * power(0, -17, -1);
    case 14:
      return Mat3d::diagonal(random_matrix(c, i).col(0));
    default: {  // a few small integers, zero and permutations among them
      Mat3d A;
      for (int k = 0; k < 9; ++k) A(k % 3, k / 3) = std::floor(a.uniform(9 * i + k, -0.6, 1.6));
      return A;
    }
  }
}

inline double frobenius(const Mat3d& A) { return std::sqrt(contract(A, A)); }

// A pack of matrices: lane l holds f(l).
template <class P, class F>
Mat3<P> pack_of(F f) {
  ScalarOf<P> entries[9][lanes_of<P>];
  for (int l = 0; l < lanes_of<P>; ++l) {
    const Mat3d A = f(l);
    for (int k = 0; k < 9; ++k) entries[k][l] = ScalarOf<P>(A(k % 3, k / 3));
  }
  Mat3<P> r;
  for (int k = 0; k < 9; ++k) r(k % 3, k / 3) = P::load(entries[k]);
  return r;
}

template <class P>
Mat3d lane_of(const Mat3<P>& A, int l) {
  Mat3d r;
  for (int k = 0; k < 9; ++k) r(k % 3, k / 3) = lane(A(k % 3, k / 3), l);
  return r;
}

}  // namespace sinew::math

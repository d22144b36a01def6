#pragma once
// Vectors of many nodes into the lanes of packs. Positions are padded to four numbers, so that a node is one load; the
// rest is a transposition in registers.
//
//     Vec3<PackD> x = gather3<PackD>(positions, ids);     // lane l: positions[4 ids[l]], + 1, + 2
//     Vec<PackD, 4> y = gather4<PackD>(positions, ids);   // the fourth number as well
//     scatter4(y, positions, ids, count);                 // back, the first `count` lanes
#include <bit>
#include <cstdint>

#include "math/pack.h"
#include "math/vec.h"

namespace sinew::math {

namespace detail {

// A node's four numbers as one vector of the compiler; with vectors twice and four times as long. In memory they stand
// at any multiple of a number.
template <class S, int n>
struct Row {
  typedef S Type __attribute__((vector_size(n * sizeof(S))));
  typedef S Stored __attribute__((vector_size(n * sizeof(S)), aligned(sizeof(S))));
};

template <class S>
SINEW_INLINE typename Row<S, 8>::Type two_rows(const S* x, int32_t a, int32_t b) {
  using Four = Row<S, 4>;
  const typename Four::Type lower = *reinterpret_cast<const typename Four::Stored*>(x + 4 * int64_t(a));
  const typename Four::Type upper = *reinterpret_cast<const typename Four::Stored*>(x + 4 * int64_t(b));
  return __builtin_shufflevector(lower, upper, 0, 1, 2, 3, 4, 5, 6, 7);
}

[[gnu::always_inline]] inline Vec<PackD, 4> transpose_rows(const double* x, const int32_t* id) {
  using Eight = Row<double, 8>::Type;
  const Eight r0 = two_rows(x, id[0], id[4]), r1 = two_rows(x, id[1], id[5]);
  const Eight r2 = two_rows(x, id[2], id[6]), r3 = two_rows(x, id[3], id[7]);
  const Eight xz01 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
  const Eight xz23 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
  const Eight yw01 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
  const Eight yw23 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
  Vec<PackD, 4> r;
  r[0] = std::bit_cast<PackD>(__builtin_shufflevector(xz01, xz23, 0, 1, 8, 9, 4, 5, 12, 13));
  r[1] = std::bit_cast<PackD>(__builtin_shufflevector(yw01, yw23, 0, 1, 8, 9, 4, 5, 12, 13));
  r[2] = std::bit_cast<PackD>(__builtin_shufflevector(xz01, xz23, 2, 3, 10, 11, 6, 7, 14, 15));
  r[3] = std::bit_cast<PackD>(__builtin_shufflevector(yw01, yw23, 2, 3, 10, 11, 6, 7, 14, 15));
  return r;
}

[[gnu::always_inline]] inline Vec<PackF, 4> transpose_rows(const float* x, const int32_t* id) {
  using Sixteen = Row<float, 16>::Type;
  const auto four = [&](int k) {
    return __builtin_shufflevector(two_rows(x, id[k], id[k + 4]), two_rows(x, id[k + 8], id[k + 12]), 0, 1, 2,
                                   3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  };
  const Sixteen r0 = four(0), r1 = four(1), r2 = four(2), r3 = four(3);
  const auto lower = [](const Sixteen& a, const Sixteen& b) {
    return __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
  };
  const auto upper = [](const Sixteen& a, const Sixteen& b) {
    return __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  };
  const Sixteen xy01 = lower(r0, r1), xy23 = lower(r2, r3), zw01 = upper(r0, r1), zw23 = upper(r2, r3);
  const auto first = [](const Sixteen& a, const Sixteen& b) {
    return __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
  };
  const auto second = [](const Sixteen& a, const Sixteen& b) {
    return __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
  };
  Vec<PackF, 4> r;
  r[0] = std::bit_cast<PackF>(first(xy01, xy23));
  r[1] = std::bit_cast<PackF>(second(xy01, xy23));
  r[2] = std::bit_cast<PackF>(first(zw01, zw23));
  r[3] = std::bit_cast<PackF>(second(zw01, zw23));
  return r;
}

}  // namespace detail

template <class T>
SINEW_INLINE Vec<T, 4> gather4(const ScalarOf<T>* x, const int32_t* id) {
  return detail::transpose_rows(x, id);
}

template <class T>
SINEW_INLINE Vec3<T> gather3(const ScalarOf<T>* x, const int32_t* id) {
  const Vec<T, 4> r = detail::transpose_rows(x, id);
  return {r[0], r[1], r[2]};
}

[[gnu::always_inline]] inline void scatter4(const Vec<PackD, 4>& r, double* x, const int32_t* id, int count) {
  using Eight = detail::Row<double, 8>::Type;
  using Four = detail::Row<double, 4>::Type;
  const auto X = std::bit_cast<Eight>(r[0]), Y = std::bit_cast<Eight>(r[1]);
  const auto Z = std::bit_cast<Eight>(r[2]), W = std::bit_cast<Eight>(r[3]);
  const Eight xy0 = __builtin_shufflevector(X, Y, 0, 8, 2, 10, 4, 12, 6, 14);
  const Eight xy1 = __builtin_shufflevector(X, Y, 1, 9, 3, 11, 5, 13, 7, 15);
  const Eight zw0 = __builtin_shufflevector(Z, W, 0, 8, 2, 10, 4, 12, 6, 14);
  const Eight zw1 = __builtin_shufflevector(Z, W, 1, 9, 3, 11, 5, 13, 7, 15);
  const Four row[8] = {
      __builtin_shufflevector(xy0, zw0, 0, 1, 8, 9),   __builtin_shufflevector(xy1, zw1, 0, 1, 8, 9),
      __builtin_shufflevector(xy0, zw0, 2, 3, 10, 11), __builtin_shufflevector(xy1, zw1, 2, 3, 10, 11),
      __builtin_shufflevector(xy0, zw0, 4, 5, 12, 13), __builtin_shufflevector(xy1, zw1, 4, 5, 12, 13),
      __builtin_shufflevector(xy0, zw0, 6, 7, 14, 15), __builtin_shufflevector(xy1, zw1, 6, 7, 14, 15)};
  for (int l = 0; l < 8; ++l)
    if (l < count) *reinterpret_cast<Four*>(x + 4 * int64_t(id[l])) = row[l];
}

}  // namespace sinew::math

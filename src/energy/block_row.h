#pragma once
// The inner loop of every product and triangular solve: sum over consecutive blocks of A_s x_column(s), values in
// single or double precision, arithmetic in double. Reads up to one number past the last block.
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include <cstdint>

#include "math/mat.h"

namespace sinew::energy {

using math::Vec3d;

#ifdef __AVX2__
inline __m256d load4(const float* p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
inline __m256d load4(const double* p) { return _mm256_loadu_pd(p); }

inline __m256d multiply_add(__m256d a, __m256d b, __m256d c) {
#ifdef SINEW_PORTABLE
  return _mm256_add_pd(_mm256_mul_pd(a, b), c);
#else
  return _mm256_fmadd_pd(a, b, c);
#endif
}

// Three columns as overlapping vectors of four: the fourth lane is discarded. Two accumulators hide the latency.
template <class T>
Vec3d row_product(const T* values, const int32_t* column, int64_t count, const Vec3d* x) {
  __m256d y0 = _mm256_setzero_pd(), y1 = _mm256_setzero_pd();
  for (int64_t s = 0; s < count; ++s) {
    const double* xs = x[column[s]].v;
    const T* a = values + 9 * s;
    y0 = multiply_add(load4(a), _mm256_broadcast_sd(xs), y0);
    y1 = multiply_add(load4(a + 3), _mm256_broadcast_sd(xs + 1), y1);
    y0 = multiply_add(load4(a + 6), _mm256_broadcast_sd(xs + 2), y0);
  }
  alignas(32) double y[4];
  _mm256_store_pd(y, _mm256_add_pd(y0, y1));
  return {y[0], y[1], y[2]};
}
#else
template <class T>
Vec3d row_product(const T* values, const int32_t* column, int64_t count, const Vec3d* x) {
  Vec3d y = {0, 0, 0};
  for (int64_t s = 0; s < count; ++s)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) y[i] += static_cast<double>(values[9 * s + 3 * j + i]) * x[column[s]][j];
  return y;
}
#endif

}  // namespace sinew::energy

#include "solve/symmetric_product.h"

#include <algorithm>

#include "base/parallel.h"
#include "energy/block_row.h"

namespace sinew::solve {

using energy::BlockPattern;
using math::Vec3d;

namespace {

constexpr int32_t smallest_domain = 1024;
constexpr int64_t padding = 4;  // numbers that whole vectors read and write past the end

#ifdef __AVX2__
// (c0.x, c1.x, c2.x, 0) for three columns, the fourth lane of x being 0.
inline __m256d transposed_product(__m256d c0, __m256d c1, __m256d c2, __m256d x) {
  const __m256d h01 = _mm256_hadd_pd(_mm256_mul_pd(c0, x), _mm256_mul_pd(c1, x));
  const __m256d h2 = _mm256_hadd_pd(_mm256_mul_pd(c2, x), _mm256_setzero_pd());
  return _mm256_add_pd(_mm256_permute2f128_pd(h01, h2, 0x20), _mm256_permute2f128_pd(h01, h2, 0x31));
}

// Row i: y_i += sum_j A_ij x_j and y_j += A_ij^T x_i; `y` is the buffer at row 0 of the matrix.
template <class Value>
inline void add_row(const Value* a, const int32_t* column, int64_t count, const Vec3d* x, double* y) {
  const int32_t i = column[0];
  const __m256d xi = _mm256_set_pd(0.0, x[i][2], x[i][1], x[i][0]);
  __m256d y0 = _mm256_setzero_pd(), y1 = _mm256_setzero_pd();
  for (int64_t s = 0; s < count; ++s, a += 9) {
    const double* xs = x[column[s]].v;
    const __m256d c0 = energy::load4(a), c1 = energy::load4(a + 3), c2 = energy::load4(a + 6);
    y0 = energy::multiply_add(c0, _mm256_broadcast_sd(xs), y0);
    y1 = energy::multiply_add(c1, _mm256_broadcast_sd(xs + 1), y1);
    y0 = energy::multiply_add(c2, _mm256_broadcast_sd(xs + 2), y0);
    if (s == 0) continue;  // the diagonal serves once
    double* yj = y + 3 * int64_t{column[s]};
    _mm256_storeu_pd(yj, _mm256_add_pd(_mm256_loadu_pd(yj), transposed_product(c0, c1, c2, xi)));
  }
  alignas(32) double sum[4];
  _mm256_store_pd(sum, _mm256_add_pd(y0, y1));
  for (int k = 0; k < 3; ++k) y[3 * int64_t{i} + k] += sum[k];
}
#else
template <class Value>
inline void add_row(const Value* a, const int32_t* column, int64_t count, const Vec3d* x, double* y) {
  const int64_t i = column[0];
  for (int64_t s = 0; s < count; ++s, a += 9)
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) {
        y[3 * i + r] += static_cast<double>(a[3 * c + r]) * x[column[s]][c];
        if (s > 0) y[3 * int64_t{column[s]} + c] += static_cast<double>(a[3 * c + r]) * x[i][r];
      }
}
#endif

}  // namespace

template <class Value>
void SymmetricProductOf<Value>::read_pattern(const BlockPattern& pattern) {
  const int32_t n = pattern.rows();
  begin_.assign(1, 0);
  column_.clear();
  band_ = 0;
  for (int32_t i = 0; i < n; ++i) {
    for (int64_t s = pattern.diagonal[i]; s < pattern.row_begin[i + 1]; ++s)
      column_.push_back(pattern.column[s]);
    begin_.push_back(static_cast<int64_t>(column_.size()));
    band_ = std::max(band_, column_.back() - i);
  }
  domain_rows_ = std::max(smallest_domain, band_);
  domains_.clear();
  int64_t size = 0;
  for (int32_t begin = 0; begin < n; begin += domain_rows_) {
    const int32_t end = std::min(begin + domain_rows_, n), reach = std::min(end + band_, n);
    domains_.push_back({begin, end, reach, size});
    size += 3 * int64_t{reach - begin} + padding;
  }
  buffer_.resize(size);
  value_.resize(9 * column_.size() + 8);
}

template <class Value>
void SymmetricProductOf<Value>::take(const energy::BlockMatrix& matrix) {
  const BlockPattern& pattern = matrix.pattern();
  const Value* from;
  if constexpr (std::is_same_v<Value, float>)
    from = matrix.single();
  else
    from = matrix.full();
  if (begin_.size() != pattern.row_begin.size()) read_pattern(pattern);
  for_each_block(pattern.rows(), 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      std::copy_n(from + 9 * pattern.diagonal[i], 9 * (begin_[i + 1] - begin_[i]),
                  value_.data() + 9 * begin_[i]);
  });
}

template <class Value>
void SymmetricProductOf<Value>::add_domain(const Domain& domain, std::span<const Vec3d> x) const {
  double* buffer = buffer_.data() + domain.buffer;
  std::fill_n(buffer, 3 * int64_t{domain.reach - domain.begin} + padding, 0.0);
  double* y = buffer - 3 * int64_t{domain.begin};
  for (int32_t i = domain.begin; i < domain.end; ++i)
    add_row(value_.data() + 9 * begin_[i], column_.data() + begin_[i], begin_[i + 1] - begin_[i], x.data(),
            y);
}

template <class Value>
double SymmetricProductOf<Value>::operator()(std::span<const Vec3d> x, std::span<Vec3d> y) const {
  for_each_index(static_cast<int64_t>(domains_.size()), [&](int64_t d) { add_domain(domains_[d], x); });
  // A domain is at least as long as the band, so that a row hears of its own domain and the one before.
  return sum_blocks(static_cast<int64_t>(y.size()), domain_rows_, [&](int64_t begin, int64_t end) {
    const int64_t d = begin / domain_rows_;
    const double* own = buffer_.data() + domains_[d].buffer - 3 * begin;
    const double* before =
        d > 0 ? buffer_.data() + domains_[d - 1].buffer - 3 * int64_t{domains_[d - 1].begin} : nullptr;
    const int64_t reach = d > 0 ? std::min<int64_t>(domains_[d - 1].reach, end) : begin;
    double product = 0;
    for (int64_t i = begin; i < end; ++i) {
      Vec3d v = {own[3 * i], own[3 * i + 1], own[3 * i + 2]};
      if (i < reach) v += Vec3d{before[3 * i], before[3 * i + 1], before[3 * i + 2]};
      y[i] = v;
      product += dot(x[i], v);
    }
    return product;
  });
}

template <class Value>
int64_t SymmetricProductOf<Value>::bytes() const {
  return static_cast<int64_t>(value_.size() * sizeof(Value) + column_.size() * sizeof(int32_t) +
                              begin_.size() * sizeof(int64_t) + buffer_.size() * sizeof(double));
}

template class SymmetricProductOf<float>;
template class SymmetricProductOf<double>;

void round_matrix(const energy::BlockMatrix& full, energy::BlockMatrix& single) {
  for_each_block(9 * full.pattern().blocks(), 65536, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) single.single()[k] = static_cast<float>(full.full()[k]);
  });
}

}  // namespace sinew::solve

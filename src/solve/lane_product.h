#pragma once
// A x for the columns in lanes: the matrix of a SymmetricProduct is read once for all of them, and the result of a
// row is handed on while it is in the caches, instead of being stored.
//
//     LaneProduct<Lanes> product;                                                        // sums in single precision
//     product.for_each_row(A, x, [&](int64_t part, int64_t i, const LaneVec3& Ax) { r[i] -= Ax; });
//
// Rows are cut into fixed domains. A domain needs no more than the sums of the rows within the band, a ring that stays in the
// caches. The first rows of a domain wait for what the one before adds to them. f is called once for every row, for several rows
// at the same time, and in order within a part; it may change x[i], which no other row needs any more. The parts are as many as
// parts() says and do not depend on the threads: sums over rows are taken part by part.
#include <bit>
#include <vector>

#include "base/parallel.h"
#include "solve/lanes.h"
#include "solve/symmetric_product.h"

namespace sinew::solve {

// Sum: Lanes, or WideLanes for products of double precision.
template <class Sum>
class LaneProduct {
 public:
  using Vector = math::Vec3<Sum>;

  template <class Value, class F>
  void for_each_row(const SymmetricProductOf<Value>& A, std::span<const LaneVec3> x, F&& f) {
    plan_for(A);
    for_each_index(domains_, [&](int64_t d) { pass(A, x, d, f); });
    for_each_index(domains_, [&](int64_t d) {
      const int64_t begin = d * domain_rows_;
      const Vector* late = &late_[d * band_];
      const Vector* before = d > 0 ? &ring_[(d - 1) * ring_rows_] : nullptr;
      for (int64_t i = begin; d > 0 && i < std::min<int64_t>(begin + band_, rows_); ++i)
        f(domains_ + d, i, late[i - begin] + before[i & (ring_rows_ - 1)]);
    });
  }
  // What parts() counts from then on; for_each_row does it too.
  template <class Value>
  void plan_for(const SymmetricProductOf<Value>& A) {
    plan(A.rows(), A.band());
  }
  int64_t parts() const { return 2 * domains_; }
  int64_t bytes() const { return static_cast<int64_t>((ring_.size() + late_.size()) * sizeof(Vector)); }

 private:
  static constexpr int64_t smallest_domain = 1024, bands_of_domain = 4;

  void plan(int64_t rows, int64_t band) {
    if (rows == rows_ && band == band_) return;
    rows_ = rows;
    band_ = band;
    domain_rows_ = std::max(smallest_domain, bands_of_domain * band);
    domains_ = (rows + domain_rows_ - 1) / domain_rows_;
    ring_rows_ = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(band + 1)));
    ring_.resize(domains_ * ring_rows_);
    late_.resize(domains_ * band);
  }

  template <class Value, class F>
  void pass(const SymmetricProductOf<Value>& A, std::span<const LaneVec3> x, int64_t d, F& f) {
    const int64_t begin = d * domain_rows_, end = std::min(begin + domain_rows_, rows_);
    const int64_t ready = d > 0 ? begin + band_ : begin, mask = ring_rows_ - 1;
    Vector* ring = &ring_[d * ring_rows_];
    std::fill_n(ring, ring_rows_, Vector::filled(Sum(0.0f)));
    for (int64_t i = begin; i < end; ++i) {
      const Vector sum = row(A, x.data(), static_cast<int32_t>(i), ring, mask);
      if (i < ready)
        late_[d * band_ + i - begin] = sum;
      else
        f(d, i, sum);
    }
  }

  // The sum of row i, whose place in the ring it clears; the columns of the row take their parts.
  template <class Value>
  [[gnu::always_inline]] static inline Vector row(const SymmetricProductOf<Value>& A, const LaneVec3* x,
                                                  int32_t i, Vector* ring, int64_t mask) {
    const std::span<const int32_t> columns = A.columns(i);
    const Value* a = A.values(i);
    const Sum x0(x[i][0]), x1(x[i][1]), x2(x[i][2]);
    Vector& own = ring[i & mask];
    Sum s0 = own[0] + Sum(a[0]) * x0 + Sum(a[3]) * x1 + Sum(a[6]) * x2;
    Sum s1 = own[1] + Sum(a[1]) * x0 + Sum(a[4]) * x1 + Sum(a[7]) * x2;
    Sum s2 = own[2] + Sum(a[2]) * x0 + Sum(a[5]) * x1 + Sum(a[8]) * x2;
    own = Vector::filled(Sum(0.0f));
    for (size_t s = 1; s < columns.size(); ++s) {
      a += 9;
      const int64_t j = columns[s];
      Vector& yj = ring[j & mask];
      for (int c = 0; c < 3; ++c) {
        const Sum a0(a[3 * c]), a1(a[3 * c + 1]), a2(a[3 * c + 2]), xj(x[j][c]);
        s0 += a0 * xj;
        s1 += a1 * xj;
        s2 += a2 * xj;
        yj[c] = yj[c] + a0 * x0 + a1 * x1 + a2 * x2;
      }
    }
    return {s0, s1, s2};
  }

  int64_t rows_ = -1, band_ = 0, domain_rows_ = 0, domains_ = 0, ring_rows_ = 0;
  std::vector<Vector> ring_;  // of each domain: sums of the next rows
  std::vector<Vector> late_;  // of each domain: sums of its first rows
};

}  // namespace sinew::solve

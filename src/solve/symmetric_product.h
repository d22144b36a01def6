#pragma once
// y = A x for a symmetric 3x3-block matrix from its upper triangle alone: each stored block serves twice, which halves
// the traffic of conjugate gradients on meshes beyond the caches.
//
// Rows are cut into fixed domains. A domain adds to its own rows and, because the matrix is banded, to a few rows after
// them, in a buffer of its own; a second pass sums the buffers in order. So the bits do not depend on the threads.
// solve/lane_product.h multiplies many columns at once.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "energy/block_matrix.h"

namespace sinew::solve {

// Value: float or double, the precision of the matrix. Sums are double.
template <class Value>
class SymmetricProductOf {
 public:
  // Takes the values of a matrix of that precision; the pattern is read once.
  void take(const energy::BlockMatrix& matrix);
  // y = A x, returning x.y.
  double operator()(std::span<const math::Vec3d> x, std::span<math::Vec3d> y) const;
  int64_t bytes() const;

  int32_t rows() const { return std::max(static_cast<int32_t>(begin_.size()) - 1, 0); }
  // The longest way from the diagonal to a column.
  int32_t band() const { return band_; }
  // The columns and values of row i from the diagonal on, blocks by columns.
  std::span<const int32_t> columns(int32_t i) const {
    return {column_.data() + begin_[i], static_cast<size_t>(begin_[i + 1] - begin_[i])};
  }
  const Value* values(int32_t i) const { return value_.data() + 9 * begin_[i]; }

 private:
  struct Domain {
    int32_t begin, end;  // rows
    int32_t reach;       // one past the last row that it adds to
    int64_t buffer;      // where its part of the buffer begins
  };
  void read_pattern(const energy::BlockPattern& pattern);
  void add_domain(const Domain& domain, std::span<const math::Vec3d> x) const;

  std::vector<Domain> domains_;
  int32_t band_ = 0, domain_rows_ = 0;
  std::vector<int64_t> begin_;  // blocks of each row, the diagonal first
  std::vector<int32_t> column_;
  std::vector<Value> value_;
  mutable std::vector<double> buffer_;
};

using SymmetricProduct = SymmetricProductOf<float>;

// The same pattern in single precision.
void round_matrix(const energy::BlockMatrix& full, energy::BlockMatrix& single);

}  // namespace sinew::solve

#pragma once
// y = A x for a symmetric 3x3-block matrix from its upper triangle alone: each stored block serves twice, which halves
// the traffic of conjugate gradients on meshes beyond the caches.
//
// Rows are cut into fixed domains. A domain adds to its own rows and, because the matrix is banded, to a few rows after
// them, in a buffer of its own; a second pass sums the buffers in order. So the bits do not depend on the threads.
#include <cstdint>
#include <span>
#include <vector>

#include "energy/block_matrix.h"

namespace sinew::solve {

class SymmetricProduct {
 public:
  // Takes the values of a single-precision matrix; the pattern is read once.
  void take(const energy::BlockMatrix& matrix);
  // y = A x, returning x.y.
  double operator()(std::span<const math::Vec3d> x, std::span<math::Vec3d> y) const;
  int64_t bytes() const;

 private:
  struct Domain {
    int32_t begin, end;  // rows
    int32_t reach;       // one past the last row that it adds to
    int64_t buffer;      // where its part of the buffer begins
  };
  void read_pattern(const energy::BlockPattern& pattern);
  void add_domain(const Domain& domain, std::span<const math::Vec3d> x) const;

  std::vector<Domain> domains_;
  int32_t domain_rows_ = 0;
  std::vector<int64_t> begin_;  // blocks of each row, the diagonal first
  std::vector<int32_t> column_;
  std::vector<float> value_;  // by columns
  mutable std::vector<double> buffer_;
};

}  // namespace sinew::solve

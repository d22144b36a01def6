#pragma once
// Incomplete Cholesky factorisation without fill of a 3x3-block matrix: L has the blocks of A's lower triangle, and
// L L^T agrees with A there (Meijerink, van der Vorst: An Iterative Solution Method for Linear Systems of Which the
// Coefficient Matrix is a Symmetric M-Matrix, 1977). Where a pivot loses its definiteness the factorisation is tried
// again with the diagonal blocks raised (Manteuffel: An Incomplete Factorization Technique for Positive Definite
// Linear Systems, 1980).
//
// Rows are cut into fixed domains that factor and solve at the same time; couplings between domains are left out.
// L is stored in single precision, the arithmetic is double.
#include <cstdint>
#include <span>
#include <vector>

#include "energy/block_matrix.h"

namespace sinew::solve {

class IncompleteCholesky {
 public:
  void factor(const energy::BlockMatrix& matrix);
  // z = (L L^T)^-1 r
  void solve(std::span<const math::Vec3d> r, std::span<math::Vec3d> z) const;
  int64_t bytes() const;

 private:
  struct Domain {
    int32_t begin, end;
  };
  bool factor_domain(const energy::BlockMatrix& matrix, const Domain& domain, double shift);

  std::vector<Domain> domains_;
  std::vector<int64_t> begin_;  // lower blocks of each row, without the diagonal
  std::vector<int32_t> column_;
  std::vector<int64_t> slot_;       // where they stand in A
  std::vector<float> value_;        // by columns
  std::vector<math::Mat3d> pivot_;  // inverse of the lower triangular diagonal block
};

}  // namespace sinew::solve

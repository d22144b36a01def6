#pragma once
// Cholesky factorisation of eight symmetric block matrices of one pattern, one in each lane of packs. Every operation is
// vertical: a lane never sees another one, and its bits are those it would have alone.
//
// Blocks of 3x3, ordered by minimum degree; the pattern of the factor and the list of its block products are made once. The
// factor is computed column by column (left-looking): L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^-T, the sum in registers. A
// product reads 18 packs for 27 multiply-adds. Work: 54 flops a product and lane; memory: 576 bytes a block for eight.
//
//     LaneCholesky cholesky(pattern);   cholesky.set_zero();
//     cholesky.add(cholesky.place(row, column), block);  ...
//     const Mask definite = cholesky.factor();   cholesky.solve(q);
#include <cstdint>
#include <span>
#include <vector>

#include "energy/block_matrix.h"
#include "math/mat.h"
#include "math/pack.h"

namespace sinew::solve {

class LaneCholesky {
 public:
  using Pack = math::PackD;
  using Mask = math::MaskOf<Pack>;
  using Vector = math::Vec3<Pack>;
  using Block = math::Mat3<Pack>;

  explicit LaneCholesky(const energy::BlockPattern& pattern);

  // The place of a block of the pattern: only one of (row, column) and (column, row) is stored.
  struct Place {
    int32_t slot;
    bool transposed;  // what is stored is the block (column, row)
  };
  Place place(int32_t row, int32_t column) const;
  void set_zero();
  Block& at(int32_t slot) { return values_[slot]; }
  void add(const Place& place, const Block& block) {
    values_[place.slot] += place.transposed ? transpose(block) : block;
  }

  // In place. False in lanes whose matrix is not positive definite; what they hold then means nothing.
  Mask factor();
  // q <- A^-1 q, by rows of the matrix.
  void solve(std::span<Vector> q);

  int64_t products() const { return static_cast<int64_t>(products_.size()); }
  int64_t blocks() const { return static_cast<int64_t>(values_.size()); }
  // Of the factor of a pattern, without making it; stops counting above `most`.
  static int64_t count_products(const energy::BlockPattern& pattern, int64_t most);

 private:
  struct Product {
    int32_t a, b;  // slots of L_ik and L_jk
  };

  std::vector<int32_t> position_, row_of_;  // in the order of elimination, and back
  std::vector<int64_t> column_begin_;       // slots of a column; the first is the diagonal
  std::vector<int32_t> row_;                // of each slot, in the order of elimination
  std::vector<int64_t> product_begin_;      // of each slot
  std::vector<Product> products_;
  std::vector<Block> values_;
  std::vector<Vector> inverse_;  // of the diagonal of L, by column
  std::vector<Vector> work_;
};

}  // namespace sinew::solve

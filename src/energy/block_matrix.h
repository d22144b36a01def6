#pragma once
// A symmetric sparse matrix of 3x3 blocks, all blocks stored, rows ascending. Values are single or double
// precision: the single one halves the traffic of conjugate gradients, whose vectors stay double.
//
// Blocks are stored by columns, nine numbers each; block s belongs to row i for row_begin[i] <= s < row_begin[i+1].
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "math/mat.h"

namespace sinew::energy {

using math::Mat3d;
using math::Vec3d;

struct BlockPattern {
  std::vector<int64_t> row_begin{0};
  std::vector<int32_t> column;
  std::vector<int64_t> diagonal;  // slot of the diagonal block of each row

  int32_t rows() const { return static_cast<int32_t>(row_begin.size()) - 1; }
  int64_t blocks() const { return static_cast<int64_t>(column.size()); }
  int64_t slot(int32_t row, int32_t col) const;  // -1: not there
};

// Node lists of equal width (missing entries -1): every pair of nodes in one list is a block of the pattern.
struct Stencils {
  int width = 0;
  std::span<const int32_t> nodes;
};

BlockPattern make_pattern(std::span<const Stencils> stencils, std::span<const int32_t> block_of_node,
                          int32_t block_count);

enum class Precision { single, full };

class BlockMatrix {
 public:
  // Keeps its memory when the size is the same.
  void reset(std::shared_ptr<const BlockPattern> pattern, Precision precision);
  void set_zero();

  const BlockPattern& pattern() const { return *pattern_; }
  Precision precision() const { return precision_; }
  int32_t rows() const { return pattern_->rows(); }
  float* single() { return single_.data(); }
  const float* single() const { return single_.data(); }
  double* full() { return full_.data(); }
  const double* full() const { return full_.data(); }
  int64_t bytes() const;

  Mat3d block(int64_t slot) const;
  void add(int64_t slot, const Mat3d& block);
  void set(int64_t slot, const Mat3d& block);

  // y = A x
  void multiply(std::span<const Vec3d> x, std::span<Vec3d> y) const;
  // y = A x and the products x.y, in one pass.
  double multiply_dot(std::span<const Vec3d> x, std::span<Vec3d> y) const;

 private:
  std::shared_ptr<const BlockPattern> pattern_;
  Precision precision_ = Precision::full;
  std::vector<float> single_;
  std::vector<double> full_;
};

}  // namespace sinew::energy

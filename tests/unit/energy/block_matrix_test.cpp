#include "energy/block_matrix.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "math/random.h"
#include "unit/eigen.h"

namespace sinew::energy {
namespace {

// Stencils of widths 4 and 2 with gaps, over 20 nodes of which some have no block.
struct Sample {
  static constexpr int32_t node_count = 20;
  std::vector<int32_t> wide, narrow, block;
  int32_t block_count = 0;

  Sample() {
    const math::Random random(5);
    for (int k = 0; k < 4 * 12; ++k) wide.push_back(static_cast<int32_t>(random.bits(k) % node_count));
    for (int k = 0; k < 2 * 6; ++k) narrow.push_back(static_cast<int32_t>(random.bits(100 + k) % node_count));
    wide[5] = wide[14] = narrow[3] = -1;
    for (int32_t i = 0; i < node_count; ++i) block.push_back(i % 5 == 2 ? -1 : block_count++);
  }
  std::vector<Stencils> stencils() const { return {{4, wide}, {0, {}}, {2, narrow}}; }
  BlockPattern pattern() const { return make_pattern(stencils(), block, block_count); }
};

TEST(BlockPattern, HoldsEveryPairOfAStencilAndTheDiagonal) {
  const Sample sample;
  std::set<std::pair<int32_t, int32_t>> pairs;
  for (int32_t b = 0; b < sample.block_count; ++b) pairs.insert({b, b});
  for (const Stencils& list : sample.stencils())
    for (size_t e = 0; list.width && e < list.nodes.size() / list.width; ++e)
      for (int a = 0; a < list.width; ++a)
        for (int b = 0; b < list.width; ++b) {
          const int32_t i = list.nodes[e * list.width + a], j = list.nodes[e * list.width + b];
          if (i >= 0 && j >= 0 && sample.block[i] >= 0 && sample.block[j] >= 0)
            pairs.insert({sample.block[i], sample.block[j]});
        }
  const BlockPattern pattern = sample.pattern();
  ASSERT_EQ(pattern.rows(), sample.block_count);
  ASSERT_EQ(pattern.blocks(), static_cast<int64_t>(pairs.size()));
  int64_t slot = 0;
  for (const auto& [row, column] : pairs) {  // sorted by row, then column
    EXPECT_EQ(pattern.slot(row, column), slot);
    EXPECT_EQ(pattern.column[slot++], column);
  }
  for (int32_t b = 0; b < sample.block_count; ++b) EXPECT_EQ(pattern.diagonal[b], pattern.slot(b, b));
  for (int32_t row = 0; row < sample.block_count; ++row)
    for (int32_t column = 0; column < sample.block_count; ++column)
      if (!pairs.count({row, column})) {
        EXPECT_EQ(pattern.slot(row, column), -1);
      }
}

TEST(BlockPattern, OfNothingIsEmpty) {
  const BlockPattern pattern = make_pattern({}, {}, 0);
  EXPECT_EQ(pattern.rows(), 0);
  EXPECT_EQ(pattern.blocks(), 0);
}

class BlockMatrixTest : public testing::TestWithParam<Precision> {
 protected:
  const std::shared_ptr<const BlockPattern> pattern = std::make_shared<BlockPattern>(Sample().pattern());
  BlockMatrix matrix;
  Eigen::MatrixXd reference = Eigen::MatrixXd::Zero(3 * pattern->rows(), 3 * pattern->rows());

  void SetUp() override {
    matrix.reset(pattern, GetParam());
    for (int32_t row = 0; row < pattern->rows(); ++row)
      for (int64_t s = pattern->row_begin[row]; s < pattern->row_begin[row + 1]; ++s) {
        Mat3d a, b;
        for (int k = 0; k < 9; ++k) {
          // Halves and quarters: exact in single precision.
          a(k % 3, k / 3) = static_cast<double>(math::Random(1).bits(9 * s + k) % 64) / 4;
          b(k % 3, k / 3) = static_cast<double>(math::Random(2).bits(9 * s + k) % 64) / 2;
          reference(3 * row + k % 3, 3 * pattern->column[s] + k / 3) = a(k % 3, k / 3) + b(k % 3, k / 3);
        }
        matrix.set(s, a);
        matrix.add(s, b);
      }
  }
};

INSTANTIATE_TEST_SUITE_P(Precisions, BlockMatrixTest, testing::Values(Precision::single, Precision::full));

TEST_P(BlockMatrixTest, MultipliesLikeTheDenseMatrix) {
  const int32_t n = matrix.rows();
  std::vector<Vec3d> x(n), y(n), z(n);
  Eigen::VectorXd v(3 * n);
  for (int32_t i = 0; i < 3 * n; ++i) x[i / 3][i % 3] = v[i] = math::Random(3).normal(i);
  matrix.multiply(x, y);
  const double product = matrix.multiply_dot(x, z);
  const Eigen::VectorXd w = reference * v;
  EXPECT_NEAR(product, v.dot(w), 1e-12 * v.norm() * w.norm());
  for (int32_t i = 0; i < 3 * n; ++i) {
    EXPECT_NEAR(y[i / 3][i % 3], w[i], 1e-13 * w.norm());
    EXPECT_EQ(y[i / 3][i % 3], z[i / 3][i % 3]);
  }
}

TEST_P(BlockMatrixTest, ResetAndZeroClearIt) {
  matrix.set_zero();
  for (int64_t s = 0; s < pattern->blocks(); ++s) EXPECT_EQ(contract(matrix.block(s), matrix.block(s)), 0);
  matrix.set(3, Mat3d::identity());
  matrix.reset(pattern, GetParam());
  EXPECT_EQ(contract(matrix.block(3), matrix.block(3)), 0);
  EXPECT_GT(matrix.bytes(), pattern->blocks() * 9 * 4);
}

}  // namespace
}  // namespace sinew::energy

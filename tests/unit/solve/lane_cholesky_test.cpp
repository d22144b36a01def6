#include "solve/lane_cholesky.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using Pack = LaneCholesky::Pack;
constexpr int lanes = math::lanes_of<Pack>;

// Random symmetric matrices on the pattern of a block of tets, one for each lane, dense and in lanes.
struct Matrices {
  System system;
  const energy::BlockPattern& pattern;
  int n;
  std::vector<Eigen::MatrixXd> dense;
  LaneCholesky cholesky;

  explicit Matrices(const model::Model& model)
      : system(model), pattern(*system.pattern()), n(3 * pattern.rows()), cholesky(pattern) {
    for (int l = 0; l < lanes; ++l) dense.push_back(Eigen::MatrixXd::Zero(n, n));
    const math::Random random(11);
    uint64_t k = 0;
    for (int32_t i = 0; i < pattern.rows(); ++i)
      for (int64_t s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s)
        for (int a = 0; a < 9; ++a)
          for (int l = 0; l < lanes; ++l) {
            const int row = 3 * i + a % 3, column = 3 * pattern.column[s] + a / 3;
            const double value = random.uniform(k++, -1, 1);
            dense[l](row, column) += value;
            dense[l](column, row) += value;
          }
    for (int l = 0; l < lanes; ++l) dense[l].diagonal().array() += 40 + l;
  }

  void fill() {
    cholesky.set_zero();
    for (int32_t i = 0; i < pattern.rows(); ++i)
      for (int64_t s = pattern.row_begin[i]; s < pattern.row_begin[i + 1]; ++s) {
        const auto place = cholesky.place(i, pattern.column[s]);
        if (place.transposed) continue;
        LaneCholesky::Block block;
        for (int a = 0; a < 9; ++a)
          block.c[a / 3].v[a % 3] =
              Pack::generate([&](int l) { return dense[l](3 * i + a % 3, 3 * pattern.column[s] + a / 3); });
        cholesky.add(place, block);
      }
  }
};

TEST(LaneCholesky, SolvesEveryLane) {
  const model::Model model = sample::held_block({.cells = {5, 3, 3}});
  Matrices m(model);
  m.fill();
  EXPECT_TRUE(all(m.cholesky.factor()));
  EXPECT_EQ(m.cholesky.products(), LaneCholesky::count_products(m.pattern, 1 << 30));
  EXPECT_GT(LaneCholesky::count_products(m.pattern, 10), 10);
  std::vector<LaneCholesky::Vector> q(m.pattern.rows());
  const math::Random random(5);
  for (size_t b = 0; b < q.size(); ++b)
    for (int k = 0; k < 3; ++k)
      q[b][k] = Pack::generate([&](int l) { return random.uniform(8 * (3 * b + k) + l, -1, 1); });
  const auto rhs = q;
  m.cholesky.solve(q);
  for (int l = 0; l < lanes; ++l) {
    Eigen::VectorXd b(m.n), x(m.n);
    for (int i = 0; i < m.n; ++i) b[i] = rhs[i / 3][i % 3][l], x[i] = q[i / 3][i % 3][l];
    EXPECT_LT((m.dense[l] * x - b).norm(), 1e-12 * b.norm()) << l;
    EXPECT_LT((m.dense[l].ldlt().solve(b) - x).norm(), 1e-12 * x.norm()) << l;
  }
}

TEST(LaneCholesky, TellsWhichLanesAreNotDefinite) {
  const model::Model model = sample::held_block({.cells = {3, 2, 2}});
  Matrices m(model);
  m.dense[2](7, 7) = -1;
  m.dense[5].diagonal().setConstant(0.1);
  m.fill();
  const auto definite = m.cholesky.factor();
  for (int l = 0; l < lanes; ++l) EXPECT_EQ(definite[l], l != 2 && l != 5) << l;
}

}  // namespace
}  // namespace sinew::solve

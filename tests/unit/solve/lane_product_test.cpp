// Products for columns in lanes against those of a column alone.
#include "solve/lane_product.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
constexpr int lanes = Lanes::count;

struct Columns {
  System system;
  energy::BlockMatrix single, full;
  SymmetricProductOf<float> product;
  SymmetricProductOf<double> exact;
  std::vector<std::vector<Vec3d>> column;
  std::vector<LaneVec3> x;

  explicit Columns(const model::Model& model) : system(model) {
    single.reset(system.pattern(), energy::Precision::single);
    full.reset(system.pattern(), energy::Precision::full);
    system.assemble(model.X, Hessian::exact, single);
    system.assemble(model.X, Hessian::exact, full);
    product.take(single);
    exact.take(full);
    x.resize(single.rows());
    for (int l = 0; l < lanes; ++l) {
      column.push_back(random_vectors(l + 1, x.size()));
      for (size_t i = 0; i < x.size(); ++i)
        for (int k = 0; k < 3; ++k) {
          const auto value = static_cast<float>(column[l][i][k]);
          column[l][i][k] = value;
          x[i][k].set(l, value);
        }
    }
  }
  // The largest difference of any lane from the product of its column, over the largest entry of that.
  template <class Sum, class Value>
  double error(const SymmetricProductOf<Value>& A) {
    LaneProduct<Sum> lane_product;
    std::vector<math::Vec3<Sum>> y(x.size());
    std::vector<int> calls(x.size(), 0);
    lane_product.for_each_row(A, x, [&](int64_t part, int64_t i, const math::Vec3<Sum>& Ax) {
      EXPECT_LT(part, lane_product.parts());
      ++calls[i];
      y[i] = Ax;
    });
    for (int called : calls) EXPECT_EQ(called, 1);
    double worst = 0;
    for (int l = 0; l < lanes; ++l) {
      std::vector<Vec3d> expected(x.size());
      A(column[l], expected);
      double difference = 0, size = 0;
      for (size_t i = 0; i < x.size(); ++i)
        for (int k = 0; k < 3; ++k) {
          difference = std::max(difference, std::abs(y[i][k][l] - expected[i][k]));
          size = std::max(size, std::abs(expected[i][k]));
        }
      worst = std::max(worst, difference / size);
    }
    return worst;
  }
};

TEST(LaneProduct, IsTheProductOfEachColumn) {
  // One domain, several, and several of a wide band.
  for (const std::array<int32_t, 3>& cells : {std::array{3, 2, 2}, {60, 8, 8}, {10, 20, 20}}) {
    const model::Model model = held_block({.cells = cells, .jitter = 0.1, .hold_right = false});
    Columns columns(model);
    EXPECT_LE((columns.error<Lanes>(columns.product)), 2e-6);
    EXPECT_LE((columns.error<WideLanes>(columns.product)), 1e-14);
    EXPECT_LE((columns.error<WideLanes>(columns.exact)), 1e-14);
  }
}

TEST(LaneProduct, MayChangeWhatItMultiplies) {
  const model::Model model = held_block({.cells = {60, 8, 8}, .hold_right = false});
  Columns columns(model);
  LaneProduct<Lanes> product;
  std::vector<LaneVec3> expected(columns.x.size()), x = columns.x;
  product.for_each_row(columns.product, columns.x,
                       [&](int64_t, int64_t i, const LaneVec3& Ax) { expected[i] = columns.x[i] - Ax; });
  for (int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    std::vector<LaneVec3> changed = columns.x;
    product.for_each_row(columns.product, changed,
                         [&](int64_t, int64_t i, const LaneVec3& Ax) { changed[i] -= Ax; });
    for (size_t i = 0; i < x.size(); ++i)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < lanes; ++l) ASSERT_EQ(changed[i][k][l], expected[i][k][l]) << i;
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::solve

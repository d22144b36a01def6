#include "solve/symmetric_product.h"

#include <cstring>
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "solve/system.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

// A block with more rows than a domain, so that domains overlap.
struct Case {
  model::Model model = held_block({.cells = {16, 12, 12}});
  System system{model};
  energy::BlockMatrix matrix;

  Case() {
    auto x = model.X;
    for (Vec3d& p : x) p = {1.1 * p[0] + 0.05 * p[1] * p[2], p[1], p[2]};
    matrix.reset(system.pattern(), energy::Precision::single);
    system.assemble(x, Hessian::exact, matrix);
  }
};

TEST(SymmetricProduct, IsTheProductOfTheWholeMatrix) {
  const Case c;
  SymmetricProduct product;
  product.take(c.matrix);
  const auto n = static_cast<size_t>(c.matrix.rows());
  ASSERT_GT(n, 2000u);
  const std::vector<Vec3d> x = random_vectors(3, n);
  std::vector<Vec3d> y(n), whole(n);
  const double xy = product(x, y), expected = c.matrix.multiply_dot(x, whole);
  double largest = 0;
  for (const Vec3d& v : whole) largest = std::max(largest, norm(v));
  // Assembled in single precision, A_ij and A_ji^T agree to its rounding.
  for (size_t i = 0; i < n; ++i) EXPECT_LE(norm(y[i] - whole[i]), 1e-6 * largest) << i;
  EXPECT_NEAR(xy, expected, 1e-6 * std::abs(expected));
}

TEST(SymmetricProduct, IsSymmetric) {
  const Case c;
  SymmetricProduct product;
  product.take(c.matrix);
  const auto n = static_cast<size_t>(c.matrix.rows());
  const std::vector<Vec3d> a = random_vectors(5, n), b = random_vectors(6, n);
  std::vector<Vec3d> Aa(n), Ab(n);
  product(a, Aa);
  product(b, Ab);
  double bAa = 0, aAb = 0, size = 0;
  for (size_t i = 0; i < n; ++i) {
    bAa += dot(b[i], Aa[i]);
    aAb += dot(a[i], Ab[i]);
    size += norm(b[i]) * norm(Aa[i]);
  }
  EXPECT_NEAR(bAa, aAb, 1e-13 * size);
}

TEST(SymmetricProduct, GivesTheSameBitsForAnyThreadCount) {
  const Case c;
  SymmetricProduct product;
  product.take(c.matrix);
  const auto n = static_cast<size_t>(c.matrix.rows());
  const std::vector<Vec3d> x = random_vectors(7, n);
  std::vector<Vec3d> first(n), y(n);
  set_thread_count(1);
  const double xy = product(x, first);
  for (int threads : {2, 3, 5, 8}) {
    set_thread_count(threads);
    EXPECT_EQ(product(x, y), xy);
    EXPECT_EQ(std::memcmp(y.data(), first.data(), n * sizeof(Vec3d)), 0);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace sinew::solve

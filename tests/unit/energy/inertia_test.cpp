// Inertia of a time step: Newton's second law in closed form, and all ways to its second derivatives.
#include "energy/inertia.h"

#include <gtest/gtest.h>

#include "unit/energy/sample.h"

namespace sinew::energy {
namespace {

using namespace sinew::sample;

constexpr double h = 0.02;  // [s]
const std::vector<double> mass = {2, 0.5, 7};

struct Moving {
  std::vector<Vec3d> x = random_vectors(1, 3), v = random_vectors(2, 3);
  Inertia inertia;

  Moving() {
    std::vector<double> weight;
    std::vector<Vec3d> target;
    for (size_t i = 0; i < mass.size(); ++i) {
      weight.push_back(mass[i] / (h * h));
      target.push_back(x[i] + v[i] * h);
    }
    inertia.set(weight, target);
  }
};

TEST(Inertia, ItsGradientIsMassTimesAcceleration) {
  const Moving moving;
  for (size_t i = 0; i < mass.size(); ++i) {
    const Vec3d faster = moving.v[i] + Vec3d{0.3, -0.1, 0.7}, end = moving.x[i] + faster * h;
    Vec3d gradient = {1, 2, 3};  // what is there stays
    moving.inertia.add(i, end, gradient);
    EXPECT_LT(norm(gradient - Vec3d{1, 2, 3} - (faster - moving.v[i]) * (mass[i] / h)), 1e-10);
  }
}

// Backward Euler of a free fall: x = x_n + h v_n + h^2 g is where inertia and weight balance.
TEST(Inertia, AFreeFallEndsWhereItBalancesTheWeight) {
  const Moving moving;
  const Vec3d g = {0, -9.81, 0};
  for (size_t i = 0; i < mass.size(); ++i) {
    Vec3d gradient = g * -mass[i];
    moving.inertia.add(i, moving.x[i] + moving.v[i] * h + g * (h * h), gradient);
    EXPECT_LT(norm(gradient), 1e-10);
  }
}

TEST(Inertia, TheEnergyOfAMoveAwayFromTheTargetIsThatOfASpring) {
  const Moving moving;
  Vec3d unused = {0, 0, 0};
  EXPECT_NEAR(moving.inertia.add(1, moving.inertia.target()[1], unused), 0, 1e-20);
  EXPECT_NEAR(moving.inertia.add(1, moving.inertia.target()[1] + Vec3d{0, 0.01, 0}, unused),
              0.5 * mass[1] / (h * h) * 1e-4, 1e-10);
}

TEST(Inertia, AssembledAppliedAndDiagonalAgree) {
  const Moving moving;
  const std::vector<Vec3d> d = random_vectors(3, 3);
  std::vector<Vec3d> out(3, Vec3d{0, 0, 0});
  std::vector<Mat3d> blocks(3, Mat3d::zero());
  moving.inertia.apply(d, out);
  moving.inertia.diagonal(blocks);
  // Node 1 is held; the others are blocks in reverse order.
  const std::vector<int32_t> block_of_node = {1, -1, 0}, node_of_block = {2, 0}, pairs = {0, 2};
  const Stencils stencils[] = {{2, pairs}};
  BlockMatrix matrix;
  matrix.reset(std::make_shared<BlockPattern>(make_pattern(stencils, block_of_node, 2)), Precision::full);
  matrix.set_zero();
  moving.inertia.assemble(node_of_block, matrix);
  for (int32_t i = 0; i < 3; ++i) {
    EXPECT_LT(norm(out[i] - d[i] * (mass[i] / (h * h))), 1e-10);
    EXPECT_LT(norm(blocks[i] * d[i] - out[i]), 1e-10);
  }
  for (int32_t b = 0; b < 2; ++b) {
    const Mat3d error = matrix.block(matrix.pattern().diagonal[b]) - blocks[node_of_block[b]];
    EXPECT_EQ(contract(error, error), 0);
  }
}

TEST(Inertia, WithoutWeightsItDoesNothing) {
  Moving moving;
  moving.inertia.set({}, {});
  EXPECT_FALSE(moving.inertia.active());
  const std::vector<Vec3d> d = random_vectors(3, 3);
  std::vector<Vec3d> out(3, Vec3d{0, 0, 0});
  moving.inertia.apply(d, out);
  for (const Vec3d& each : out) EXPECT_EQ(norm(each), 0);
}

}  // namespace
}  // namespace sinew::energy

#include "solve/rotation_warp.h"

#include <cmath>
#include <gtest/gtest.h>

#include "math/rotation.h"
#include "solve/system.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

// A block that nothing holds, and the field d = w x (X - c) that turns it as a linear problem does.
struct Turning {
  explicit Turning(const Vec3d& w) {
    const int body = add_block(model, {.cells = {4, 2, 2}, .size = {2, 1, 1}, .jitter = 0.1});
    add_set(model, body, *material::find_law("corotated"), 1e5, 0.3);
    for (const Vec3d& X : model.X) centre += X * (1 / static_cast<double>(model.X.size()));
    for (const Vec3d& X : model.X) d.push_back(cross(w, X - centre));
    trial = model.X;
    for (size_t i = 0; i < trial.size(); ++i) trial[i] += d[i];
  }
  model::Model model;
  Vec3d centre = {0, 0, 0};
  std::vector<Vec3d> d, trial;
};

TEST(RotationWarp, TurnsRigidlyWhatALinearProblemTurns) {
  const Vec3d w = {0.4, -1, 0.8};
  Turning block(w);
  const System system(block.model);
  ASSERT_TRUE(RotationWarp(system).apply(block.model.X, block.d, block.trial));
  // Distances are kept, and the angle is that of Cayley's rotation.
  double worst = 0;
  for (size_t i = 0; i < block.trial.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      worst = std::max(
          worst, std::abs(norm(block.trial[i] - block.trial[j]) - norm(block.model.X[i] - block.model.X[j])));
  EXPECT_LT(worst, 0.06);
  Vec3d centre = {0, 0, 0};
  for (const Vec3d& x : block.trial) centre += x * (1 / static_cast<double>(block.trial.size()));
  const Vec3d turned = normalized(w) * (2 * std::atan(norm(w) / 2));
  for (size_t i = 0; i < block.trial.size(); ++i)
    EXPECT_LT(norm(block.trial[i] - centre - math::turn(turned, block.model.X[i] - block.centre) -
                   (block.model.X[i] - block.centre)),
              0.06);
}

TEST(RotationWarp, LeavesSmallTurnsAlone) {
  Turning block({0, 0.1, 0});
  const std::vector<Vec3d> before = block.trial;
  const System system(block.model);
  EXPECT_FALSE(RotationWarp(system).apply(block.model.X, block.d, block.trial));
  EXPECT_EQ(distance(before, block.trial), 0);
}

}  // namespace
}  // namespace sinew::solve

#include "model/dof_map.h"

#include <cmath>
#include <gtest/gtest.h>

#include "math/random.h"
#include "unit/eigen.h"

namespace sinew::model {
namespace {

using math::Random;

Vec3d random_vector(const Random& random, uint64_t i) {
  return {random.uniform(3 * i, -1, 1), random.uniform(3 * i + 1, -1, 1), random.uniform(3 * i + 2, -1, 1)};
}

Vec3d random_unit(const Random& random, uint64_t i) { return normalized(random_vector(random, i)); }

// Twelve nodes; attachments of every kind that move in frames of their own.
struct Sample {
  Model model;
  std::vector<double> inputs;

  explicit Sample(uint64_t seed) {
    const Random random(seed);
    for (uint64_t i = 0; i < 12; ++i) model.X.push_back(random_vector(random, i));
    add("floor", Hold::plane, {0, 1, 2, 3}, random_unit(random, 20));
    add("wall", Hold::plane, {2, 3, 4}, random_unit(random, 21));
    add("ceiling", Hold::plane, {3, 9}, random_unit(random, 22));
    add("rail", Hold::line, {5, 6}, random_unit(random, 23));
    add("bone", Hold::rigid, {7, 8}, {0, 0, 1});
    add("other bone", Hold::rigid, {8}, {0, 0, 1});  // the first keeps the node
    add("again", Hold::plane, {9}, model.attachments[2].direction);
    model.attachments.back().pose = model.attachments[2].pose;  // the same plane twice: one constraint
    inputs.resize(model.inputs.size());
    model.inputs.evaluate(0.6, inputs);
  }

  void add(const char* name, Hold hold, std::vector<int32_t> nodes, const Vec3d& direction) {
    const Random random = Random(77).stream(model.attachments.size());
    const PoseKey start{.time = 0};
    const PoseKey end{.time = 1,
                      .translate = random_vector(random, 0),
                      .axis = random_unit(random, 1),
                      .angle = random.uniform(9, -3, 3),
                      .about = random_vector(random, 2)};
    const int pose = model.inputs.add_pose(name, {start, end});
    model.attachments.push_back({name, hold, std::move(nodes), direction, pose});
  }
};

double inner(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double s = 0;
  for (size_t i = 0; i < a.size(); ++i) s += dot(a[i], b[i]);
  return s;
}

class DofMapTest : public testing::TestWithParam<uint64_t> {
 protected:
  DofMapTest() { map.set_targets(sample.inputs); }
  const Sample sample{GetParam()};
  const Model& model = sample.model;
  DofMap map{model};

  std::vector<Vec3d> positions(uint64_t seed) const {
    std::vector<Vec3d> x;
    for (uint64_t i = 0; i < model.X.size(); ++i) x.push_back(random_vector(Random(seed), i) * 2.0);
    return x;
  }
  Vec3d at_frame(int attachment, int32_t node) const {
    return pose_at(sample.inputs, model.attachments[attachment].pose)(model.X[node]);
  }
  Vec3d direction(int attachment) const {
    return pose_at(sample.inputs, model.attachments[attachment].pose).A *
           model.attachments[attachment].direction;
  }
};

INSTANTIATE_TEST_SUITE_P(Seeds, DofMapTest, testing::Values(1, 2, 3, 4, 5));

TEST_P(DofMapTest, BlocksAreTheNodesThatAreNotRigid) {
  EXPECT_EQ(map.block_count(), 10);
  EXPECT_EQ(map.block_of_node()[7], -1);
  EXPECT_EQ(map.block_of_node()[8], -1);
  for (int32_t b = 0; b < map.block_count(); ++b) EXPECT_EQ(map.block_of_node()[map.node_of_block()[b]], b);
}

TEST_P(DofMapTest, RetractSatisfiesEveryConstraint) {
  std::vector<Vec3d> x = positions(3);
  const std::vector<Vec3d> before = x;
  map.retract(x);
  for (size_t a = 0; a < model.attachments.size(); ++a) {
    const Attachment& attachment = model.attachments[a];
    if (attachment.name == "other bone") continue;
    for (int32_t node : attachment.nodes) {
      const Vec3d off = x[node] - at_frame(static_cast<int>(a), node), n = direction(static_cast<int>(a));
      switch (attachment.hold) {
        case Hold::rigid:
          EXPECT_LE(norm(off), 1e-13) << attachment.name;
          break;
        case Hold::plane:
          EXPECT_NEAR(dot(off, n), 0, 1e-11) << attachment.name;
          break;
        case Hold::line:
          EXPECT_LE(norm(cross(off, n)), 1e-13) << attachment.name;
          break;
      }
    }
  }
  for (int32_t node : {10, 11}) EXPECT_EQ(norm(x[node] - before[node]), 0);
  // What is not held stays where it was: nearest point of the plane, of the line.
  EXPECT_LE(norm(cross(x[0] - before[0], direction(0))), 1e-13);
  EXPECT_NEAR(dot(x[5] - before[5], direction(3)), 0, 1e-13);
  // Two planes leave a line, three a point.
  EXPECT_NEAR(dot(x[2] - before[2], cross(direction(0), direction(1))), 0, 1e-12);
  std::vector<Vec3d> again = x;
  map.retract(again);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_LE(norm(again[i] - x[i]), 1e-12);
}

TEST_P(DofMapTest, ThreePlanesMeetWhereTheLinearSystemSays) {
  std::vector<Vec3d> x = positions(4);
  map.retract(x);
  Eigen::Matrix3d N;
  Eigen::Vector3d value;
  for (int a = 0; a < 3; ++a) {
    const Vec3d n = direction(a);
    N.row(a) << n[0], n[1], n[2];
    value[a] = dot(n, at_frame(a, 3));
  }
  const Eigen::Vector3d p = N.fullPivLu().solve(value);
  EXPECT_LE(norm(x[3] - Vec3d{p[0], p[1], p[2]}), 1e-10 * (1 + p.norm()));
}

TEST_P(DofMapTest, PullIsTheTransposeOfPush) {
  std::vector<Vec3d> q, pulled(map.block_count()), pushed(model.X.size());
  for (int32_t b = 0; b < map.block_count(); ++b) q.push_back(random_vector(Random(8), b));
  const std::vector<Vec3d> g = positions(9);
  map.pull(g, pulled);
  map.push(q, pushed);
  EXPECT_NEAR(inner(q, pulled), inner(pushed, g), 1e-12);
  // P is a projector: pushing what was pulled from a push changes nothing.
  std::vector<Vec3d> once(map.block_count()), twice(model.X.size());
  map.pull(pushed, once);
  map.push(once, twice);
  for (size_t i = 0; i < pushed.size(); ++i) EXPECT_LE(norm(twice[i] - pushed[i]), 1e-13);
}

// Moving along a pushed direction keeps the constraints.
TEST_P(DofMapTest, PushedDirectionsAreFree) {
  std::vector<Vec3d> x = positions(5), q, d(model.X.size());
  map.retract(x);
  for (int32_t b = 0; b < map.block_count(); ++b) q.push_back(random_vector(Random(6), b));
  map.push(q, d);
  for (size_t i = 0; i < x.size(); ++i) x[i] += d[i];
  std::vector<Vec3d> held = x;
  map.retract(held);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_LE(norm(held[i] - x[i]), 1e-11);
  EXPECT_EQ(norm(d[7]) + norm(d[8]), 0);
  EXPECT_LE(norm(d[3]), 1e-11);
}

TEST_P(DofMapTest, KeepsTheGivenOrder) {
  std::vector<int32_t> order;
  for (int32_t i = 11; i >= 0; --i) order.push_back(i);
  DofMap reversed(model, order);
  reversed.set_targets(sample.inputs);
  EXPECT_EQ(reversed.node_of_block().front(), 11);
  EXPECT_EQ(reversed.node_of_block().back(), 0);
  std::vector<Vec3d> a = positions(2), b = positions(2);
  map.retract(a);
  reversed.retract(b);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(norm(a[i] - b[i]), 0);
}

TEST(DofMap, WithoutAttachmentsEverythingIsFree) {
  Model model;
  model.X = {{0, 0, 0}, {1, 0, 0}};
  DofMap map(model);
  map.set_targets({});
  EXPECT_EQ(map.block_count(), 2);
  EXPECT_TRUE(map.partials().empty());
}

}  // namespace
}  // namespace sinew::model

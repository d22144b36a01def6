#include "model/dof_map.h"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>

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

// Without carried nodes a step is x + alpha d, bit for bit.
TEST_P(DofMapTest, AdvanceAddsTheStep) {
  const std::vector<Vec3d> x = positions(11), d = positions(12);
  std::vector<Vec3d> out(x.size());
  map.advance(x, d, 0.25, out);
  for (size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(out[i][k], x[i][k] + d[i][k] * 0.25);
}

TEST_P(DofMapTest, PartOfAWayIsTakenNodeByNode) {
  const std::vector<Vec3d> x0 = positions(11), x1 = positions(12);
  std::vector<double> share(x0.size(), 1.0);
  share[10] = 0.5, share[11] = 0;
  share[7] = 0.5;  // a held node is where it is held
  std::vector<Vec3d> out(x0.size());
  map.part_way(x0, x1, share, out);
  EXPECT_LT(norm(out[10] - (x0[10] + x1[10]) * 0.5), 1e-15);
  EXPECT_EQ(norm(out[11] - x0[11]), 0);
  for (int32_t i = 0; i < 10; ++i) EXPECT_EQ(norm(out[i] - x1[i]), 0);
}

// Four more nodes make a rigid part; others hang on a plane, a held node, a free one, the rigid part, and on each other.
class CarriedTest : public testing::TestWithParam<uint64_t> {
 protected:
  CarriedTest() {
    const Random random(GetParam() + 50);
    for (uint64_t i = 0; i < 8; ++i) sample.model.X.push_back(random_vector(random, i));
    map = std::make_unique<DofMap>(sample.model);
    map->set_targets(sample.inputs);
    for (uint64_t i = 0; i < 20; ++i) x.push_back(random_vector(random, 10 + i) * 2.0);
    carried.rigid_parts = {{{12, 13, 14, 15}, {1, 2, 3, 4}}};
    carried.bindings = {{16, {{0, 0.5}, {7, 0.25}, {10, 0.25}}},  // plane, held, free
                        {17, {{12, 0.5}, {14, 0.5}}},             // the rigid part alone
                        {18, {{16, 0.5}, {17, 0.25}, {11, 0.25}}},
                        {19, {{12, 0.5}, {10, 0.5}}}};
    map->set_carried(carried, x);
    map->retract(x);
  }
  std::vector<Vec3d> random_vectors(uint64_t seed, size_t count) const {
    std::vector<Vec3d> list;
    for (size_t i = 0; i < count; ++i) list.push_back(random_vector(Random(seed), i));
    return list;
  }
  std::vector<Vec3d> pushed(std::span<const Vec3d> q) const {
    std::vector<Vec3d> d(x.size());
    map->push(x, q, d);
    return d;
  }

  Sample sample{GetParam()};
  Carried carried;
  std::unique_ptr<DofMap> map;
  std::vector<Vec3d> x;
};

INSTANTIATE_TEST_SUITE_P(Seeds, CarriedTest, testing::Values(1, 2, 3));

TEST_P(CarriedTest, UnknownsAreThoseOfSingleNodesThenThoseOfFrames) {
  EXPECT_TRUE(map->carries());
  EXPECT_EQ(map->block_count(), 18);  // all but the held ones, as before
  EXPECT_EQ(map->own_count(), 10);
  EXPECT_EQ(map->unknown_count(), 12);
  for (int32_t u = 0; u < 10; ++u) EXPECT_EQ(map->unknown_of_node()[map->node_of_unknown(u)], u);
  EXPECT_EQ(map->node_of_unknown(10), 12);
  EXPECT_EQ(map->node_of_unknown(11), 12);
  for (int32_t node : {7, 8, 12, 15, 16, 19}) EXPECT_EQ(map->unknown_of_node()[node], -1);
  map->set_carried({}, x);
  EXPECT_FALSE(map->carries());
  EXPECT_EQ(map->unknown_count(), 18);
}

TEST_P(CarriedTest, PullIsTheTransposeOfPush) {
  const std::vector<Vec3d> q = random_vectors(1, map->unknown_count()), g = random_vectors(2, x.size());
  std::vector<Vec3d> pulled(q.size());
  map->pull(x, g, pulled);
  EXPECT_NEAR(inner(q, pulled), inner(pushed(q), g), 1e-12);
}

TEST_P(CarriedTest, PushIsTheDerivativeOfAdvance) {
  const std::vector<Vec3d> d = pushed(random_vectors(1, map->unknown_count()));
  std::vector<Vec3d> plus(x.size()), minus(x.size());
  const double s = 1e-5;
  map->advance(x, d, s, plus);
  map->advance(x, d, -s, minus);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_LT(norm((plus[i] - minus[i]) * (0.5 / s) - d[i]), 1e-9) << i;
}

// A step that moves the held nodes as well ends on the constraints.
TEST_P(CarriedTest, AdvanceKeepsTheConstraints) {
  std::vector<Vec3d> d = pushed(random_vectors(1, map->unknown_count())), y(x.size());
  for (int32_t node : {7, 8}) d[node] = random_vector(Random(3), node);
  map->advance(x, d, 0.8, y);
  for (int32_t i = 12; i < 16; ++i)
    for (int32_t j = 12; j < i; ++j) EXPECT_NEAR(norm(y[i] - y[j]), norm(x[i] - x[j]), 1e-14);
  EXPECT_LT(norm(y[7] - x[7] - d[7] * 0.8), 1e-15);
  EXPECT_LT(norm(y[16] - (y[0] * 0.5 + y[7] * 0.25 + y[10] * 0.25)), 1e-15);
  EXPECT_LT(norm(y[18] - (y[16] * 0.5 + y[17] * 0.25 + y[11] * 0.25)), 1e-14);
}

TEST_P(CarriedTest, RetractIsExactWhenRepeated) {
  std::vector<Vec3d> again = x;
  map->retract(again);
  for (int32_t i : {7, 8, 10, 11, 12, 13, 14, 15, 17, 19}) EXPECT_EQ(norm(again[i] - x[i]), 0) << i;
}

TEST_P(CarriedTest, RowsAreTheColumnsOfPush) {
  const DofMap::Rows A = map->rows(x);
  for (int32_t c = 0; c < 3 * map->unknown_count(); ++c) {
    std::vector<Vec3d> q(map->unknown_count(), Vec3d{0, 0, 0});
    q[c / 3][c % 3] = 1;
    const std::vector<Vec3d> d = pushed(q);
    for (int32_t node = 0; node < 20; ++node) {
      Vec3d sum = {0, 0, 0};
      for (const auto& [unknown, coefficient] : A[node])
        if (unknown == c / 3) sum += coefficient.col(c % 3);
      EXPECT_LT(norm(sum - d[node]), 1e-14);
    }
  }
  // Equal unknowns of several parents are one: node 17 has those of its frame, 18 also 0, 10 and 11.
  EXPECT_EQ(A[17].size(), 2u);
  EXPECT_EQ(A[18].size(), 5u);
  EXPECT_EQ(A[7].size(), 0u);
}

// Forces on free and carried nodes together: a translation of everything sees their sum, a turn their torque.
TEST_P(CarriedTest, PulledForcesKeepMomentum) {
  Model model;
  model.X.assign(8, Vec3d{0, 0, 0});
  DofMap alone(model);
  const std::vector<Vec3d> y = random_vectors(4, 8), g = random_vectors(5, 8);
  Carried all;
  all.rigid_parts = {{{0, 1, 2, 3}, {}}};
  all.bindings = {{6, {{0, 0.5}, {4, 0.5}}}, {7, {{6, 0.3}, {5, 0.7}}}};
  alone.set_carried(all, y);
  std::vector<Vec3d> at = y, q(alone.unknown_count());
  alone.retract(at);
  alone.pull(at, g, q);
  Vec3d force = {0, 0, 0}, torque = {0, 0, 0}, pulled_force = {0, 0, 0}, pulled_torque = {0, 0, 0};
  for (int i = 0; i < 8; ++i) {
    force += g[i];
    torque += cross(at[i], g[i]);
  }
  for (int i = 0; i < 2; ++i) {
    pulled_force += q[i];
    pulled_torque += cross(at[4 + i], q[i]);
  }
  pulled_force += q[2];
  pulled_torque += cross(alone.frames().centres(at)[0], q[2]) + q[3] * alone.frames().length(0);
  EXPECT_LT(norm(force - pulled_force), 1e-14);
  EXPECT_LT(norm(torque - pulled_torque), 1e-14);
}

// Bound nodes hang on the frame, so their forces bend it too.
TEST_P(CarriedTest, CurvatureIsTheSecondDifferenceOfTheEnergy) {
  const std::vector<Vec3d> g = random_vectors(2, x.size()), q = random_vectors(3, map->unknown_count());
  const std::vector<Vec3d> d = pushed(q);
  const auto energy = [&](double s) {
    std::vector<Vec3d> y(x.size());
    map->advance(x, d, s, y);
    for (size_t i = 0; i < x.size(); ++i) y[i] -= x[i];
    return inner(g, y);
  };
  const double s = 1e-4, second = (energy(s) + energy(-s)) / (s * s);
  EXPECT_NEAR(second, dot(q[11], map->curvature(x, g)[0] * q[11]), 1e-6);
}

TEST_P(CarriedTest, AGroupTakesTheLeastShare) {
  std::vector<Vec3d> x1 = x, out(x.size());
  const std::vector<Vec3d> d = pushed(random_vectors(6, map->unknown_count()));
  map->advance(x, d, 1, x1);
  std::vector<double> share(x.size(), 1.0);
  share[18] = 0.5;  // hangs on 0, 7, 10, 11 and the rigid part, and 16, 17 and 19 on some of these
  map->part_way(x, x1, share, out);
  for (int32_t i : {1, 2, 3, 4, 5, 6, 7, 8, 9}) EXPECT_EQ(norm(out[i] - x1[i]), 0) << i;
  for (int32_t i : {0, 10, 11}) EXPECT_LT(norm(out[i] - (x[i] + x1[i]) * 0.5), 1e-14) << i;
  for (int32_t i = 12; i < 16; ++i)
    for (int32_t j = 12; j < i; ++j) EXPECT_NEAR(norm(out[i] - out[j]), norm(x[i] - x[j]), 1e-14);
  EXPECT_LT(norm(out[17] - (out[12] + out[14]) * 0.5), 1e-14);
  std::vector<Vec3d> half(x.size());
  map->advance(x, d, 0.5, half);
  for (int32_t i = 12; i < 16; ++i) EXPECT_LT(norm(out[i] - half[i]), 1e-8);
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

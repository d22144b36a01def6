#include "step/contact_history.h"

#include <gtest/gtest.h>

#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using contact::Pair;

// Two blocks of eight nodes that meet each other, and a collider.
model::Model two_blocks() {
  model::Model model;
  for (int body = 0; body < 2; ++body) {
    add_block(model, {.cells = {1, 1, 1}, .size = {1, 1, 1}, .jitter = 0});
    add_set(model, body, *material::find_law("corotated"), 1e5, 0.3);
  }
  model::Collider floor;
  floor.name = "floor";
  floor.pose = model.inputs.add_pose("floor", {{}});
  model.colliders.push_back(floor);
  model.contact.rules.resize(2 * 3);
  return model;
}

// Vertex 0 of the first block on a triangle of the second.
Pair on_triangle(int32_t a, int32_t b, int32_t c) {
  Pair pair;
  pair.node = {0, a, b, c};
  pair.weight = {1, -0.5, -0.25, -0.25};
  pair.body = {0, 1};
  pair.stiffness = 100;
  pair.friction = 0.5;
  pair.thickness = 0.1;
  return pair;
}

model::State state_of(const model::Model& model) {
  model::StateLayout layout;
  ContactHistory::declare(model, layout);
  return model.make_state(layout);
}

TEST(ContactHistory, RecordsTheForcesOfCoulombFriction) {
  const model::Model model = two_blocks();
  ContactHistory history(model);
  StepReport report;
  Pair pair = on_triangle(8, 9, 10);
  pair.load = 4;  // the limit of friction is 2 N
  history.clear();
  EXPECT_FALSE(history.record(pair, {0, 0, 0.2}, report));
  ASSERT_TRUE(
      history.record(pair, {0.05, 0, 0.04}, report));  // pressed by 6 N, slipped by 5 N were it to stick
  EXPECT_EQ(report.contacts, 1);
  EXPECT_NEAR(report.dissipation, 2 * (0.05 - 0.02), 1e-15);
  model::State state = state_of(model);
  history.store(state);
  ASSERT_EQ(state.vectors("contact_force").size(), 1u);
  EXPECT_LT(norm(state.vectors("contact_force")[0] - Vec3d{-2, 0, 6}), 1e-13);
  EXPECT_LT(norm(state.vectors("contact_slip")[0] - Vec3d{0.02, 0, 0}), 1e-15);
  EXPECT_NEAR(state.numbers("contact_load")[0], 6, 1e-13);
  EXPECT_NEAR(state.numbers("contact_gap")[0], 0.04, 1e-15);
  Vec3d sum = {0, 0, 0};
  for (const Vec3d& force : state.vectors("contact_node_force")) sum += force;
  EXPECT_LT(norm(sum), 1e-13);
  EXPECT_LT(norm(state.vectors("contact_node_force")[9] - Vec3d{0.5, 0, -1.5}), 1e-13);
}

TEST(ContactHistory, FollowsAVertexToAnotherTriangleOfTheSameBody) {
  const model::Model model = two_blocks();
  ContactHistory history(model), later(model);
  StepReport report;
  history.clear();
  history.record(on_triangle(8, 9, 10), {0, 0, 0.04}, report);
  model::State state = state_of(model);
  history.store(state);
  state.rows("contact_slip").f64 = {0.01, 0.02, 0};
  later.load(state);
  ASSERT_EQ(later.loaded_bodies().size(), 2u);
  EXPECT_TRUE(later.loaded_bodies()[0] && later.loaded_bodies()[1]);

  Pair other_vertex = on_triangle(8, 9, 10), smooth = on_triangle(8, 9, 10);
  other_vertex.node[0] = 1;
  smooth.friction = 0;
  contact::ContactSet set{{on_triangle(8, 9, 10), on_triangle(9, 10, 11), other_vertex, smooth}};
  later.carry_over(set, nullptr);
  for (const size_t known : {0, 1}) {
    EXPECT_EQ(norm(set.pairs[known].slip - Vec3d{0.01, 0.02, 0}), 0);
    EXPECT_NEAR(set.pairs[known].load, 6, 1e-13);
  }
  for (const size_t unknown : {2, 3}) {
    EXPECT_EQ(norm(set.pairs[unknown].slip), 0);
    EXPECT_EQ(set.pairs[unknown].load, 0);
  }
  // After a solve loads are those that it gave, and slips still those of the start.
  set.pairs.resize(2);
  for (Pair& pair : set.pairs) pair.load = 0;
  const std::vector<ContactHistory::Entry> solved = {{.key = on_triangle(9, 10, 11).key(), .load = 3}};
  later.carry_over(set, &solved);
  EXPECT_EQ(set.pairs[1].load, 3);
  EXPECT_EQ(norm(set.pairs[1].slip - Vec3d{0.01, 0.02, 0}), 0);
}

// On a sheet a vertex may touch several layers: what is not beside the triangle that it touched is another contact.
TEST(ContactHistory, TellsLayersOfASheetApart) {
  model::Model model;
  add_block(model, {.cells = {1, 1, 1}, .size = {1, 1, 1}, .jitter = 0});
  add_sheet(model, {.cells = {6, 1}});
  model.contact.rules.resize(4);
  ContactHistory history(model);
  StepReport report;
  history.clear();
  Pair other_layer = on_triangle(13, 19, 20);
  history.record(on_triangle(8, 9, 15), {0, 0, 0.04}, report);
  contact::ContactSet set{{on_triangle(8, 9, 15), on_triangle(9, 10, 16), other_layer}};
  model::State state = state_of(model);
  history.store(state);
  state.rows("contact_slip").f64 = {0.01, 0.02, 0};
  history.load(state);
  history.carry_over(set, nullptr);
  for (const size_t known : {0, 1}) EXPECT_EQ(norm(set.pairs[known].slip - Vec3d{0.01, 0.02, 0}), 0);
  EXPECT_EQ(norm(set.pairs[2].slip), 0);
  EXPECT_EQ(set.pairs[2].load, 0);
}

// Pairs with a collider: a vertex and a wall, an edge and an edge, a triangle and a corner.
TEST(ContactHistory, KnowsTheFeaturesOfColliders) {
  const model::Model model = two_blocks();
  const auto pairs_at = [](int wall) {
    contact::ContactSet set;
    for (const int count : {1, 2, 3}) {
      Pair pair = on_triangle(1, 2, -1);
      for (int k = count; k < 4; ++k) pair.node[k] = -1;
      if (count == 1)
        pair.wall = wall % 6;
      else
        pair.node[count] = -2 - wall;
      pair.collider = 0;
      pair.edges = count == 2;
      pair.body = {0, 2};
      pair.weight = {1, 0, 0, 0};
      set.pairs.push_back(pair);
    }
    return set;
  };
  ContactHistory history(model);
  StepReport report;
  history.clear();
  for (const int wall : {0, 500})
    for (const Pair& pair : pairs_at(wall).pairs) history.record(pair, {0, 0, 0.04}, report);
  model::State state = state_of(model);
  history.store(state);
  for (double& slip : state.rows("contact_slip").f64) slip = 0.01;
  history.load(state);
  for (const int wall : {0, 500, 501}) {
    contact::ContactSet set = pairs_at(wall);
    history.carry_over(set, nullptr);
    for (const Pair& pair : set.pairs) EXPECT_EQ(pair.slip[0], wall == 501 ? 0 : 0.01);
  }
}

// Rows that fit no model are passed over: a checkpoint is input.
TEST(ContactHistory, PassesOverRowsThatMakeNoSense) {
  const model::Model model = two_blocks();
  for (const std::array<int64_t, 6>& key : {std::array<int64_t, 6>{0, 1 << 30, 8, 9, 10, -1},
                                            {0, 0, 8, 9, 10, 77},
                                            {0, 0, -1000000, 9, 10, 0},
                                            {0, 0, 8, 9, -1, -1},
                                            {0, -1, 8, 9, 10, -1}}) {
    model::State state = state_of(model);
    state.rows("contact_key").i64.assign(key.begin(), key.end());
    state.rows("contact_slip").f64 = {0, 0, 0};
    state.rows("contact_load").f64 = {1};
    ContactHistory history(model);
    history.load(state);
    EXPECT_TRUE(history.loaded_bodies().empty());
  }
}

}  // namespace
}  // namespace sinew::step

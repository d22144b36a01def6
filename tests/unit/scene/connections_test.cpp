// Connective tissue: which vertices are joined, to what, and what is refused.
#include <gtest/gtest.h>
#include <set>

#include "contact_scene.h"
#include "model/rigid_modes.h"
#include "scene/check.h"

namespace sinew::scene {
namespace {

using model::Vec3d;

std::string connect(const std::string& kind, double distance, const std::string& between = R"(["a", "b"])") {
  return R"("connect": [{"between": )" + between + R"(, "kind": ")" + kind + R"(", "distance": )" +
         json::number_text(distance) + R"(, "stiffness": 1e8}])";
}

const std::string three_blocks = R"({"sinew": 1, "bodies": {"a": )" + block_at(0, R"(, "groups": ["m"])") +
                                 R"(, "b": )" + block_at(1.125, R"(, "groups": ["m"])") + R"(, "c": )" +
                                 block_at(2.25, R"(, "groups": ["m"])") +
                                 R"(}, "solve": {"mode": "dynamic"}, )";

model::Model model_of(const std::string& text) {
  Outcome outcome = try_scene(text);
  EXPECT_TRUE(outcome.built) << outcome.diagnostics.text();
  return outcome.built ? std::move(outcome.built->model) : model::Model();
}

// The facing sides of the two blocks have nine nodes each, and lie 0.125 m apart.
TEST(Connect, TiesEveryVertexWithinTheDistanceToTheOtherBody) {
  for (const char* elements : {"linear", "quadratic"}) {
    const std::string more = std::string(R"(, "elements": ")") + elements + "\"";
    const Outcome outcome = try_scene(two_blocks(connect("tied", 0.126), 0.125, more, more));
    ASSERT_TRUE(outcome.built) << outcome.diagnostics.text();
    const model::Model& model = outcome.built->model;
    const size_t each = elements[0] == 'l' ? 9 : 25;
    ASSERT_EQ(model.links.size(), 2 * each);
    EXPECT_TRUE(model.sliding.empty());
    EXPECT_EQ(outcome.built->notes.at(0),
              "connect 0: " + std::to_string(2 * each) + " tied vertices between 1 pair of bodies");
    // A rigid motion of both leaves the links without length.
    const model::Mat3d R = model::rotation(normalized(Vec3d{1, 2, 3}), 0.7);
    std::vector<Vec3d> x;
    for (const Vec3d& X : model.X) x.push_back(R * X + Vec3d{4, 5, 6});
    std::set<int32_t> ends;
    for (size_t i = 0; i < model.links.size(); ++i) {
      const model::Link& link = model.links[i];
      EXPECT_EQ(link.rest_length, 0);
      EXPECT_EQ(link.group, "connect.0");
      EXPECT_EQ(model.params.link_normal[i], 1e8);
      EXPECT_EQ(model.params.link_tangent[i], 1e8);
      ASSERT_EQ(link.a.count, 1);
      ends.insert(link.a.node[0]);
      EXPECT_NE(model.body_of_node(link.a.node[0]), model.body_of_node(link.b.node[0]));
      const double at = model.X[link.a.node[0]][0];
      EXPECT_TRUE(at == 1 || at == 1.125) << at;
      for (std::span<const Vec3d> positions : {std::span<const Vec3d>(model.X), std::span<const Vec3d>(x)})
        EXPECT_LT(norm(model::position(link.a, positions, {}) - model::position(link.b, positions, {})),
                  1e-12);
    }
    EXPECT_EQ(ends.size(), 2 * each);
  }
}

TEST(Connect, SlidingVerticesKeepTheirSignedDistance) {
  const model::Model apart = model_of(two_blocks(connect("sliding", 0.2)));
  ASSERT_EQ(apart.sliding.size(), 18u);
  EXPECT_TRUE(apart.links.empty());
  EXPECT_TRUE(apart.has_contacts());
  EXPECT_TRUE(apart.contact.rules.empty());
  for (const model::SlidingLink& link : apart.sliding) {
    EXPECT_NEAR(link.gap, 0.125, 1e-14);
    EXPECT_EQ(link.stiffness, 1e8);
    EXPECT_EQ(link.body, 1 - apart.body_of_node(link.node));
  }
  // Overlapping by 0.125: the side faces, edges and corners of one lie on the surface of the other, all others inside.
  const model::Model inside = model_of(two_blocks(connect("sliding", 0.2), -0.125));
  double deepest = 0;
  for (const model::SlidingLink& link : inside.sliding) deepest = std::min(deepest, link.gap);
  EXPECT_NEAR(deepest, -0.125, 1e-14);
}

TEST(Connect, GroupsStandForAllPairsOfDifferentBodies) {
  EXPECT_EQ(model_of(three_blocks + connect("tied", 0.2, R"(["m", "m"])") + "}").links.size(), 36u);
  EXPECT_EQ(model_of(three_blocks + connect("tied", 0.2, R"(["*", "c"])") + "}").links.size(), 18u);
}

TEST(Connect, TiedBodiesAreHeldByEachOther) {
  const auto free_parts = [](const std::string& more) {
    const model::Model model = model_of(two_blocks(R"("attach": [{"what": "a.xmin"}])" + more));
    int64_t unchecked = 0;
    return model::free_rigid_modes(model, model::find_parts(model), unchecked).size();
  };
  EXPECT_EQ(free_parts(""), 1u);
  EXPECT_EQ(free_parts(", " + connect("tied", 0.2)), 0u);
  EXPECT_EQ(free_parts(", " + connect("sliding", 0.2)), 1u);
}

TEST(Connect, BrokenOnesAreRefused) {
  struct Case {
    std::string text;
    const char* part;
  };
  for (const auto& [text, part] :
       {Case{connect("tied", 0.1),
             "/connect/0/distance: no surface vertex lies within 0.1 m of the other body: \"a\" and \"b\" "
             "are 0.125 m apart"},
        {connect("tied", 0), "/connect/0/distance: found 0, expected a number greater than 0"},
        {connect("glued", 1), "/connect/0/kind: unknown word \"glued\""},
        {connect("tied", 1, R"(["a", "a"])"), "/connect/0/between: found no two different bodies"},
        {connect("tied", 1, R"(["a", "bb"])"),
         "/connect/0/between/1: unknown body, collider or group \"bb\""},
        {connect("tied", 1, R"(["a", "f"])") +
             R"(, "colliders": {"f": {"shape": {"sphere": {"radius": 1, "centre": [9, 9, 9]}}}})",
         "found no two different bodies"}}) {
    const Outcome outcome = try_scene(two_blocks(text));
    EXPECT_FALSE(outcome.built) << text;
    EXPECT_NE(outcome.diagnostics.text().find(part), std::string::npos) << outcome.diagnostics.text();
  }
  // 144 tets fit into 150 kB, but not the 156 connections of all with all.
  const Outcome outcome =
      try_scene(three_blocks + connect("tied", 10, R"(["m", "m"])") + "}", {}, ".", 150000);
  EXPECT_FALSE(outcome.built);
  EXPECT_NE(outcome.diagnostics.text().find("/connect/0: found more connections than fit into"),
            std::string::npos)
      << outcome.diagnostics.text();
}

}  // namespace
}  // namespace sinew::scene

// Colliders from the scene file: places, sizes and motions, and surfaces that bound no volume.
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

#include "contact_scene.h"
#include "io/mesh_file.h"
#include "mesh/properties.h"
#include "mesh/shapes.h"
#include "unit/scratch_folder.h"

namespace sinew::scene {
namespace {

using model::Collider;
using model::Vec3d;

std::string collider(const std::string& shape, const std::string& more = "") {
  return R"("colliders": {"c": {"shape": )" + shape + more + "}}";
}

Collider only(const std::string& shape, const std::string& more = "") {
  const Outcome outcome = try_scene(two_blocks(collider(shape, more)));
  EXPECT_TRUE(outcome.built) << outcome.diagnostics.text();
  return outcome.built ? outcome.built->model.colliders.at(0) : Collider();
}

void expect_near(const Vec3d& found, const Vec3d& expected) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-14) << i;
}

TEST(Colliders, PlanesHaveZAlongTheNormal) {
  const Collider plane = only(R"({"plane": {"point": [1, -2, 3], "normal": [0, 2, 0]}})");
  EXPECT_EQ(plane.shape, Collider::Shape::plane);
  expect_near(plane.transform({0, 0, 0}), {1, -2, 3});
  expect_near(plane.transform({0, 0, 5}), {1, 3, 3});
  EXPECT_NEAR(det(plane.transform.A), 1, 1e-14);
  EXPECT_EQ(plane.response, Collider::Response::penalty);
  EXPECT_FALSE(plane.hollow);
}

TEST(Colliders, RodsHaveZFromEndToEnd) {
  for (const char* word : {"capsule", "cylinder"}) {
    const Collider rod =
        only(std::string("{\"") + word + R"(": {"from": [1, 0, 0], "to": [1, 3, 4], "radius": 0.25}})");
    EXPECT_EQ(rod.shape, word[1] == 'a' ? Collider::Shape::capsule : Collider::Shape::cylinder);
    EXPECT_DOUBLE_EQ(rod.size[0], 0.25);
    EXPECT_DOUBLE_EQ(rod.size[1], 2.5);
    expect_near(rod.transform({0, 0, -2.5}), {1, 0, 0});
    expect_near(rod.transform({0, 0, 2.5}), {1, 3, 4});
    EXPECT_NEAR(det(rod.transform.A), 1, 1e-14);
  }
}

TEST(Colliders, BallsAndBoxesHaveHalfTheirExtents) {
  const Collider ball = only(R"({"sphere": {"radius": 2, "centre": [9, 8, 7]}})", R"(, "response": "clamp")");
  EXPECT_EQ(ball.shape, Collider::Shape::sphere);
  EXPECT_EQ(ball.size[0], 2);
  expect_near(ball.transform({0, 0, 0}), {9, 8, 7});
  EXPECT_EQ(ball.response, Collider::Response::clamp);
  const Collider box = only(
      R"({"box": {"size": [2, 4, 6], "centre": [1, 0, 0], "rotate": {"axis": [0, 0, 3], "degrees": 90}}})",
      R"(, "hollow": true, "response": "project")");
  expect_near(box.size, {1, 2, 3});
  expect_near(box.transform({1, 0, 0}), {1, 1, 0});
  EXPECT_TRUE(box.hollow);
  EXPECT_EQ(box.response, Collider::Response::project);
}

TEST(Colliders, TurnAboutTheirCentre) {
  const Outcome outcome = try_scene(two_blocks(collider(
      R"({"sphere": {"radius": 1, "centre": [5, 0, 0]}})",
      R"(, "motion": [{"time": 0}, {"time": 2, "translate": [0, 0, 1], "rotate": {"axis": [0, 0, 1], "degrees": 90}}])")));
  ASSERT_TRUE(outcome.built) << outcome.diagnostics.text();
  const model::Model& model = outcome.built->model;
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(2, inputs);
  const model::Pose pose = model::pose_at(inputs, model.colliders[0].pose);
  expect_near(pose({5, 0, 0}), {5, 0, 1});
  expect_near(pose({6, 0, 0}), {5, 1, 1});
  model.inputs.evaluate(0, inputs);
  expect_near(model::pose_at(inputs, model.colliders[0].pose)({6, 1, 2}), {6, 1, 2});
}

class ColliderFiles : public testing::Test {
 protected:
  ColliderFiles() {
    const auto box = mesh::make_box({.size = {2, 2, 2}, .cells = {1, 1, 1}, .split = mesh::Split::five});
    surface_ = mesh::boundary_surface(*box).mesh;
  }
  std::string problems_of(const mesh::TriMesh& mesh) {
    EXPECT_TRUE(io::write_tri_mesh((scratch_.path() / "s.off").string(), mesh));
    const Outcome outcome = load(R"({"mesh": {"file": "s.off"}})");
    EXPECT_EQ(outcome.built.has_value(), outcome.diagnostics.empty());
    return outcome.diagnostics.text();
  }
  Outcome load(const std::string& shape, const std::string& more = "") {
    return try_scene(two_blocks(collider(shape, more)), {}, scratch_.path().string());
  }
  static void expect_in(const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }

  ScratchFolder scratch_;
  mesh::TriMesh surface_;  // of the box [0, 2]^3
};

TEST_F(ColliderFiles, ArePlacedInTheWorld) {
  ASSERT_TRUE(io::write_tri_mesh((scratch_.path() / "s.off").string(), surface_));
  const Outcome outcome =
      load(R"({"mesh": {"file": "s.off", "unit": "cm", "up": "z", "scale": 10, "translate": [0, 5, 0]}})",
           R"(, "motion": [{"time": 0, "rotate": {"axis": [0, 0, 1], "degrees": 180}}])");
  ASSERT_TRUE(outcome.built) << outcome.diagnostics.text();
  const Collider& mesh = outcome.built->model.colliders[0];
  EXPECT_EQ(mesh.triangles.size(), 12u);
  const mesh::Bounds box = mesh::bounding_box(mesh.points);
  expect_near(box.low, {0, 5, -0.2});
  expect_near(box.high, {0.2, 5.2, 0});
  std::vector<double> inputs(outcome.built->model.inputs.size());
  outcome.built->model.inputs.evaluate(0, inputs);
  expect_near(model::pose_at(inputs, mesh.pose)({0, 5, -0.2}), {0.2, 5.2, -0.2});
  const auto files = referenced_files(*outcome.scene);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].filename(), "s.off");
}

TEST_F(ColliderFiles, MustBoundAVolume) {
  EXPECT_EQ(problems_of(surface_), "");
  mesh::TriMesh open = surface_;
  open.elements.pop_back();
  expect_in(problems_of(open),
            {"/colliders/c/shape/mesh/file", "s.off", "found an open surface: 3 edges have one triangle only",
             "between the vertices", "expected a closed one"});
  mesh::TriMesh inverted = surface_;
  for (auto& t : inverted.elements) std::swap(t[0], t[1]);
  expect_in(problems_of(inverted), {"inside out: it encloses -", "swap two corners"});
  mesh::TriMesh twisted = surface_;
  std::swap(twisted.elements[5][0], twisted.elements[5][1]);
  expect_in(problems_of(twisted), {"3 edges whose two triangles face opposite sides"});
  mesh::TriMesh crowded = surface_;
  const auto [a, b, c] = crowded.elements[0];
  crowded.vertices.push_back({9, 9, 9});
  const auto top = static_cast<int32_t>(crowded.vertices.size()) - 1;
  for (const std::array<int32_t, 3>& t :
       {std::array{a, b, c}, std::array{a, top, b}, std::array{b, top, c}, std::array{c, top, a}})
    crowded.elements.push_back(t);
  expect_in(problems_of(crowded), {"3 edges with more than two triangles"});
  mesh::TriMesh flat = surface_;
  for (Vec3d& x : flat.vertices) x[1] = 0;
  expect_in(problems_of(flat), {"encloses no volume"});
}

TEST_F(ColliderFiles, ThatCannotBeReadAreProblems) {
  expect_in(load(R"({"mesh": {"file": "none.obj"}})").diagnostics.text(),
            {"/colliders/c/shape/mesh/file", "none.obj"});
  expect_in(load(R"({"mesh": {"file": "s.xyz"}})").diagnostics.text(), {"s.xyz"});
  std::ofstream(scratch_.path() / "empty.obj") << "v 0 0 0\n";
  expect_in(load(R"({"mesh": {"file": "empty.obj"}})").diagnostics.text(), {"scene.json:", "empty.obj"});
  expect_in(load(R"({"sphere": {"radius": 1}})", R"(, "motion": {"file": "none.txt"})").diagnostics.text(),
            {"/colliders/c/motion/file", "none.txt"});
}

TEST(Colliders, BrokenOnesAreRefused) {
  struct Case {
    std::string text;
    const char* part;
  };
  const std::string ball = R"({"sphere": {"radius": 1}})";
  for (const auto& [text, part] :
       {Case{collider(R"({"sphere": {"radius": -1}})"), "/colliders/c/shape/sphere/radius: found -1"},
        {collider(R"({"plane": {"point": [0, 0, 0], "normal": [0, 0, 0]}})"), "expected a direction"},
        {collider(R"({"capsule": {"from": [1, 2, 3], "to": [1, 2, 3], "radius": 1}})"),
         "/colliders/c/shape/capsule/to: found the same point as \"from\""},
        {collider(R"({"cilinder": {}})"), "did you mean \"cylinder\""},
        {collider(ball, R"(, "response": "bounce")"), "/colliders/c/response: unknown word \"bounce\""},
        {collider(ball, R"(, "groups": ["a"])"),
         "/colliders/c/groups/0: the name \"a\" is already that of a body"},
        {collider(ball, R"(, "groups": ["x.y"])"), "expected letters, digits"},
        {R"("colliders": {"b": {"shape": {"sphere": {"radius": 1}}}})",
         "/colliders/b: the name \"b\" is already"}}) {
    const Outcome outcome = try_scene(two_blocks(text));
    EXPECT_FALSE(outcome.built) << text;
    EXPECT_NE(outcome.diagnostics.text().find(part), std::string::npos) << outcome.diagnostics.text();
  }
}

}  // namespace
}  // namespace sinew::scene

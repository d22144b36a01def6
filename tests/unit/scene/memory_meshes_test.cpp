// Meshes that a program has in memory, in place of files.
#include <gtest/gtest.h>

#include "contact_scene.h"
#include "mesh/properties.h"
#include "mesh/shapes.h"
#include "sample_scene.h"

namespace sinew::scene {
namespace {

const std::string flesh =
    changed(R"({"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}})", R"({"memory": "flesh"})");

std::shared_ptr<mesh::TetMesh> box() {
  return std::make_shared<mesh::TetMesh>(
      *mesh::make_box({.size = {1, 1, 1}, .cells = {2, 2, 2}, .split = mesh::Split::five}));
}

std::optional<Scene> scene_of(const std::string& text, Diagnostics& diagnostics) {
  return parse_scene(text, "scene.json", ".", {}, diagnostics);
}

TEST(MemoryMeshes, StandForTheShapeOfTheSameNodes) {
  Diagnostics diagnostics;
  auto scene = scene_of(flesh, diagnostics);
  ASSERT_TRUE(scene) << diagnostics.text();
  scene->memory.solids["flesh"] = box();
  const auto built = build(*scene, diagnostics);
  ASSERT_TRUE(built) << diagnostics.text();
  const Outcome file = try_scene(valid_scene);
  EXPECT_TRUE(built->model.elements == file.built->model.elements);
  for (size_t i = 0; i < built->model.X.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(built->model.X[i][k], file.built->model.X[i][k]);
  EXPECT_EQ(built->model.attachments.at(0).nodes, file.built->model.attachments.at(0).nodes);
}

TEST(MemoryMeshes, AnswerWhereNoProgramGaveOne) {
  const Outcome outcome = try_scene(flesh);
  ASSERT_FALSE(outcome.built);
  ASSERT_EQ(outcome.diagnostics.count(), 1u) << outcome.diagnostics.text();
  EXPECT_EQ(outcome.diagnostics.list()[0].path, "/bodies/block/mesh/memory");
  EXPECT_NE(outcome.diagnostics.list()[0].what.find("no program gave one"), std::string::npos);

  Diagnostics diagnostics;
  auto scene = scene_of(flesh, diagnostics);
  scene->memory.solids["fles"] = box();
  EXPECT_FALSE(build(*scene, diagnostics));
  EXPECT_NE(diagnostics.text().find("did you mean \"fles\""), std::string::npos) << diagnostics.text();
}

TEST(MemoryMeshes, FieldsOfTetsComeFromThem) {
  Diagnostics diagnostics;
  auto scene = scene_of(changed("\"young\": 1e5", R"("young": {"field": "E"})", flesh), diagnostics);
  ASSERT_TRUE(scene) << diagnostics.text();
  auto mesh = box();
  mesh->element_data["E"].values.assign(mesh->elements.size(), 3e4);
  mesh->element_data["E"].values[7] = 5e4;
  scene->memory.solids["flesh"] = mesh;
  const auto built = build(*scene, diagnostics);
  ASSERT_TRUE(built) << diagnostics.text();
  EXPECT_EQ(built->model.params.material[0][0].values.at(7), 5e4);
  EXPECT_EQ(built->model.params.material[0][0].values.at(8), 3e4);
}

TEST(MemoryMeshes, BelongToTheHash) {
  Diagnostics diagnostics;
  auto scene = scene_of(flesh, diagnostics);
  auto mesh = box();
  scene->memory.solids["flesh"] = mesh;
  const std::string hash = *scene_hash(*scene);
  EXPECT_EQ(*scene_hash(*scene), hash);
  mesh->vertices[3][1] += 1e-12;
  EXPECT_NE(*scene_hash(*scene), hash);
}

TEST(MemoryMeshes, SurfacesOfColliders) {
  const std::string text = two_blocks(
      R"("colliders": {"c": {"shape": {"mesh": {"memory": "bone", "scale": 2, "translate": [0, 9, 0]}}}})");
  Diagnostics diagnostics;
  auto scene = scene_of(text, diagnostics);
  ASSERT_TRUE(scene) << diagnostics.text();
  auto surface = std::make_shared<mesh::TriMesh>(mesh::boundary_surface(*box()).mesh);
  scene->memory.surfaces["bone"] = surface;
  const auto built = build(*scene, diagnostics);
  ASSERT_TRUE(built) << diagnostics.text();
  const model::Collider& collider = built->model.colliders.at(0);
  EXPECT_EQ(collider.points.size(), surface->vertices.size());
  const mesh::Bounds bounds = mesh::bounding_box(collider.points);
  EXPECT_EQ(bounds.low[1], 9);
  EXPECT_EQ(bounds.high[1], 11);

  surface->elements.pop_back();
  EXPECT_FALSE(build(*scene, diagnostics));
  EXPECT_NE(diagnostics.text().find("bone: found an open surface"), std::string::npos) << diagnostics.text();
  EXPECT_FALSE(try_scene(text).built);
}

}  // namespace
}  // namespace sinew::scene

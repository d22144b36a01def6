#pragma once
// Small models of bodies that meet, for tests of contact.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "contact/detect.h"
#include "material/law.h"
#include "mesh/properties.h"
#include "mesh/shapes.h"
#include "model/add_body.h"

namespace sinew::sample {

using math::Vec3d;

constexpr double young = 1e5, density = 1000;

// Adds a body of one material with its rest positions moved by `by`.
inline int32_t add_body(model::Model& model, const Result<mesh::TetMesh>& mesh, const Vec3d& by = {0, 0, 0}) {
  EXPECT_TRUE(mesh);
  mesh::TetMesh moved = *mesh;
  for (Vec3d& x : moved.vertices) x += by;
  const model::Body& body = model::add_body(model, "body" + std::to_string(model.bodies.size()),
                                            element::default_kind(), moved, mesh::boundary(moved));
  model::ElasticSet set;
  set.body = static_cast<int32_t>(model.bodies.size()) - 1;
  set.law = material::find_law("neo_hookean");
  for (int32_t e = body.elements.begin; e < body.elements.end; ++e) set.elements.push_back(e);
  model.params.density.push_back({{density}});
  std::vector<model::ParamField> fields;
  for (const auto& field : set.law->fields)
    fields.push_back({{field.name == "young" ? young : field.name == "poisson" ? 0.3 : 0.0}});
  model.params.material.push_back(fields);
  model.sets.push_back(set);
  return set.body;
}

inline int32_t add_box(model::Model& model, const Vec3d& size, const std::array<int32_t, 3>& cells,
                       const Vec3d& at) {
  return add_body(model, mesh::make_box({.size = size, .cells = cells}), at);
}

// A flat sheet with cells along two directions from a corner, all cut along the same diagonal. Its triangles face along x across.
struct Patch {
  Vec3d corner = {0, 0, 0}, along = {1, 0, 0}, across = {0, 1, 0};
  std::array<int32_t, 2> cells = {4, 4};
  double thickness = 1e-3, young = sample::young;
};

inline int32_t add_patch(model::Model& model, const Patch& patch) {
  mesh::TriMesh mesh;
  const auto [n, m] = patch.cells;
  for (int32_t j = 0; j <= m; ++j)
    for (int32_t i = 0; i <= n; ++i)
      mesh.vertices.push_back(patch.corner + patch.along * (double(i) / n) + patch.across * (double(j) / m));
  for (int32_t j = 0; j < m; ++j)
    for (int32_t i = 0; i < n; ++i) {
      const int32_t a = j * (n + 1) + i, b = a + 1, c = b + n + 1, d = c - 1;
      mesh.elements.push_back({a, b, c});
      mesh.elements.push_back({a, c, d});
    }
  const model::Body& body =
      model::add_shell(model, "sheet" + std::to_string(model.bodies.size()), mesh, patch.thickness);
  model::ElasticSet set;
  set.body = static_cast<int32_t>(model.bodies.size()) - 1;
  set.law = material::find_law("stvk");
  for (int32_t e = body.elements.begin; e < body.elements.end; ++e) set.elements.push_back(e);
  model.params.density.push_back({{density}});
  std::vector<model::ParamField> fields;
  for (const auto& field : set.law->fields)
    fields.push_back({{field.name == "young" ? patch.young : field.name == "poisson" ? 0.3 : 0.0}});
  model.params.material.push_back(fields);
  model.sets.push_back(set);
  return set.body;
}

inline int32_t add_collider(model::Model& model, model::Collider collider) {
  collider.pose = model.inputs.add_pose("collider", {model::PoseKey{}});
  model.colliders.push_back(collider);
  return static_cast<int32_t>(model.colliders.size()) - 1;
}

// One rule for all; a body against itself only if asked for.
inline void meet(model::Model& model, const model::ContactRule& rule, bool self = false) {
  const size_t bodies = model.bodies.size(), all = bodies + model.colliders.size();
  model.contact.rules.assign(bodies * all, rule);
  for (size_t b = 0; b < bodies; ++b) model.contact.rules[b * all + b].on = self;
}

inline std::vector<double> inputs_of(const model::Model& model) {
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(0, inputs);
  return inputs;
}

inline std::vector<Vec3d> moved(const model::Model& model, std::vector<Vec3d> x, int32_t body,
                                const Vec3d& by) {
  for (int32_t i = model.bodies[body].nodes.begin; i < model.bodies[body].nodes.end; ++i) x[i] += by;
  return x;
}

inline std::vector<contact::Pair> find(const model::Model& model, const std::vector<Vec3d>& x0,
                                       const std::vector<Vec3d>& x1, double dt = 0) {
  const std::vector<double> inputs = inputs_of(model);
  contact::Detector detector(model);
  contact::ContactSet set;
  detector.find({x0, inputs, x1, inputs, dt}, set);
  return set.pairs;
}

inline std::vector<contact::Pair> crossings(const model::Model& model, const std::vector<Vec3d>& x0,
                                            const std::vector<Vec3d>& x1) {
  const std::vector<double> inputs = inputs_of(model);
  contact::Detector detector(model);
  std::vector<contact::Pair> found;
  detector.crossings({x0, inputs, x1, inputs, 0}, found);
  return found;
}

}  // namespace sinew::sample

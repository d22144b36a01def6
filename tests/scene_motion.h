#pragma once
// A scene given as text, moved step by step without a folder, with the surfaces of its bodies.
//
//     SceneMotion motion(text);
//     while (motion.more()) ASSERT_TRUE(motion.advance().taken());
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exact/crossings.h"
#include "model/contact_points.h"
#include "scene/scene.h"

namespace sinew {

using math::Vec3d;

// A parsed and built scene; a failure of the test where it has problems.
inline std::optional<scene::Built> build_text(const std::string& text,
                                              const scene::MemoryMeshes& memory = {}) {
  json::Diagnostics diagnostics{"scene.json"};
  auto scene = scene::parse_scene(text, "scene.json", ".", {}, diagnostics);
  if (scene) scene->memory = memory;
  auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) ADD_FAILURE() << diagnostics.text();
  return built;
}

class SceneMotion {
 public:
  explicit SceneMotion(const std::string& text, const scene::MemoryMeshes& memory = {})
      : built_(build_text(text, memory)) {
    if (!built_) return;
    renew();
    if (!stepper_) return;
    model::StateLayout layout;
    stepper_->declare(layout);
    state = scene::initial_state(*built_, layout);
    for (size_t b = 0; b < model().bodies.size(); ++b)
      triangles_.insert(triangles_.end(), model().touching_surface(b).begin(),
                        model().touching_surface(b).end());
  }

  // Goes on with a new stepper, which knows nothing but the state.
  void renew() {
    auto stepper = built_->method->make(built_->model, built_->settings);
    if (stepper)
      stepper_ = std::move(*stepper);
    else
      ADD_FAILURE() << stepper.error().text();
  }

  const model::Model& model() const { return built_->model; }
  int64_t steps() const { return stepper_ ? int64_t{built_->time.frames} * built_->time.substeps : 0; }
  bool more() const { return state_step() < steps(); }

  step::StepReport advance() {
    const int64_t n = state_step(), substeps = built_->time.substeps;
    return stepper_->step(model().inputs,
                          built_->time.time_of(n / substeps + 1, static_cast<int32_t>(n % substeps) + 1),
                          state, {});
  }

  // Lumped mass of each body, centre and momentum.
  struct Whole {
    double mass = 0;             // [kg]
    Vec3d centre = {0, 0, 0};    // [m]
    Vec3d momentum = {0, 0, 0};  // [kg m/s]
  };
  Whole whole(int body) const {
    const std::vector<double> mass = model().lumped_mass(model().params);
    Whole sum;
    for (int32_t i = model().bodies[body].nodes.begin; i < model().bodies[body].nodes.end; ++i) {
      sum.mass += mass[i];
      sum.centre += state.x()[i] * mass[i];
      sum.momentum += state.v()[i] * mass[i];
    }
    sum.centre *= 1 / sum.mass;
    return sum;
  }

  // Of what touches: nodes, and points that elements carry.
  std::vector<Vec3d> points() const {
    std::vector<Vec3d> memory;
    const auto points = model::contact_points(model(), state.x(), memory);
    return {points.begin(), points.end()};
  }
  // Pairs of triangles that meet and share no point, by exact arithmetic.
  size_t crossings() const { return exact::crossings(points(), triangles_).size(); }
  // The same of bodies and something that does not move with them.
  size_t crossings_with(const mesh::TriMesh& other) const {
    std::vector<Vec3d> x = points();
    std::vector<model::Triangle> triangles = triangles_;
    const auto first = static_cast<int32_t>(x.size());
    for (const auto& [i, j, k] : other.elements) triangles.push_back({first + i, first + j, first + k});
    x.insert(x.end(), other.vertices.begin(), other.vertices.end());
    return exact::crossings(x, triangles).size();
  }
  // The lowest point that touches, of all bodies.
  double lowest(int axis) const {
    const std::vector<Vec3d> x = points();
    double least = std::numeric_limits<double>::infinity();
    for (const model::Triangle& triangle : triangles_)
      for (const int32_t point : triangle) least = std::min(least, x[point][axis]);
    return least;
  }

  model::State state;

 private:
  int64_t state_step() const { return stepper_ ? state.step() : 0; }

  std::optional<scene::Built> built_;
  std::unique_ptr<step::Stepper> stepper_;
  std::vector<model::Triangle> triangles_;
};

}  // namespace sinew

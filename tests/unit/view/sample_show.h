#pragma once
// Shows without files: a box that grows from frame to frame, in one pane or two; a triangle between colliders.
#include <cmath>
#include <memory>

#include "mesh/properties.h"
#include "mesh/shapes.h"
#include "model/add_body.h"
#include "view/show.h"

namespace sinew::view {

struct GrowingStage : Stage {
  explicit GrowingStage(std::shared_ptr<const model::Model> model_)
      : Stage(*model_), owner(std::move(model_)) {
    fields = {{"displacement", "m", "Way from rest.", true, 3}, {"number", "1", "Of the tet.", false, 1}};
  }
  std::shared_ptr<const model::Model> owner;
};

// At frame i the box is 1 + i times as large.
class GrowingMoment final : public Moment {
 public:
  GrowingMoment(int64_t index, std::shared_ptr<const Stage> stage)
      : Moment(index, 0.1 * static_cast<double>(index), stage), model_(stage->model), x_(stage->model.X) {
    for (Vec3d& x : x_) x = x * (1.0 + static_cast<double>(index));
    Json line = Json::object();
    line.set("frame", index);
    set_line(line);
    marks_.contacts = {{1, 2, 3}};
    marks_.contact_kind = {Marks::body_collider};
    marks_.constraints = {{0, 0, 0, 1, 1, 1}};
    marks_.constraint_kind = {Marks::spring};
  }
  std::span<const Vec3d> positions() const override { return x_; }

 protected:
  std::vector<double> compute(size_t field) override {
    std::vector<double> values;
    if (field == 0)
      for (size_t i = 0; i < x_.size(); ++i)
        for (int k = 0; k < 3; ++k) values.push_back(x_[i][k] - model_.X[i][k]);
    else
      for (size_t t = 0; t < model_.elements.size(); ++t) values.push_back(static_cast<double>(t));
    return values;
  }

 private:
  const model::Model& model_;
  std::vector<Vec3d> x_;
};

class GrowingBox final : public Source {
 public:
  explicit GrowingBox(int cells = 2, int count = 5) {
    const mesh::TetMesh mesh = *mesh::make_box({.cells = {cells, cells, cells}});
    auto model = std::make_shared<model::Model>();
    model::add_body(*model, "box", element::default_kind(), mesh, mesh::boundary(mesh));
    stage_ = std::make_shared<GrowingStage>(model);
    for (int i = 0; i < count; ++i) frames_.push_back({2 * i, 0.2 * i});
  }

  Json describe() override {
    Json pane = Json::object();
    pane.set("name", "growing");
    pane.set("bodies", describe_bodies(*stage_));
    pane.set("fields", describe_fields(*stage_));
    pane.set("frames", describe_frames(frames_));
    pane.set("box", describe_box(box()));
    pane.set("stats", Json::list());
    pane.set("warnings", Json::list());
    return pane;
  }
  std::span<const exporting::FrameStamp> frames() const override { return frames_; }
  const std::shared_ptr<const Stage>& stage() const override { return stage_; }
  mesh::Bounds box() override { return mesh::bounding_box(stage_->model.X); }
  int loads = 0;

 protected:
  Result<std::shared_ptr<Moment>> load(int64_t index) override {
    if (index % 2 != 0 || index >= 2 * static_cast<int64_t>(frames_.size()))
      return usage_error("there is no frame " + std::to_string(index));
    ++loads;
    return std::shared_ptr<Moment>(std::make_shared<GrowingMoment>(index, stage_));
  }

 private:
  std::shared_ptr<const Stage> stage_;
  std::vector<exporting::FrameStamp> frames_;
};

// A floor that moves up and to the side with time, and a ball.
class WithColliders final : public Source {
 public:
  WithColliders() {
    auto model = std::make_shared<model::Model>();
    model->X = {{0, 0, 0}, {3, 0, 0}, {0, 4, 0}};
    model::Body body;
    body.nodes = {0, 3};
    body.surface = {{0, 1, 2}};
    model->bodies.push_back(body);
    model::Collider floor, ball;
    floor.name = "floor";
    floor.transform.A = model::rotation({1, 0, 0}, -M_PI / 2);  // y is up
    floor.pose =
        model->inputs.add_pose("collider.floor", {{.time = 0}, {.time = 1, .translate = {9, 0.5, 0}}});
    ball.name = "ball";
    ball.shape = model::Collider::Shape::sphere;
    ball.size = {2, 0, 0};
    ball.transform.b = {7, 0, 0};
    ball.pose = model->inputs.add_pose("collider.ball", {model::PoseKey{}});
    model->colliders = {floor, ball};
    stage_ = std::make_shared<GrowingStage>(model);
  }
  Json describe() override {
    Json pane = Json::object();
    pane.set("fields", describe_fields(*stage_));
    pane.set("colliders", describe_colliders(stage_->model));
    return pane;
  }
  std::span<const exporting::FrameStamp> frames() const override { return frames_; }
  const std::shared_ptr<const Stage>& stage() const override { return stage_; }
  mesh::Bounds box() override { return box_; }
  mesh::Bounds box_ = {{0, 0, 0}, {3, 4, 0}};

 protected:
  struct At final : Moment {
    At(int64_t index, const std::shared_ptr<const Stage>& stage)
        : Moment(index, static_cast<double>(index), stage),
          inputs(static_cast<size_t>(stage->model.inputs.size())) {
      stage->model.inputs.evaluate(time(), inputs);
    }
    std::span<const Vec3d> positions() const override { return stage()->model.X; }
    std::span<const double> input_vector() override { return inputs; }
    std::vector<double> compute(size_t) override { return {}; }
    std::vector<double> inputs;
  };
  Result<std::shared_ptr<Moment>> load(int64_t index) override {
    return std::shared_ptr<Moment>(std::make_shared<At>(index, stage_));
  }

 private:
  std::shared_ptr<const Stage> stage_;
  std::vector<exporting::FrameStamp> frames_ = {{0, 0}, {1, 1}};
};

inline Show growing_show(int panes = 1, int cells = 2) {
  Show show;
  show.kind = "run";
  show.title = "growing";
  show.names = {"growing"};
  for (int p = 0; p < panes; ++p) show.panes.push_back(std::make_unique<GrowingBox>(cells));
  return show;
}

}  // namespace sinew::view

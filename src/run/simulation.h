#pragma once
// A scene in progress: a method and the State that it moves, frame by frame. Edits come between frames and are kept
// with the frame that they follow, so that the same scene with the same edits gives the same bits again.
//
//     Result<Simulation> simulation = Simulation::make(scene, built);
//     simulation->apply(*parse_json(R"({"do": "release"})", "edit"));
//     if (simulation->advance(totals, control) != Advanced::taken) ...
//
// Edits, all numbers in SI units:
//     {"do": "pose", "name": "attach.left", "translate": [x,y,z], "rotate": {"axis", "degrees"}}   also "collider.NAME"
//     {"do": "input", "name", "value": [..]}      another input, such as "gravity" or the factor of a load
//     {"do": "grab", "node", "to": [x,y,z]}, {"do": "move", "to"}, {"do": "release"}   a spring pulls a node
//     {"do": "set", "path", "value"}              a value of the scene, as --set does
//     {"do": "method", "name"}                    another method goes on
// Poses, inputs and the hand arrive where they are told at the end of the next frame.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/control.h"
#include "run/statistics.h"
#include "scene/scene.h"

namespace sinew::run {

// The point at rest that a pose turns about in an edit: the centre of what it holds or moves.
math::Vec3d centre_of_pose(const model::Model& model, int32_t first);

// The input that a hand moves, once something was grabbed.
constexpr const char* hand_input = "hand";

enum class Advanced { taken, cancelled, failed };

class Simulation {
 public:
  // Scene and built scene must outlive the object; edits change copies.
  static Result<Simulation> make(const scene::Scene& scene, const scene::Built& built);

  const scene::Scene& scene() const { return own_scene_ ? *own_scene_ : *scene_; }
  const scene::Built& built() const { return own_built_ ? *own_built_ : *built_; }
  // Counts the models that there were: what refers to an older one is out of date.
  int64_t models() const { return models_; }
  int64_t frame() const { return frame_; }
  const model::State& state() const { return state_; }
  model::StateLayout layout() const;         // of the method
  bool holding() const { return holding_; }  // a hand pulls a node
  // The contacts that the last step ended with.
  std::span<const contact::Pair> contacts() const { return stepper_->contacts(); }

  // The steps of one frame. Unless it was taken, State is what it was; where it failed, the totals have the reason.
  Advanced advance(FrameTotals& totals, const Control& control);
  // After a frame that failed: how far it came.
  const model::State& reached() const { return reached_; }
  // Goes on from a State that has the columns of layout().
  void go_on_from(int64_t frame, model::State state);

  Result<void> apply(const json::Json& edit);
  // Edits of a session, each at its frame, without the steps between them.
  Result<void> recall(std::span<const json::Json> edits);
  // Back to frame 0; values that were set and the method stay.
  Result<void> reset();
  // In order, each with the "frame" that it follows: what leads from the scene to where it is now.
  std::span<const json::Json> edits() const { return edits_; }

 private:
  Simulation() = default;
  Result<void> make_stepper();
  // Changes inputs or links at the frame of the edit. Returns whether the links changed.
  Result<bool> change_model(const json::Json& edit);
  Result<bool> grab(const json::Json& edit, double before, double now, double next);
  void let_go();
  void start_again();
  Result<void> change(const json::Json& edit);
  Result<void> set(const std::string& path, const json::Json& value);
  Result<int> find_input(const json::Json& edit, bool pose) const;
  model::Model& own_model();
  void keep_in_new_layout(const model::State& old);

  const scene::Scene* scene_ = nullptr;
  const scene::Built* built_ = nullptr;
  std::unique_ptr<scene::Scene> own_scene_;  // once a value was set
  std::unique_ptr<scene::Built> own_built_;  // once anything was changed
  std::unique_ptr<step::Stepper> stepper_;
  model::State state_, reached_;
  int64_t frame_ = 0, models_ = 0;
  bool holding_ = false;  // the last link of the model pulls a node
  std::vector<json::Json> edits_;
};

// A recorded session: {"sinew_session": 1, "scene", "overrides", "frames", "edits"}.
struct Session {
  std::string scene;  // file
  std::vector<std::string> overrides;
  int64_t frames = 0;             // that it has
  std::vector<json::Json> edits;  // by frame, ascending
};
json::Json session_of(const Simulation& simulation);
Result<Session> read_session(const std::filesystem::path& path);

}  // namespace sinew::run

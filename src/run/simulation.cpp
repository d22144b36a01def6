#include "run/simulation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

#include "io/json_file.h"
#include "json/words.h"
#include "run/run_folder.h"
#include "step/fallbacks.h"

namespace sinew::run {

using json::Json;
using math::Vec3d;

namespace {

constexpr const char* hand = hand_input;
constexpr double largest = 1e9;  // number in an edit
// Of the stiffness of the elements around the node: E times their edges, or E times the thickness of a sheet.
constexpr double hand_stiffness = 5;
constexpr size_t max_edits = 1'000'000;

Error edit_error(std::string_view what) { return input_error("edit", std::string(what)); }

bool usable(const Json& json) {
  return json.is(Json::Kind::number) && std::abs(json.number()) <= largest;  // false for what is not a number
}

Result<Vec3d> vector_in(const Json& edit, std::string_view key) {
  const Json& json = edit[key];
  if (json.is(Json::Kind::list) && json.size() == 3 &&
      std::all_of(json.items().begin(), json.items().end(), usable))
    return Vec3d{json.item(0).number(), json.item(1).number(), json.item(2).number()};
  return edit_error(fmt::format("/{}: expected three numbers of at most {:g} in size", key, largest));
}

// True for an edit of the scene's values, false for one that moves or pulls something.
bool is_setting(const Json& edit) { return edit["do"].text() == "set" || edit["do"].text() == "method"; }

}  // namespace

Vec3d centre_of_pose(const model::Model& model, int32_t first) {
  Vec3d sum = {0, 0, 0};
  for (const model::Attachment& attachment : model.attachments)
    if (attachment.pose == first) {
      for (const int32_t node : attachment.nodes) sum += model.X[node];
      return sum * (1.0 / static_cast<double>(std::max<size_t>(attachment.nodes.size(), 1)));
    }
  for (const model::Collider& collider : model.colliders)
    if (collider.pose == first) return collider.transform.b;
  int64_t count = 0;
  for (const model::Link& link : model.links)  // soft attachments
    for (const model::Site* site : {&link.a, &link.b})
      if (site->count == 0 && site->pose == first) {
        sum += site->point;
        ++count;
      }
  return count > 0 ? sum * (1.0 / static_cast<double>(count)) : sum;
}

Result<Simulation> Simulation::make(const scene::Scene& scene, const scene::Built& built) {
  Simulation simulation;
  simulation.scene_ = &scene;
  simulation.built_ = &built;
  if (auto ok = simulation.make_stepper(); !ok) return ok.error();
  simulation.state_ = scene::initial_state(built, simulation.layout());
  return simulation;
}

Result<void> Simulation::make_stepper() {
  const scene::Built& now = built();
  const auto settings_for = [&now, &scene = scene()](const step::Method& method) {
    return &method == now.method ? now.settings : scene::settings_for(scene, method);
  };
  // A hand that pulls too far lets go, and does not wait for other methods.
  Result<std::unique_ptr<step::Stepper>> stepper =
      holding_ ? now.method->make(now.model, now.settings)
               : step::make_with_fallbacks(*now.method, now.model, settings_for);
  if (!stepper) return stepper.error();
  stepper_ = std::move(*stepper);
  ++models_;
  return {};
}

model::StateLayout Simulation::layout() const {
  model::StateLayout layout;
  stepper_->declare(layout);
  return layout;
}

Advanced Simulation::advance(FrameTotals& totals, const Control& control) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const model::State before = state_;
  const scene::TimePlan& time = built().time;
  for (int32_t k = 1; k <= time.substeps; ++k) {
    const model::State last = state_;
    step::StepReport report;
    if (control.cancelled())
      report.status = step::StepStatus::cancelled;
    else
      report = stepper_->step(built().model.inputs, time.time_of(frame_ + 1, k), state_, control);
    if (report.taken() && !state_.finite()) {
      report.status = step::StepStatus::failed;
      report.reason = step::not_finite(built().model, state_.x(), state_.v());
    }
    totals.add(report);
    if (report.taken()) continue;
    reached_ = stepper_->reached() ? *stepper_->reached() : last;
    state_ = before;
    totals.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return report.status == step::StepStatus::cancelled ? Advanced::cancelled : Advanced::failed;
  }
  ++frame_;
  totals.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return Advanced::taken;
}

void Simulation::go_on_from(int64_t frame, model::State state) {
  frame_ = frame;
  state_ = std::move(state);
}

Result<void> Simulation::apply(const Json& edit) {
  if (!edit.is(Json::Kind::object)) return edit_error("expected an object with \"do\"");
  if (edits_.size() >= max_edits)
    return edit_error(fmt::format("more than {} edits; reset to go on", max_edits));
  Json kept = edit;
  kept.set("frame", frame_);
  const std::string& word = edit["do"].text();
  Result<void> ok;
  if (word == "set") {
    ok = set(edit["path"].text(), edit["value"]);
  } else if (word == "method") {
    ok = set("solve.method", edit["name"]);
  } else {
    const Json& node = edit["node"];
    if (word == "grab" && !edit.has("from") && usable(node) && node.number() >= 0 &&
        node.number() < static_cast<double>(state_.x().size()))
      kept.set("from", Json::numbers(state_.x()[static_cast<size_t>(node.number())].v));
    ok = change(kept);
  }
  if (!ok) return ok;
  kept.set("frame", frame_);  // a new mesh begins at frame 0
  edits_.push_back(std::move(kept));
  return ok;
}

Result<void> Simulation::recall(std::span<const Json> edits) {
  for (const Json& edit : edits) {
    frame_ = frame_of(edit);
    if (auto ok = apply(edit); !ok) return ok;
  }
  return {};
}

Result<int> Simulation::find_input(const Json& edit, bool pose) const {
  const model::InputCurve& inputs = built().model.inputs;
  const std::string& name = edit["name"].text();
  const int block = inputs.find(name);
  if (block >= 0 && inputs.blocks()[block].poses.empty() != pose) return block;
  std::vector<std::string_view> known;
  for (const model::InputCurve::Block& b : inputs.blocks())
    if (b.poses.empty() != pose) known.push_back(b.name);
  return edit_error("/name: " + json::unknown_word(pose ? "pose" : "input", name, known));
}

model::Model& Simulation::own_model() {
  if (!own_built_) own_built_ = std::make_unique<scene::Built>(*built_);
  return own_built_->model;
}

Result<bool> Simulation::change_model(const Json& edit) {
  const std::string& word = edit["do"].text();
  const scene::TimePlan& time = built().time;
  const int64_t frame = frame_of(edit);
  const double now = time.time_of(frame), next = time.time_of(frame + 1);
  if (word == "pose") {
    const Result<int> block = find_input(edit, true);
    if (!block) return block.error();
    const model::Model& model = built().model;
    model::PoseKey key{.time = next, .about = centre_of_pose(model, model.inputs.blocks()[*block].first)};
    const Result<Vec3d> translate = vector_in(edit, "translate");
    if (!translate) return translate.error();
    key.translate = *translate;
    if (const Json* turn = edit.find("rotate")) {
      const Result<Vec3d> axis = vector_in(*turn, "axis");
      if (!axis) return axis.error();
      if (norm2(*axis) == 0 || !usable((*turn)["degrees"]))
        return edit_error("/rotate: expected an axis that is not zero, and degrees");
      key.axis = normalized(*axis);
      key.angle = (*turn)["degrees"].number() * std::numbers::pi / 180;
    }
    own_model().inputs.splice_pose(*block, now, key);
    return false;
  }
  if (word == "input") {
    const Result<int> block = find_input(edit, false);
    if (!block) return block.error();
    const auto width = static_cast<size_t>(built().model.inputs.blocks()[*block].width);
    const std::span<const Json> values = edit["value"].items();
    if (values.size() != width || !std::all_of(values.begin(), values.end(), usable))
      return edit_error(
          fmt::format("/value: expected a list of {} numbers of at most {:g} in size", width, largest));
    model::NumberKey key{next, {}};
    for (const Json& value : values) key.value.push_back(value.number());
    own_model().inputs.splice_numbers(*block, now, key);
    return false;
  }
  if (word == "grab") return grab(edit, time.time_of(frame - 1), now, next);
  if (word == "move" || word == "release") {
    if (!holding_) return edit_error("nothing is held: \"grab\" comes first");
    if (word == "release") {
      let_go();
      return true;
    }
    const Result<Vec3d> to = vector_in(edit, "to");
    if (!to) return to.error();
    model::InputCurve& inputs = own_model().inputs;
    inputs.splice_pose(inputs.find(hand), now, {.time = next, .translate = *to});
    return false;
  }
  static constexpr std::string_view known[] = {"grab", "input", "method", "move", "pose", "release", "set"};
  return edit_error("/do: " + json::unknown_word("edit", word, known));
}

Result<bool> Simulation::grab(const Json& edit, double before, double now, double next) {
  const model::Model& model = built().model;
  const Json& node = edit["node"];
  if (!usable(node) || node.number() < 0 || node.number() >= static_cast<double>(model.X.size()))
    return edit_error(fmt::format("/node: expected a number from 0 to {}", model.X.size() - 1));
  const auto id = static_cast<int32_t>(node.number());
  const model::Body& body = model.bodies[model.body_of_node(id)];
  if (id >= body.visible().end)
    return edit_error(
        fmt::format("/node: found {}, which is an angle of the body \"{}\" and no point of it, "
                    "expected a number from {} to {}",
                    id, body.name, body.nodes.begin, body.visible().end - 1));
  for (const model::Attachment& attachment : model.attachments)
    if (attachment.hold == model::Hold::rigid &&
        std::find(attachment.nodes.begin(), attachment.nodes.end(), id) != attachment.nodes.end())
      return edit_error(
          fmt::format("node {} is held by the attachment \"{}\": move that", id, attachment.name));
  const Result<Vec3d> from = vector_in(edit, "from"), to = vector_in(edit, "to");
  if (!from) return from.error();
  if (!to) return to.error();
  if (holding_) let_go();
  model::Model& changed = own_model();
  model::InputCurve& inputs = changed.inputs;
  if (inputs.find(hand) < 0) inputs.add_pose(hand, {{.time = before, .translate = *from}});
  const int block = inputs.find(hand);
  // It begins where the node is, wherever the hand was before.
  inputs.splice_pose(block, before, {.time = now, .translate = *from});
  inputs.splice_pose(block, now, {.time = next, .translate = *to});
  const int32_t b = changed.body_of_node(id);
  const model::Model::Scales scales = changed.scales(changed.params, b);
  const double width = changed.bodies[b].kind->is_triangle() ? changed.bodies[b].thickness : scales.edge;
  model::Link link;
  link.a = model::Site::at_node(id);
  link.b = model::Site::on_frame(inputs.blocks()[block].first, {0, 0, 0});
  link.group = hand;
  changed.links.push_back(std::move(link));
  for (auto* stiffness : {&changed.params.link_normal, &changed.params.link_tangent})
    stiffness->push_back(hand_stiffness * scales.stiffness * width);
  holding_ = true;
  return true;
}

void Simulation::let_go() {
  model::Model& model = own_model();
  model.links.pop_back();
  model.params.link_normal.pop_back();
  model.params.link_tangent.pop_back();
  holding_ = false;
}

Result<void> Simulation::change(const Json& edit) {
  const model::Model* before = &built().model;
  const Result<bool> links = change_model(edit);
  if (!links) return links.error();
  if (!*links && before == &built().model) return {};  // the method reads the inputs anew at every step
  const model::State old = state_;
  if (auto ok = make_stepper(); !ok) return ok;
  keep_in_new_layout(old);
  return {};
}

void Simulation::keep_in_new_layout(const model::State& old) {
  state_ = built().model.make_state(layout());
  for (model::Column& column : state_.mutable_columns())
    for (const model::Column& before : old.columns())
      if (before.spec == column.spec &&
          (before.bytes() == column.bytes() || column.spec.on == model::On::contact))
        column = before;
}

// Builds the scene anew. Where that fails nothing has changed.
Result<void> Simulation::set(const std::string& path, const Json& value) {
  json::Diagnostics diagnostics;
  const std::vector<std::string> overrides = {path + "=" + value.compact()};
  auto changed =
      scene::parse_scene(scene().resolved.compact(), scene().name, scene().folder, overrides, diagnostics);
  auto rebuilt = changed ? scene::build(*changed, diagnostics) : std::nullopt;
  if (!rebuilt) return diagnostics.list()[0];
  changed->overrides = scene().overrides;
  const bool same_mesh =
      rebuilt->model.X.size() == built().model.X.size() && rebuilt->model.elements == built().model.elements;

  auto scene_before = std::exchange(own_scene_, std::make_unique<scene::Scene>(std::move(*changed)));
  auto built_before = std::exchange(own_built_, std::make_unique<scene::Built>(std::move(*rebuilt)));
  const bool held_before = std::exchange(holding_, false);
  auto stepper_before = std::move(stepper_);
  Result<void> ok;
  for (const Json& edit : edits_)
    if (same_mesh && ok && !is_setting(edit))
      if (const Result<bool> again = change_model(edit); !again) ok = again.error();
  if (ok) ok = make_stepper();
  if (!ok) {
    own_scene_ = std::move(scene_before);
    own_built_ = std::move(built_before);
    holding_ = held_before;
    stepper_ = std::move(stepper_before);
    return ok;
  }
  if (same_mesh) {
    const model::State old = state_;
    keep_in_new_layout(old);
  } else {
    start_again();
  }
  return {};
}

void Simulation::start_again() {
  std::erase_if(edits_, [](const Json& edit) { return !is_setting(edit); });
  for (Json& edit : edits_) edit.set("frame", 0);
  frame_ = 0;
  state_ = scene::initial_state(built(), layout());
}

Result<void> Simulation::reset() {
  if (own_scene_) {
    json::Diagnostics diagnostics;
    auto rebuilt = scene::build(*own_scene_, diagnostics);
    if (!rebuilt) return diagnostics.list()[0];
    own_built_ = std::make_unique<scene::Built>(std::move(*rebuilt));
  } else {
    own_built_.reset();
  }
  holding_ = false;
  if (auto ok = make_stepper(); !ok) return ok;
  start_again();
  return {};
}

Json session_of(const Simulation& simulation) {
  Json json = Json::object(), overrides = Json::list(), edits = Json::list();
  json.set("sinew_session", 1);
  json.set("scene", std::filesystem::absolute(simulation.scene().name).string());
  for (const std::string& text : simulation.scene().overrides) overrides.add(text);
  json.set("overrides", std::move(overrides));
  json.set("frames", simulation.frame());
  for (const Json& edit : simulation.edits()) edits.add(edit);
  json.set("edits", std::move(edits));
  return json;
}

Result<Session> read_session(const std::filesystem::path& path) {
  const Result<Json> json = io::read_json(path, {.bytes = size_t{1} << 30, .values = size_t{1} << 26});
  if (!json) return json.error();
  Session session;
  session.scene = (*json)["scene"].text();
  const double frames = (*json)["frames"].number();
  if ((*json)["sinew_session"].number() != 1 || session.scene.empty() || !(frames >= 0 && frames <= largest))
    return input_error(path.string(),
                       "not a session: expected \"sinew_session\": 1, \"scene\", \"frames\" and \"edits\"");
  session.frames = static_cast<int64_t>(frames);
  for (const Json& text : (*json)["overrides"].items()) session.overrides.push_back(text.text());
  int64_t last = 0;
  for (const Json& edit : (*json)["edits"].items()) {
    if (frame_of(edit) < last)
      return input_error(
          path.string(),
          fmt::format("/edits/{}: expected a \"frame\" of at least {}, that of the edit before",
                      session.edits.size(), last));
    last = frame_of(edit);
    session.edits.push_back(edit);
  }
  return session;
}

}  // namespace sinew::run

#include "view/live.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "base/memory.h"
#include "io/file.h"
#include "mesh/geometry.h"
#include "record/simulation.h"
#include "record/statistics.h"
#include "view/model_moment.h"
#include "view/scene_numbers.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t most_waiting = 10000;  // edits during one step
constexpr std::chrono::milliseconds residual_pace(50);

Json say(std::string_view kind) {
  Json json = Json::object();
  json.set("say", kind);
  return json;
}

Json say(std::string_view kind, const std::string& text) {
  Json json = say(kind);
  json.set("text", text);
  return json;
}

// What the simulation leaves for others to look at.
struct Published {
  std::mutex mutex;
  std::shared_ptr<ModelMoment> newest;
  std::shared_ptr<const Stage> stage;
  Json described;  // method, methods, inputs, numbers, attachments
  mesh::Bounds box;
  std::vector<std::string> notes;
};

class LiveSource final : public Source {
 public:
  LiveSource(std::string name, std::shared_ptr<Published> published)
      : name_(std::move(name)), published_(std::move(published)), stage_(published_->stage) {}

  Json describe() override {
    const std::lock_guard lock(published_->mutex);
    Json pane = Json::object(), warnings = Json::list();
    for (const std::string& note : published_->notes) warnings.add(note);
    pane.set("name", name_);
    pane.set("bodies", describe_bodies(published_->stage->model));
    pane.set("fields", describe_fields(*published_->stage));
    pane.set("frames", Json::list());
    pane.set("box", describe_box(published_->box));
    pane.set("stats", Json::list());
    pane.set("warnings", std::move(warnings));
    return pane;
  }
  std::span<const record::FrameStamp> frames() const override { return {}; }
  const std::shared_ptr<const Stage>& stage() const override { return stage_; }
  Result<std::shared_ptr<Moment>> at(int64_t) override {
    const std::lock_guard lock(published_->mutex);
    return std::shared_ptr<Moment>(published_->newest);
  }

 protected:
  Result<std::shared_ptr<Moment>> load(int64_t index) override { return at(index); }

 private:
  std::string name_;
  std::shared_ptr<Published> published_;
  std::shared_ptr<const Stage> stage_;  // that it began with
};

class LiveScene final : public Live {
 public:
  LiveScene(scene::Scene scene, scene::Built built, LiveOptions options)
      : scene_(std::move(scene)), built_(std::move(built)), options_(std::move(options)) {}
  ~LiveScene() override {
    cancel_.request();
    {
      const std::lock_guard lock(mutex_);
      quit_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  Result<void> start() {
    Result<record::Simulation> simulation = record::Simulation::make(scene_, built_);
    if (!simulation) return simulation.error();
    simulation_.emplace(std::move(*simulation));
    published_->notes = built_.notes;
    published_->box = mesh::bounding_box(simulation_->state().x());
    renew_stage();
    publish({});
    describe_anew();
    thread_ = std::thread([this] { run(); });
    return {};
  }
  const std::shared_ptr<Published>& published() const { return published_; }

  void play() override {
    set_playing(true);
    wake_.notify_all();
  }
  void pause() override { set_playing(false); }
  void step() override { order(Json("step")); }
  void save() override { order(Json("save")); }
  void edit(Json edit) override { order(std::move(edit)); }
  bool playing() const override { return playing_; }
  Json describe() const override {
    const std::lock_guard lock(published_->mutex);
    return published_->described;
  }
  void listen(Ears ears) override {
    const std::lock_guard lock(ears_mutex_);
    ears_ = std::move(ears);
  }

 private:
  void set_playing(bool playing) {
    if (playing_.exchange(playing) != playing) tell(state_text());
  }
  Json state_text() const {
    Json json = say("state");
    json.set("playing", playing_.load());
    return json;
  }

  // While the hand moves during a long step only its last place counts.
  void order(Json order) {
    {
      const std::lock_guard lock(mutex_);
      const auto replaces = [&](const Json& last) {
        const std::string& word = order["do"].text();
        return (word == "move" || word == "pose" || word == "input") && last["do"].text() == word &&
               last["name"] == order["name"];
      };
      if (!orders_.empty() && replaces(orders_.back()))
        orders_.back() = std::move(order);
      else if (orders_.size() < most_waiting)
        orders_.push_back(std::move(order));
    }
    wake_.notify_all();
  }

  void tell(const Json& text) {
    const std::lock_guard lock(ears_mutex_);
    if (ears_.on_text) ears_.on_text(text);
  }

  // The thread of the simulation.
  void run() {
    while (true) {
      std::deque<Json> orders;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return quit_ || playing_ || !orders_.empty(); });
        if (quit_) return;
        orders.swap(orders_);
      }
      bool once = false;
      try {
        for (const Json& order : orders) {
          if (order.is(Json::Kind::text))
            order.text() == "save" ? write_session() : void(once = true);
          else
            apply(order);
        }
        if (playing_ || once) advance();
      } catch (const std::bad_alloc&) {
        set_playing(false);
        tell(say("error", "out of memory"));
      }
    }
  }

  void apply(const Json& edit) {
    const std::string& word = edit["do"].text();
    const Result<void> ok = word == "reset" ? simulation_->reset() : simulation_->apply(edit);
    if (!ok) return tell(say("error", ok.error().text()));
    if (word == "set" || word == "method") renew_stage();
    if (word == "set" || word == "method" || word == "reset") {
      publish({});
      describe_anew();
      Json text = state_text();
      text.set("scene", describe());
      text.set("reset", simulation_->frame() == 0);
      tell(text);
    }
  }

  void advance() {
    const auto begin = Clock::now();
    record::FrameTotals totals;
    const record::Advanced advanced = simulation_->advance(totals, control());
    if (advanced == record::Advanced::cancelled) return;
    if (advanced != record::Advanced::taken) {
      set_playing(false);
      return tell(
          say("error", fmt::format("frame {} could not be computed ({}); undo the last change, or reset",
                                   simulation_->frame() + 1,
                                   advanced == record::Advanced::failed ? "no acceptable solution was found"
                                                                        : "the result is not a number")));
    }
    totals.stepped = true;
    publish(totals);
    if (!playing_) return;
    const auto frame = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(1 / simulation_->built().time.fps));
    std::unique_lock lock(mutex_);
    wake_.wait_until(lock, begin + frame, [&] { return quit_ || !playing_; });
  }

  Control control() {
    Control control{&cancel_, {}};
    control.on_residual = [this, iteration = 0, last = Clock::time_point()](double relative) mutable {
      ++iteration;
      if (Clock::now() - last < residual_pace) return;
      last = Clock::now();
      Json text = say("residual");
      text.set("iteration", iteration);
      text.set("relative", relative);
      tell(text);
    };
    return control;
  }

  // A copy of the model: the simulation may put another in its place while a message is being made.
  void renew_stage() {
    const auto model = std::make_shared<const model::Model>(simulation_->built().model);
    stage_ = std::make_shared<ModelStage>(*model, model);
    const std::lock_guard lock(published_->mutex);
    published_->stage = stage_;
  }

  void publish(const record::FrameTotals& totals) {
    const model::Model& model = simulation_->built().model;
    if (terms_of_ != simulation_->models()) {
      terms_ = energy::make_terms(model);
      terms_of_ = simulation_->models();
    }
    const measure::Snapshot snapshot(model, model.params, simulation_->state(), &terms_);
    auto moment = std::make_shared<ModelMoment>(simulation_->frame(), stage_, simulation_->state());
    // From the model of now, whose inputs and links edits have changed.
    moment->set_marks(find_marks(snapshot));
    moment->set_line(totals.line(simulation_->frame(), snapshot));
    Json inputs = Json::object();
    for (const model::InputCurve::Block& block : model.inputs.blocks())
      if (block.name != record::hand_input)
        inputs.set(block.name, Json::numbers(snapshot.inputs().subspan(block.first, block.width)));
    moment->set_inputs(std::move(inputs));
    {
      const std::lock_guard lock(published_->mutex);
      published_->newest = std::move(moment);
    }
    const std::lock_guard lock(ears_mutex_);
    if (ears_.on_frame) ears_.on_frame();
  }

  void describe_anew() {
    Json json = Json::object(), methods = Json::list(), inputs = Json::list(), attachments = Json::list();
    const scene::Built& built = simulation_->built();
    const model::Model& model = built.model;
    for (const step::Method* method : step::methods())
      if (method->lacks(model, scene::settings_for(simulation_->scene(), *method)).empty())
        methods.add(method->name);
    std::vector<double> values(model.inputs.size());
    model.inputs.evaluate(simulation_->state().time(), values);
    for (const model::InputCurve::Block& block : model.inputs.blocks()) {
      if (block.name == record::hand_input) continue;
      Json entry = Json::object();
      const bool pose = !block.poses.empty();
      entry.set("name", block.name);
      entry.set("kind", pose ? "pose" : "number");
      entry.set("width", block.width);
      entry.set("value", Json::numbers(std::span(values).subspan(block.first, block.width)));
      if (pose) entry.set("about", Json::numbers(record::centre_of_pose(model, block.first).v));
      inputs.add(std::move(entry));
    }
    for (const model::Attachment& attachment : model.attachments) {
      Json entry = Json::object();
      entry.set("name", attachment.name);
      for (const model::InputCurve::Block& block : model.inputs.blocks())
        if (block.first == attachment.pose) entry.set("input", block.name);
      entry.set("nodes", attachment.nodes.size());
      attachments.add(std::move(entry));
    }
    json.set("method", built.method->name);
    json.set("methods", std::move(methods));
    json.set("inputs", std::move(inputs));
    json.set("numbers", scene_numbers(simulation_->scene()));
    json.set("attachments", std::move(attachments));
    json.set("fps", built.time.fps);
    json.set("frames", built.time.frames);
    const std::lock_guard lock(published_->mutex);
    published_->described = std::move(json);
  }

  void write_session() {
    const fs::path path = fs::absolute(options_.session);
    if (auto ok = io::write_atomically(path.string(), record::session_of(*simulation_).pretty()); !ok)
      return tell(say("error", ok.error().text()));
    const std::string note =
        fmt::format("{} edits up to frame {} are in {}; repeat them with sinew run --session",
                    simulation_->edits().size(), simulation_->frame(), path.string());
    tell(say("note", note));
    if (options_.on_note) options_.on_note(note);
  }

  const scene::Scene scene_;
  const scene::Built built_;
  const LiveOptions options_;
  const std::shared_ptr<Published> published_ = std::make_shared<Published>();
  Cancel cancel_;
  std::atomic<bool> playing_{false};

  std::mutex mutex_;  // of orders_ and quit_
  std::condition_variable wake_;
  std::deque<Json> orders_;  // edits, and the words "step" and "save"
  bool quit_ = false;
  std::mutex ears_mutex_;
  Ears ears_;

  // Of the thread.
  std::optional<record::Simulation> simulation_;
  std::shared_ptr<const ModelStage> stage_;
  energy::Terms terms_;
  int64_t terms_of_ = -1;
  std::thread thread_;
};

}  // namespace

Result<OpenedLive> open_live(const std::string& path, const std::vector<std::string>& overrides,
                             LiveOptions options) {
  return unless_out_of_memory(path, [&]() -> Result<OpenedLive> {
    scene::Problems problems;
    auto scene = scene::load_scene(path, overrides, problems);
    auto built = scene ? scene::build(*scene, problems) : std::nullopt;
    if (!built) {
      Error error = problems.list()[0];
      if (problems.count() > 1)
        error.what += fmt::format(" (and {} more problems; `sinew check` lists them)", problems.count() - 1);
      return error;
    }
    const std::string name = fs::path(path).filename().string();
    auto live = std::make_unique<LiveScene>(std::move(*scene), std::move(*built), std::move(options));
    if (auto ok = live->start(); !ok) return ok.error();
    OpenedLive opened;
    opened.source = std::make_unique<LiveSource>(name, live->published());
    opened.live = std::move(live);
    return opened;
  });
}

}  // namespace sinew::view

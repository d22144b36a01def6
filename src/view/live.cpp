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
#include "mesh/properties.h"
#include "run/simulation.h"
#include "run/statistics.h"
#include "view/extent.h"
#include "view/model_moment.h"
#include "view/scene_description.h"

namespace sinew::view {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t max_waiting = 10000;  // edits during one step
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

// The part of the simulation that other threads look at.
struct Published {
  std::mutex mutex;
  std::shared_ptr<ModelMoment> newest;
  std::shared_ptr<const Stage> stage;
  Json described;    // method, methods, inputs, numbers, attachments
  mesh::Bounds box;  // of all frames so far
  std::vector<std::string> notes;
};

class LiveSource final : public Source {
 public:
  LiveSource(std::string name, std::shared_ptr<Published> published)
      : name_(std::move(name)), published_(std::move(published)), stage_(published_->stage) {}

  mesh::Bounds box() override {
    const std::lock_guard lock(published_->mutex);
    return published_->box;
  }
  Json describe() override {
    const std::lock_guard lock(published_->mutex);
    Json pane = Json::object(), warnings = Json::list();
    for (const std::string& note : published_->notes) warnings.add(note);
    pane.set("name", name_);
    pane.set("bodies", describe_bodies(*published_->stage));
    pane.set("colliders", describe_colliders(published_->stage->model));
    pane.set("fields", describe_fields(*published_->stage));
    pane.set("frames", Json::list());
    pane.set("box", describe_box(published_->box));
    pane.set("stats", Json::list());
    pane.set("warnings", std::move(warnings));
    return pane;
  }
  std::span<const exporting::FrameStamp> frames() const override { return {}; }
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
    Result<run::Simulation> simulation = run::Simulation::make(scene_, built_);
    if (!simulation) return simulation.error();
    simulation_.emplace(std::move(*simulation));
    published_->notes = built_.notes;
    renew_stage();
    publish_start();
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
      else if (orders_.size() < max_waiting)
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
        bool moved = false;
        for (const Json& order : orders) {
          if (order.is(Json::Kind::text))
            order.text() == "save" ? write_session() : void(once = true);
          else
            moved |= apply(order);
        }
        if (playing_ || once)
          advance();
        else if (moved)
          publish(simulation_->built().time.time_of(simulation_->frame() + 1));  // where edits lead
      } catch (const std::bad_alloc&) {
        set_playing(false);
        tell(say("error", "out of memory"));
      }
    }
  }

  // True: of the inputs, which the last frame now shows wrongly.
  bool apply(const Json& edit) {
    const std::string& word = edit["do"].text();
    // The page may not know yet that its hand was taken away.
    if ((word == "move" || word == "release") && !simulation_->holding()) return false;
    const Result<void> ok = word == "reset" ? simulation_->reset() : simulation_->apply(edit);
    if (!ok) {
      tell(say("error", ok.error().text()));
      return false;
    }
    if (word == "set" || word == "method") renew_stage();
    if (word == "set" || word == "method" || word == "reset") {
      simulation_->frame() == 0 ? publish_start() : publish(simulation_->state().time());
      describe_anew();
      Json text = state_text();
      text.set("scene", describe());
      text.set("reset", simulation_->frame() == 0);
      tell(text);
    }
    return word == "pose" || word == "input";
  }

  void advance() {
    const auto begin = Clock::now();
    run::FrameTotals totals;
    const model::State before = simulation_->state();
    const run::Advanced advanced = simulation_->advance(totals, control());
    if (advanced == run::Advanced::cancelled) return;
    if (advanced == run::Advanced::failed) return give_way(totals);
    if (totals.sum.status == step::StepStatus::stalled && pulled_too_far()) {
      simulation_->go_on_from(simulation_->frame() - 1, before);
      return give_way(totals);
    }
    totals.stepped = true;
    totals_ = totals;
    publish(simulation_->state().time());
    if (!playing_) return;
    const auto frame = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(1 / simulation_->built().time.fps));
    std::unique_lock lock(mutex_);
    wake_.wait_until(lock, begin + frame, [&] { return quit_ || !playing_; });
  }

  // A hand holds a body that has no equilibrium with it; methods that work to a budget need not find one.
  bool pulled_too_far() const {
    const scene::Built& built = simulation_->built();
    return simulation_->holding() && built.settings.mode == step::Mode::quasistatic &&
           !built.method->budgeted;
  }

  // A frame was not taken, and the state is that of the frame before. A hand that pulls too far is the usual cause: it lets
  // go, which is an edit like any other, and the scene goes on.
  void give_way(const run::FrameTotals& totals) {
    const bool held = simulation_->holding();
    if (held) {
      Json release = Json::object();
      release.set("do", "release");
      if (const Result<void> ok = simulation_->apply(release); !ok) tell(say("error", ok.error().text()));
      Json text = state_text();
      text.set("released", true);
      tell(text);
    } else {
      set_playing(false);
    }
    tell(say("error", fmt::format("frame {} could not be computed ({}); {}", simulation_->frame() + 1,
                                  totals.sum.reason ? totals.sum.reason->text() : "no reason is known",
                                  held ? "the hand let go" : "undo the last change, or reset")));
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
    stage_ = std::make_shared<ModelStage>(*model, model, simulation_->built().skins);
    const std::lock_guard lock(published_->mutex);
    published_->stage = stage_;
  }

  // Frame 0: nothing has been stepped, and the box is that of the start.
  void publish_start() {
    totals_ = {};
    first_ = true;
    publish(simulation_->state().time());
  }

  // The state, and inputs and colliders at that time [s]: its own, or that of the next frame after an edit.
  void publish(double inputs_at) {
    const model::Model& model = simulation_->built().model;
    if (terms_of_ != simulation_->models()) {
      terms_ = energy::make_terms(model);
      terms_of_ = simulation_->models();
    }
    const measure::Snapshot snapshot(model, model.params, simulation_->state(), &terms_);
    auto moment = std::make_shared<ModelMoment>(simulation_->frame(), stage_, simulation_->state());
    // From the model of now, whose inputs and links edits have changed.
    moment->set_marks(find_marks(snapshot));
    std::vector<double> now(static_cast<size_t>(model.inputs.size()));
    model.inputs.evaluate(inputs_at, now);
    moment->set_line(totals_.line(simulation_->frame(), snapshot));
    Json inputs = Json::object();
    for (const model::InputCurve::Block& block : model.inputs.blocks())
      if (block.name != run::hand_input)
        inputs.set(block.name, Json::numbers(std::span(now).subspan(block.first, block.width)));
    moment->set_inputs(std::move(inputs));
    const mesh::Bounds box = extent_of(model, simulation_->state().x(), now);
    moment->set_input_vector(std::move(now));
    {
      const std::lock_guard lock(published_->mutex);
      published_->newest = std::move(moment);
      if (std::exchange(first_, false))
        published_->box = box;
      else
        grow(published_->box, box);
    }
    const std::lock_guard lock(ears_mutex_);
    if (ears_.on_frame) ears_.on_frame();
  }

  void describe_anew() {
    Json json = describe_scene(*simulation_);
    const std::lock_guard lock(published_->mutex);
    published_->described = std::move(json);
  }

  void write_session() {
    const fs::path path = fs::absolute(options_.session);
    if (auto ok = io::write_atomically(path.string(), run::session_of(*simulation_).pretty()); !ok)
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

  // Used by the simulation's thread alone.
  std::optional<run::Simulation> simulation_;
  std::shared_ptr<const ModelStage> stage_;
  energy::Terms terms_;
  int64_t terms_of_ = -1;
  run::FrameTotals totals_;  // of the last frame
  bool first_ = false;       // the next that is published is frame 0
  std::thread thread_;
};

}  // namespace

Result<OpenedLive> open_live(const std::string& path, const std::vector<std::string>& overrides,
                             LiveOptions options) {
  return unless_out_of_memory(path, [&]() -> Result<OpenedLive> {
    json::Diagnostics diagnostics;
    auto scene = scene::load_scene(path, overrides, diagnostics);
    auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
    if (!built) {
      Error error = diagnostics.list()[0];
      if (diagnostics.count() > 1)
        error.what +=
            fmt::format(" (and {} more problems; `sinew check` lists them)", diagnostics.count() - 1);
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

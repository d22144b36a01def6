// Who is first at which relative residual, on the examples that docs/pbng.md compares methods on. newton and hybrid run
// once for each target and stop there, as their last iteration depends on the tolerance; the sweeps of pbng do not, so that
// one run holds all its targets. All of them take turns; iterates are evaluated outside the timed runs (compare/compare.h).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/parallel.h"
#include "bench/bench.h"
#include "compare/compare.h"
#include "compare/summary.h"

namespace sinew::bench {

namespace {

struct Example {
  const char* name;   // in docs/pbng.md
  const char* scene;  // a file below the examples, or the text of one
  std::vector<std::string> overrides;
  int64_t step;
  int runs;       // for one of --repeats: short ones need more
  double budget;  // of a method [s]
};

// A bunny of 60,000 tets on four small regions, under its weight; where ../shared/data has it.
constexpr const char* surface = "surfaces/bunny_10k.obj";
constexpr const char* standing = R"({
  "sinew": 1,
  "bodies": {"bunny": {
    "mesh": {"surface": "surfaces/bunny_10k.obj", "tets": 60000},
    "material": {"model": "stable_neo_hookean", "young": 1e6, "poisson": 0.4}, "density": 1000,
    "select": {"feet": {"union": [
      {"sphere": {"centre": [-0.3636, 0.0084, 0.0117], "radius": 0.03}}, {"sphere": {"centre": [0.2791, 0.009, 0.0745], "radius": 0.03}},
      {"sphere": {"centre": [-0.1297, 0.0056, -0.1929], "radius": 0.03}}, {"sphere": {"centre": [-0.1027, 0.0091, 0.2697], "radius": 0.03}}]}}}},
  "attach": [{"what": "bunny.feet", "name": "floor"}],
  "contact": {"self": false},
  "gravity": [0, -9.81, 0],
  "solve": {"mode": "quasistatic", "method": "newton"},
  "time": {"fps": 1, "frames": 1}
})";

const std::vector<Example>& examples() {
  static const std::vector<Example> list = {
      {"S1", "08_stretch/scene.json", {"bodies.block.mesh.box.cells=[31,31,31]"}, 1, 1, 6},
      {"S9", "16_muscle_bundle/full.json", {"connect.0.stiffness=1e8", "expect={}"}, 1, 1, 2},
      {"S11", "09_hanging_blocks/scene.json", {}, 1, 5, 0.5},
      {"S12", "10_bar_gravity/scene.json", {}, 1, 5, 0.5},
      {"S15", "11_oscillating_block/scene.json", {}, 7, 5, 0.5},
      {"standing", standing, {}, 1, 1, 6},
  };
  return list;
}

constexpr const char* plain = "pbng:acceleration=none:levels=single";
constexpr const char* chebyshev = "pbng:acceleration=chebyshev:levels=single";
constexpr const char* multi = "pbng:levels=multi";

std::string stopping_at(const char* method, double target) {
  return fmt::format("{}:tolerance={}", method, compare::target_text(target));
}

// Infinite where the method did not come there.
double seconds_to(const compare::Comparison& comparison, const std::string& label, double target) {
  const auto curve = std::find_if(comparison.curves.begin(), comparison.curves.end(),
                                  [&](const compare::Curve& one) { return one.entry.label == label; });
  const compare::Point* point = compare::first_below(*curve, target);
  return point ? point->seconds : std::numeric_limits<double>::infinity();
}

Result<compare::Comparison> compare_on(const scene::Scene& scene, const scene::Built& built,
                                       const compare::Options& options) {
  std::string methods = fmt::format("{},{},{}", plain, chebyshev, multi);
  for (const double target : compare::targets)
    methods += "," + stopping_at("newton", target) + "," + stopping_at("hybrid", target);
  const auto entries = compare::parse_entries(scene, built.model, methods);
  if (!entries) return entries.error();
  const auto newton = scene::settings_for(scene, *step::find_method("newton"));
  return compare::run(built, newton, *entries, options, {}, nullptr);
}

void emit_targets(const compare::Comparison& comparison, const json::Json& head, const Emit& emit) {
  for (const double target : compare::targets) {
    const double seconds[] = {
        seconds_to(comparison, plain, target), seconds_to(comparison, chebyshev, target),
        seconds_to(comparison, multi, target), seconds_to(comparison, stopping_at("newton", target), target)};
    const double hybrid = seconds_to(comparison, stopping_at("hybrid", target), target);
    json::Json row = head;
    const auto set = [&](const char* key, double value) {
      row.set(key, std::isfinite(value) ? json::Json(value) : json::Json());
    };
    row.set("target", target);
    set("seconds", hybrid);
    row.set("unit", "solve by hybrid");
    set("pbng_plain", seconds[0]);
    set("pbng_chebyshev", seconds[1]);
    set("pbng_multi", seconds[2]);
    set("newton", seconds[3]);
    const double best = *std::min_element(std::begin(seconds), std::end(seconds));
    set("hybrid_over_best_other", std::isfinite(best) ? hybrid / best : best);
    emit(row);
  }
}

void run_example(const Example& example, int threads, const Options& options, const Emit& emit) {
  json::Json head = json::Json::object();
  head.set("case", "targets");
  head.set("scene", example.name);
  json::Diagnostics diagnostics;
  const std::filesystem::path data = options.examples / "../../shared/data";
  const bool is_text = example.scene[0] == '{';
  if (is_text && !std::filesystem::exists(data / surface)) return;
  const auto scene =
      is_text ? scene::parse_scene(example.scene, example.name, data, example.overrides, diagnostics)
              : scene::load_scene(options.examples / example.scene, example.overrides, diagnostics);
  const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) {
    head.set("error", diagnostics.text());
    emit(head);
    return;
  }
  const int repeats = options.repeats * example.runs;
  head.set("tets", built->model.elements.size());
  head.set("threads", threads);
  head.set("precision", "double");
  head.set("runs", repeats);
  const auto comparison =
      compare_on(*scene, *built, {.budget = example.budget, .step = example.step, .repeats = repeats});
  if (comparison) {
    emit_targets(*comparison, head, emit);
  } else {
    head.set("error", comparison.error().text());
    emit(head);
  }
}

}  // namespace

void run_targets(const Options& options, const Emit& emit) {
  for (const int threads : options.threads) {
    set_thread_count(threads);
    for (const Example& example : examples()) run_example(example, threads, options, emit);
  }
}

}  // namespace sinew::bench

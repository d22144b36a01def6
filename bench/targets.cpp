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
  const char* name;  // in docs/pbng.md
  const char* folder;
  std::vector<std::string> overrides;
  int64_t step;
  int runs;       // for one of --repeats: short ones need more
  double budget;  // of a method [s]
};

const std::vector<Example>& examples() {
  static const std::vector<Example> list = {
      {"S1", "08_stretch", {"bodies.block.mesh.box.cells=[31,31,31]"}, 1, 1, 6},
      {"S11", "09_hanging_blocks", {}, 1, 5, 0.5},
      {"S12", "10_bar_gravity", {}, 1, 5, 0.5},
      {"S15", "11_oscillating_block", {}, 7, 5, 0.5},
  };
  return list;
}

constexpr const char* plain = "pbng:acceleration=none";
constexpr const char* chebyshev = "pbng:acceleration=chebyshev";

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
  std::string methods = fmt::format("{},{}", plain, chebyshev);
  for (const double target : compare::targets)
    methods += "," + stopping_at("newton", target) + "," + stopping_at("hybrid", target);
  const auto entries = compare::parse_entries(scene, built.model, methods);
  if (!entries) return entries.error();
  const auto newton = scene::settings_for(scene, *step::find_method("newton"));
  return compare::run(built, newton, *entries, options, {}, nullptr);
}

void emit_targets(const compare::Comparison& comparison, const json::Json& head, const Emit& emit) {
  for (const double target : compare::targets) {
    const double seconds[] = {seconds_to(comparison, plain, target),
                              seconds_to(comparison, chebyshev, target),
                              seconds_to(comparison, stopping_at("newton", target), target)};
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
    set("newton", seconds[2]);
    const double best = *std::min_element(seconds, seconds + 3);
    set("hybrid_over_best_other", std::isfinite(best) ? hybrid / best : best);
    emit(row);
  }
}

void run_example(const Example& example, int threads, const Options& options, const Emit& emit) {
  json::Json head = json::Json::object();
  head.set("case", "targets");
  head.set("scene", example.name);
  json::Diagnostics diagnostics;
  const auto path = options.examples / example.folder / "scene.json";
  const auto scene = scene::load_scene(path, example.overrides, diagnostics);
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

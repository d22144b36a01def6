#include <array>
#include <atomic>
#include <numbers>
#include <numeric>
#include <sys/resource.h>
#include <thread>

#include "base/parallel.h"
#include "batch/fallback_chain.h"
#include "batch/input_path.h"
#include "bench/bench.h"
#include "math/random.h"
#include "mesh/shapes.h"
#include "model/add_body.h"
#include "solve/lane_newton.h"

namespace sinew::bench {

namespace {

// A block of stable neo-Hookean material, one face held; samples differ in the pose of the other one.
struct Poses {
  scene::Built built;
  std::vector<std::vector<double>> inputs;
  std::vector<batch::Sample> samples;

  Poses(const std::array<int32_t, 3>& cells, int count) {
    model::Model& model = built.model;
    const auto mesh = mesh::make_box({.size = {2, 1, 1}, .cells = cells, .split = mesh::Split::five});
    model::add_body(model, "block", element::default_kind(), *mesh);
    model::ElasticSet set{0, material::find_law("stable_neo_hookean"),
                          std::vector<int32_t>(model.elements.size())};
    std::iota(set.elements.begin(), set.elements.end(), 0);
    model.sets.push_back(std::move(set));
    model.params.material.push_back({{{1e5}}, {{0.4}}});
    model.params.density.push_back({{1000}});
    for (const char* side : {"xmin", "xmax"}) {
      model::Attachment held;
      held.name = side;
      held.nodes = mesh->vertex_groups.at(side);
      held.pose = model.inputs.add_pose(side, {{}});
      model.attachments.push_back(held);
    }
    built.method = step::find_method("newton");
    built.settings.options = FieldValues(built.method->fields);
    built.time = {1, 1, 1};
    const math::Random random(7);
    for (int k = 0; k < count; ++k) {
      const auto number = [&](int i, double most) { return random.uniform(8 * k + i, -most, most); };
      const math::Vec3d axis = normalized(math::Vec3d{number(0, 1), number(1, 1), number(2, 1) + 1e-3});
      const math::Mat3d R = model::rotation(axis, number(3, 40 * std::numbers::pi / 180));
      const math::Vec3d centre = {2, 0.5, 0.5};
      const math::Vec3d b = centre + math::Vec3d{number(4, 0.3), number(5, 0.3), number(6, 0.3)} - R * centre;
      std::vector<double>& to = inputs.emplace_back(model.inputs.size());
      model.inputs.evaluate(0, to);
      double* pose = to.data() + model.attachments[1].pose;
      for (int i = 0; i < 9; ++i) pose[i] = R.c[i / 3][i % 3];
      for (int i = 0; i < 3; ++i) pose[9 + i] = b[i];
    }
    for (const auto& to : inputs) samples.push_back({&built, to, 1, {}});
  }
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

// Each sample by one step of the method, with the threads inside it.
int64_t one_by_one(const Poses& poses, const char* name, int threads) {
  set_thread_count(threads);
  const step::Method& method = *step::find_method(name);
  step::Settings settings;
  settings.options = FieldValues(method.fields);
  const auto stepper = method.make(poses.built.model, settings);
  model::StateLayout layout;
  (*stepper)->declare(layout);
  int64_t solved = 0;
  for (const batch::Sample& sample : poses.samples) {
    model::State state = poses.built.model.make_state(layout);
    const double end[] = {1.0};
    const model::InputCurve curve = batch::input_path(poses.built.model.inputs, sample.inputs, end);
    solved += (*stepper)->step(curve, 1, state, {}).status == step::StepStatus::converged;
  }
  return solved;
}

template <class Work>
void on_threads(int threads, const Work& work) {
  std::vector<std::jthread> others;
  for (int k = 1; k < threads; ++k) others.emplace_back(work);
  work();
}

int64_t threads_over_samples(const Poses& poses, int threads) {
  std::atomic<size_t> next{0};
  std::atomic<int64_t> solved{0};
  on_threads(threads, [&] {
    const SerialLoops serial;
    batch::FallbackChain chain(1e-6);
    for (size_t i = next++; i < poses.samples.size(); i = next++)
      solved += chain.solve(poses.samples[i], {}).solved;
  });
  return solved;
}

int64_t in_lanes(const Poses& poses, int threads) {
  std::atomic<size_t> next{0};
  std::atomic<int64_t> solved{0};
  on_threads(threads, [&] {
    const SerialLoops serial;
    solve::LaneNewton newton(poses.built.model);
    newton.solve(
        [&](solve::LaneProblem& problem) {
          const size_t i = next++;
          if (i >= poses.samples.size()) return false;
          problem = {i, &poses.built.model, poses.inputs[i], poses.built.model.X};
          return true;
        },
        [&](const solve::LaneOutcome& outcome) { solved += outcome.status == solve::SolveStatus::converged; },
        1e-6, {});
  });
  return solved;
}

}  // namespace

void run_batch(const Options& options, const Emit& emit) {
  struct Body {
    std::array<int32_t, 3> cells;
    int samples;
  };
  for (const Body& body :
       {Body{{5, 5, 4}, 256}, Body{{6, 6, 6}, 128}, Body{{8, 8, 8}, 64}, Body{{10, 10, 10}, 32}}) {
    const Poses poses(body.cells, body.samples);
    const model::Model& model = poses.built.model;
    solve::LaneSystem shape(model);
    double best_alone = 0;
    const auto measure = [&](const std::string& way, int threads, bool alone,
                             const std::function<int64_t()>& run) {
      std::vector<double> seconds;
      int64_t solved = 0;
      const double cpu = cpu_seconds();
      for (int r = 0; r < options.repeats; ++r) seconds.push_back(seconds_of([&] { solved = run(); }));
      const double used = cpu_seconds() - cpu, wall = std::accumulate(seconds.begin(), seconds.end(), 0.0);
      const double rate = body.samples / median(seconds);
      if (alone) best_alone = std::max(best_alone, rate);
      json::Json row = json::Json::object();
      row.set("case", "batch");
      row.set("way", way);
      row.set("tets", model.elements.size());
      row.set("threads", threads);
      row.set("precision", "double");
      row.set("seconds", 1 / rate);
      row.set("unit", "sample");
      row.set("samples_per_second", rate);
      row.set("over_best_one_by_one", best_alone > 0 ? rate / best_alone : 0);
      row.set("cpu_seconds", used / options.repeats / body.samples);
      row.set("cpu_share", used / (wall * threads));
      row.set("solved", solved);
      row.set("of", body.samples);
      if (way == "lanes") {
        row.set("flops_of_factorisation", 54.0 * static_cast<double>(shape.matrix().products()));
        row.set("MB_of_factor", 576e-6 * static_cast<double>(shape.matrix().blocks()));
      }
      emit(row);
    };
    for (const char* method : {"newton", "hybrid"})
      for (int threads : options.threads)
        measure(std::string(method) + " one by one", threads, true,
                [&] { return one_by_one(poses, method, threads); });
    for (int threads : options.threads)
      measure("threads over samples", threads, false, [&] { return threads_over_samples(poses, threads); });
    for (int threads : options.threads)
      measure("lanes", threads, false, [&] { return in_lanes(poses, threads); });
  }
  set_thread_count(0);
}

void run_batch_many(const Options& options, const Emit& emit) {
  constexpr int count = 10000;
  const Poses poses({10, 10, 10}, count);
  for (int threads : options.threads) {
    if (threads == 1 && options.threads.size() > 1) continue;
    std::vector<batch::Solution> solutions;
    const double cpu = cpu_seconds();
    const double wall =
        seconds_of([&] { solutions = batch::solve(poses.samples, {.threads = threads}, {}); });
    const double used = cpu_seconds() - cpu;
    json::Json row = json::Json::object();
    row.set("case", "batch_many");
    row.set("tets", poses.built.model.elements.size());
    row.set("threads", threads);
    row.set("precision", "double, matrix single");
    row.set("seconds", wall / count);
    row.set("unit", "sample");
    row.set("samples_per_second", count / wall);
    row.set("cpu_share", used / (wall * threads));
    for (const char* rung : {"lanes", "warm", "path", "increments", "hybrid", ""})
      row.set(*rung ? rung : "failed",
              std::count_if(solutions.begin(), solutions.end(),
                            [&](const auto& solution) { return solution.rung == rung; }));
    emit(row);
  }
}

}  // namespace sinew::bench

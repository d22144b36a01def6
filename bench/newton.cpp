#include <algorithm>

#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/block.h"
#include "step/stepper.h"

namespace sinew::bench {

namespace {

struct Pass {
  std::vector<double> seconds;  // of each increment
  std::vector<std::vector<math::Vec3d>> x;
  int iterations = 0, linear_iterations = 0;
  double assembly = 0, linear = 0, evaluation = 0, total = 0;
  double worst_residual = 0;
  std::string solver;
};

constexpr int increments = 10;

Pass stretch(const model::Model& model, double tolerance) {
  const step::Method& newton = *step::find_method("newton");
  step::Settings settings;
  settings.tolerance = tolerance;
  settings.options = FieldValues(newton.fields);
  const auto stepper = newton.make(model, settings);
  model::StateLayout layout;
  (*stepper)->declare(layout);
  model::State state = model.make_state(layout);
  Pass pass;
  for (int i = 1; i <= increments; ++i) {
    step::StepReport report;
    const double t = seconds_of(
        [&] { report = (*stepper)->step(model.inputs, static_cast<double>(i) / increments, state, {}); });
    pass.seconds.push_back(t);
    pass.total += t;
    pass.iterations += report.iterations;
    pass.linear_iterations += report.linear_iterations;
    pass.worst_residual = std::max(pass.worst_residual, report.relative_residual);
    pass.solver = report.linear_solver;
    for (const auto& [phase, seconds] : report.seconds)
      (phase == "assembly" ? pass.assembly : phase == "linear" ? pass.linear : pass.evaluation) += seconds;
    pass.x.emplace_back(state.x().begin(), state.x().end());
  }
  return pass;
}

}  // namespace

void run_newton(const Options& options, const Emit& emit) {
  const model::Model model = make_block(31);
  const Pass reference = stretch(model, 1e-10);
  for (int threads : options.threads) {
    set_thread_count(threads);
    std::vector<double> means;
    Pass pass;
    for (int r = 0; r < options.repeats; ++r) {
      pass = stretch(model, 1e-6);
      means.push_back(pass.total / increments);
    }
    double error = 0;
    for (int i = 0; i < increments; ++i)
      for (size_t k = 0; k < pass.x[i].size(); ++k)
        error = std::max(error, norm(pass.x[i][k] - reference.x[i][k]));
    json::Json row = json::Json::object();
    row.set("case", "newton");
    row.set("nodes", model.X.size());
    row.set("tets", model.elements.size());
    row.set("threads", threads);
    row.set("precision", "double, matrix single");
    row.set("seconds", median(means));
    row.set("unit", "increment");
    row.set("fastest_run", *std::min_element(means.begin(), means.end()));
    row.set("slowest_run", *std::max_element(means.begin(), means.end()));
    row.set("newton_per_increment", static_cast<double>(pass.iterations) / increments);
    row.set("cg_per_increment", static_cast<double>(pass.linear_iterations) / increments);
    row.set("relative_residual", pass.worst_residual);
    row.set("position_error_of_size", error);
    row.set("linear_solver", pass.solver);
    row.set("share_assembly", pass.assembly / pass.total);
    row.set("share_linear", pass.linear / pass.total);
    row.set("share_evaluation", pass.evaluation / pass.total);
    row.set("peak_memory_MB", static_cast<double>(peak_memory()) * 1e-6);
    emit(row);
  }
}

}  // namespace sinew::bench

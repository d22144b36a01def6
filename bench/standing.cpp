// Equilibria of millions of tets that stand on ten nodes under their weight, by newton with its defaults.
#include <algorithm>

#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/held_bodies.h"
#include "step/stepper.h"

namespace sinew::bench {

namespace {

constexpr double young = 1e7;  // [Pa]: with 1e5 single nodes would be pushed into the body
constexpr int64_t sizes[] = {300000, 2400000};

}  // namespace

void run_standing(const Options& options, const Emit& emit) {
  set_thread_count(options.threads.back());
  for (const HeldBody& body : standing_bodies(options.examples / "../../shared/data"))
    for (const int64_t tets : sizes) {
      const std::string name = body.name + fmt::format(", {} tets", tets);
      if (!std::all_of(options.only.begin(), options.only.end(),
                       [&](const std::string& text) { return name.find(text) != std::string::npos; }))
        continue;
      model::Model model = body.make(tets, 0.4);
      model.params.material[0][0] = {{young}};
      model.gravity = model.inputs.add_numbers("gravity", {{0, {0, -9.81, 0}}});
      const auto before = static_cast<double>(peak_memory());

      const step::Method& newton = *step::find_method("newton");
      step::Settings settings;
      settings.tolerance = 1e-6;
      settings.options = FieldValues(newton.fields);
      step::StepReport report;
      const double seconds = seconds_of([&] {
        const auto stepper = newton.make(model, settings);
        model::StateLayout layout;
        (*stepper)->declare(layout);
        model::State state = model.make_state(layout);
        report = (*stepper)->step(model.inputs, 1, state, {});
      });

      json::Json row = json::Json::object();
      row.set("case", "standing: " + body.name);
      row.set("tets", model.elements.size());
      row.set("nodes", model.X.size());
      row.set("threads", options.threads.back());
      row.set("seconds", seconds);
      row.set("unit", "equilibrium under gravity to 1e-6, everything but the model included");
      row.set("precision", "double, matrix single");
      row.set("relative_residual", report.relative_residual);
      row.set("iterations", report.iterations);
      row.set("linear_iterations", report.linear_iterations);
      row.set("linear_solver", report.linear_solver);
      for (const auto& [phase, share] : report.seconds) row.set(std::string(phase), share);
      row.set("peak_bytes_per_tet",
              static_cast<double>(peak_memory()) / static_cast<double>(model.elements.size()));
      row.set("peak_bytes_per_tet_of_model", before / static_cast<double>(model.elements.size()));
      emit(row);
    }
}

}  // namespace sinew::bench

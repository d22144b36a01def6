// The method "hybrid": Gauss-Seidel sweeps where they pay, Newton's method where it does.
#include "solve/hybrid.h"

#include "step/implicit.h"

namespace sinew::step {

const Method& method_hybrid() {
  static const Field fields[] = {
      {.name = "iterations",
       .kind = Field::Kind::integer,
       .doc = "Newton iterations before a solve counts as stalled.",
       .min = 1,
       .max = 100000,
       .reason = "a solve takes at least one iteration",
       .initial = "200"},
      {.name = "linear",
       .kind = Field::Kind::choice,
       .doc = "Linear solver; auto chooses by size.",
       .initial = "\"auto\"",
       .choices = solve::linear_solver_names()},
  };
  static const Method method = {
      .name = "hybrid",
      .title = "Gauss-Seidel sweeps and Newton's method",
      .doc =
          "Sweeps of pbng while they pay, Newton's method smoothed by sweeps from there; quasistatic, "
          "backward "
          "Euler and BDF2.",
      .fields = fields,
      .lacks = [](const model::Model&, const Settings&) { return std::vector<std::string>{}; },
      .create = [](const model::Model& model, const Settings& settings) -> std::unique_ptr<Stepper> {
        return std::make_unique<ImplicitStepper>(
            model, settings, [options = settings.options](solve::System& system) {
              return solve::make_hybrid(system,
                                        {.max_iterations = static_cast<int>(options.number("iterations")),
                                         .linear = options.text("linear")});
            });
      }};
  return method;
}

}  // namespace sinew::step

// The method "gradient_descent": steepest descent to a budget.
#include "solve/gradient_descent.h"

#include "step/budget.h"

namespace sinew::step {

const Method& method_gradient_descent() {
  static const Field fields[] = {
      {.name = "iterations",
       .kind = Field::Kind::integer,
       .doc = "Gradient steps in a step of time.",
       .min = 1,
       .max = 1000000,
       .reason = "a solve takes at least one iteration",
       .initial = "1000"},
  };
  static const Method method = {
      .name = "gradient_descent",
      .title = "Gradient descent",
      .doc =
          "Steepest descent with step lengths after Barzilai and Borwein and a line search; for comparisons.",
      .fields = fields,
      .budgeted = true,
      .converges = false,
      .lacks = [](const model::Model& model, const Settings&) { return lacks_projection(model); },
      .create = [](const model::Model& model, const Settings& settings) -> std::unique_ptr<Stepper> {
        return std::make_unique<BudgetStepper>(
            model, settings, [&](solve::System& system) -> std::unique_ptr<solve::Solver> {
              return std::make_unique<solve::GradientDescent>(
                  system, static_cast<int>(settings.options.number("iterations")));
            });
      }};
  return method;
}

}  // namespace sinew::step

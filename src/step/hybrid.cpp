// The method "hybrid": Gauss-Seidel sweeps where they pay, Newton's method where it does.
#include "solve/hybrid.h"

#include "step/budget.h"

namespace sinew::step {

const Method& method_newton();

const Method& method_hybrid() {
  static const Method method = {
      .name = "hybrid",
      .title = "Gauss-Seidel sweeps and Newton's method",
      .doc = "Sweeps of pbng while they pay, then Newton's method with sweeps between its steps.",
      .fields = method_newton().fields.first(3),  // not those about inverted elements
      .barrier = true,
      .lacks = [](const model::Model& model, const Settings&) { return lacks_projection(model); },
      .create = [](const model::Model& model, const Settings& settings) -> std::unique_ptr<Stepper> {
        return make_implicit_stepper(model, settings, [options = settings.options](solve::System& system) {
          return solve::make_hybrid(
              system, {.max_iterations = static_cast<int>(options.number("iterations")),
                       .max_linear_iterations = static_cast<int>(options.number("linear_iterations")),
                       .linear = options.text("linear")});
        });
      }};
  return method;
}

}  // namespace sinew::step

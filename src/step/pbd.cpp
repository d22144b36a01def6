// The method "pbd": position based dynamics, constraints met without regard to their stiffness.
#include "step/constraint_methods.h"

namespace sinew::step {

const Method& method_pbd() {
  static const Field fields[] = {sweeps_field, pseudo_step_field};
  static const Method method = {
      .name = "pbd",
      .title = "Position based dynamics",
      .doc =
          "Constraints projected one after another; stiffness depends on the iterations, and in quasistatic "
          "runs the "
          "load acts on the first guess alone. For comparison.",
      .fields = fields,
      .budgeted = true,
      .converges = false,
      .lacks = &constraints_lack,
      .create = [](const model::Model& model, const Settings& settings) {
        return make_constraint_stepper(
            model, settings,
            {.sweeps = {.hard = true},
             .max_iterations = static_cast<int>(settings.options.number("iterations")),
             .pseudo_step = settings.options.number("pseudo_step")});
      }};
  return method;
}

}  // namespace sinew::step

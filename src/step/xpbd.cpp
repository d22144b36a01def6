// The method "xpbd": position based dynamics with compliant constraints, in time or to a steady state.
#include "step/constraint_methods.h"

namespace sinew::step {

const Method& method_xpbd() {
  static constexpr std::string_view orders[] = {"elastic_first", "links_first"};
  static const Field fields[] = {
      sweeps_field,
      pseudo_step_field,
      {.name = "sweeps_per_step",
       .kind = Field::Kind::integer,
       .doc = "Quasistatic runs: sweeps in each pseudo-step; a new one starts from rest where the last one "
              "ended.",
       .min = 1,
       .max = 1000000,
       .reason = "a step takes at least one sweep",
       .initial = "10"},
      {.name = "order",
       .kind = Field::Kind::choice,
       .doc = "Which constraints of a sweep come first, those of elements or those of links.",
       .initial = "\"elastic_first\"",
       .choices = orders},
  };
  static const Method method = {
      .name = "xpbd",
      .title = "Extended position based dynamics",
      .doc =
          "Compliant constraints with multipliers, one after another: backward Euler, or pseudo-steps to a "
          "steady "
          "state. The residual stagnates above that of the equilibrium. For comparison.",
      .fields = fields,
      .budgeted = true,
      .converges = false,
      .lacks = &constraints_lack,
      .create = [](const model::Model& model, const Settings& settings) {
        const FieldValues& options = settings.options;
        return make_constraint_stepper(
            model, settings,
            {.sweeps = {.links_first = options.text("order") == "links_first"},
             .max_iterations = static_cast<int>(options.number("iterations")),
             .pseudo_step = options.number("pseudo_step"),
             .sweeps_per_step = static_cast<int>(options.number("sweeps_per_step"))});
      }};
  return method;
}

}  // namespace sinew::step

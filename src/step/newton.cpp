// The method "newton": robust projected Newton, quasistatic or implicit in time.
#include "solve/newton.h"

#include "step/budget.h"

namespace sinew::step {

const Method& method_newton() {
  static constexpr std::string_view inversions[] = {"extend", "clamp"};
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
      {.name = "linear_iterations",
       .kind = Field::Kind::integer,
       .doc = "Conjugate gradient iterations in one Newton step at most.",
       .min = 1,
       .max = 1000000,
       .reason = "a solve takes at least one iteration",
       .initial = "1000"},
      {.name = "inversion",
       .kind = Field::Kind::choice,
       .doc = "Inverted elements: extend continues the energy past inversion, clamp takes the stress at the "
              "clamped "
              "stretches (Teran et al. 2005).",
       .initial = "\"extend\"",
       .choices = inversions},
      {.name = "clamp_threshold",
       .unit = "1",
       .doc = "Smallest principal stretch of the clamp.",
       .min = 0,
       .max = 1,
       .min_open = true,
       .reason = "stress is singular at stretch 0",
       .initial = "0.25"},
  };
  static const Method method = {
      .name = "newton",
      .title = "Robust projected Newton",
      .doc = "Quasistatic equilibria, also from tangled starts; backward Euler and BDF2.",
      .fields = fields,
      .barrier = true,
      .lacks =
          [](const model::Model& model, const Settings& settings) {
            std::vector<std::string> list = lacks_projection(model);
            for (const model::Body& body : model.bodies)
              if (!body.kind->clamps && settings.options.text("inversion") == "clamp")
                list.push_back("the clamp for " + std::string(body.kind->plural) + ", as the body " +
                               body.name + " has");
            return list;
          },
      .create = [](const model::Model& model, const Settings& settings) -> std::unique_ptr<Stepper> {
        return make_implicit_stepper(model, settings, [options = settings.options](solve::System& system) {
          system.set_inversion(
              options.text("inversion") == "clamp" ? material::Inversion::clamp : material::Inversion::extend,
              options.number("clamp_threshold"));
          return std::make_unique<solve::Newton>(
              system, solve::NewtonOptions{
                          .max_iterations = static_cast<int>(options.number("iterations")),
                          .max_linear_iterations = static_cast<int>(options.number("linear_iterations")),
                          .linear = options.text("linear")});
        });
      }};
  return method;
}

}  // namespace sinew::step

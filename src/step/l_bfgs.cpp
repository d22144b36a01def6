// The method "l_bfgs": quasi-Newton steps from the factored Hessian at rest.
#include "solve/l_bfgs.h"

#include "step/budget.h"

namespace sinew::step {

const Method& method_l_bfgs() {
  static const Field fields[] = {
      {.name = "iterations",
       .kind = Field::Kind::integer,
       .doc = "Quasi-Newton iterations in a step of time.",
       .min = 1,
       .max = 1000000,
       .reason = "a solve takes at least one iteration",
       .initial = "500"},
      {.name = "memory",
       .kind = Field::Kind::integer,
       .doc = "Steps back that the quasi-Newton matrix remembers.",
       .min = 0,
       .max = 100,
       .reason = "without memory the Hessian at rest stands alone; every step kept costs two vectors",
       .initial = "6"},
  };
  static const Method method = {
      .name = "l_bfgs",
      .title = "L-BFGS from the rest stiffness",
      .doc =
          "Quasi-Newton steps that start from the Hessian at rest, factored once (Liu, Bouaziz, Kavan 2017).",
      .fields = fields,
      .budgeted = true,
      .barrier = true,
      .lacks =
          [](const model::Model& model, const Settings&) {
            std::vector<std::string> list = lacks_damping(model);
            for (std::string& lack : lacks_projection(model)) list.push_back(std::move(lack));
            return list;
          },
      .create = [](const model::Model& model, const Settings& settings) -> std::unique_ptr<Stepper> {
        return std::make_unique<BudgetStepper>(
            model, settings, [&](solve::System& system) -> std::unique_ptr<solve::Solver> {
              return std::make_unique<solve::LBfgs>(
                  system, solve::LBfgsOptions{
                              .max_iterations = static_cast<int>(settings.options.number("iterations")),
                              .memory = static_cast<int>(settings.options.number("memory"))});
            });
      }};
  return method;
}

}  // namespace sinew::step

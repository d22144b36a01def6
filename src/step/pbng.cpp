// The method "pbng": position-based nonlinear Gauss-Seidel, quasistatic or implicit in time.
#include "solve/pbng.h"

#include "step/budget.h"

namespace sinew::step {

const Method& method_pbng() {
  static constexpr std::string_view accelerations[] = {"auto", "none", "in_sweep", "sor", "chebyshev"};
  static constexpr std::string_view blocks[] = {"auto", "modified"};
  static constexpr std::string_view precisions[] = {"double", "single"};
  static constexpr std::string_view levels[] = {"auto", "single", "multi"};
  static const Field fields[] = {
      {.name = "iterations",
       .kind = Field::Kind::integer,
       .doc = "Sweeps over all nodes in a step, at most; steps on coarse levels count as what they cost.",
       .min = 1,
       .max = 1e7,
       .reason = "a step takes at least one sweep",
       .initial = "40"},
      {.name = "levels",
       .kind = Field::Kind::choice,
       .doc = "Sweeps alone (single, as Chen et al. 2023), or in turn with steps of the whole body by "
              "multigrid (multi). auto "
              "changes from the one to the other after 48 sweeps, where the budget is larger, if these have "
              "taken off less "
              "than such steps would have, and at once where links are far stiffer than their bodies.",
       .initial = "\"auto\"",
       .choices = levels},
      {.name = "acceleration",
       .kind = Field::Kind::choice,
       .doc =
           "Over-relaxation: between sweeps (sor, chebyshev), of every node (in_sweep), or none. auto takes "
           "chebyshev for corotated laws and modified blocks, in_sweep for others and where there are "
           "contacts.",
       .initial = "\"auto\"",
       .choices = accelerations},
      {.name = "relaxation",
       .unit = "1",
       .doc = "Factor of the over-relaxation.",
       .min = 0,
       .max = 2,
       .min_open = true,
       .max_open = true,
       .reason = "Gauss-Seidel diverges from 2 on",
       .initial = "1.7"},
      {.name = "spectral_radius",
       .unit = "1",
       .doc = "Estimate of the slowest mode's decay in a sweep, for chebyshev.",
       .min = 0,
       .max = 1,
       .max_open = true,
       .reason = "a mode that does not decay cannot be accelerated",
       .initial = "0.95"},
      {.name = "block",
       .kind = Field::Kind::choice,
       .doc = "The 3x3 block of a node: auto takes the law's own, which bounds the energy from above or is "
              "guarded; "
              "modified takes 2 mu |g|^2 + lambda c c^T for every law, as Chen et al. 2023.",
       .initial = "\"auto\"",
       .choices = blocks},
      {.name = "precision",
       .kind = Field::Kind::choice,
       .doc = "Numbers of the sweeps; in single precision the relative residual stays above about 1e-5.",
       .initial = "\"double\"",
       .choices = precisions},
  };
  static const Method method = {
      .name = "pbng",
      .title = "Position-based nonlinear Gauss-Seidel",
      .doc = "Quasistatic equilibria, backward Euler and BDF2 with a fixed budget of sweeps.",
      .fields = fields,
      .budgeted = true,
      .lacks = [](const model::Model& model,
                  const Settings&) { return lacks_elements(model, &element::Kind::node_sweeps); },
      .create = [](const model::Model& model, const Settings& settings) -> std::unique_ptr<Stepper> {
        const FieldValues& options = settings.options;
        size_t acceleration = 0;
        while (accelerations[acceleration] != options.text("acceleration")) ++acceleration;
        size_t level = 0;
        while (levels[level] != options.text("levels")) ++level;
        const solve::PbngOptions pbng{.iterations = static_cast<int>(options.number("iterations")),
                                      .levels = static_cast<solve::Levels>(level),
                                      .acceleration = static_cast<solve::Acceleration>(acceleration),
                                      .relaxation = options.number("relaxation"),
                                      .spectral_radius = options.number("spectral_radius"),
                                      .modified = options.text("block") == "modified",
                                      .single = options.text("precision") == "single"};
        return std::make_unique<BudgetStepper>(
            model, settings, [pbng](solve::System& system) { return solve::make_pbng(system, pbng); });
      }};
  return method;
}

}  // namespace sinew::step

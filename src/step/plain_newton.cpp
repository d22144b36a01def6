// The method "plain_newton": Newton's method to a budget, without safeguards.
#include "solve/plain_newton.h"

#include "step/budget.h"

namespace sinew::step {

namespace {

constexpr std::string_view hessians[] = {"modified", "projected", "exact"};
constexpr std::string_view linears[] = {"cg", "multigrid", "plain_cg", "gauss_seidel", "bicgstab", "direct"};
// Minutes for each Newton iteration.
constexpr size_t max_lu_nodes = 4000;

solve::PlainNewtonOptions options_of(const FieldValues& options) {
  const std::string& hessian = options.text("hessian");
  return {.max_iterations = static_cast<int>(options.number("iterations")),
          .hessian = hessian == "modified"    ? solve::Hessian::modified
                     : hessian == "projected" ? solve::Hessian::projected
                                              : solve::Hessian::exact,
          .linear = options.text("linear"),
          .linear_iterations = static_cast<int>(options.number("linear_iterations")),
          .relaxation = options.number("relaxation"),
          .line_search = options.flag("line_search")};
}

}  // namespace

const Method& method_plain_newton() {
  static const Field fields[] = {
      {.name = "iterations",
       .kind = Field::Kind::integer,
       .doc = "Newton iterations in a step of time.",
       .min = 1,
       .max = 1000000,
       .reason = "a solve takes at least one iteration",
       .initial = "11"},
      {.name = "hessian",
       .kind = Field::Kind::choice,
       .doc = "Second derivatives: modified is 2 mu + lambda cof cof of small strain, definite for every "
              "deformation; projected the nearest semi-definite one; exact may be indefinite.",
       .initial = "\"modified\"",
       .choices = hessians},
      {.name = "linear",
       .kind = Field::Kind::choice,
       .doc = "Linear solver: conjugate gradients with block Jacobi, with a multigrid cycle or (plain_cg) "
              "without a "
              "preconditioner, block Gauss-Seidel, BiCGSTAB, or sparse LU.",
       .initial = "\"cg\"",
       .choices = linears},
      {.name = "linear_iterations",
       .kind = Field::Kind::integer,
       .doc = "Iterations or sweeps of the linear solver in each Newton iteration; LU takes none.",
       .min = 1,
       .max = 1000000,
       .reason = "a solve takes at least one iteration",
       .initial = "10"},
      {.name = "relaxation",
       .unit = "1",
       .doc = "Over-relaxation of Gauss-Seidel.",
       .min = 0,
       .max = 2,
       .min_open = true,
       .max_open = true,
       .reason = "sweeps over a definite matrix converge between 0 and 2 only",
       .initial = "1.3"},
      {.name = "line_search",
       .kind = Field::Kind::boolean,
       .doc = "Backtracking on the energy; without it every step is taken whole.",
       .initial = "false"},
  };
  static const Method method = {
      .name = "plain_newton",
      .title = "Plain Newton",
      .doc =
          "Newton's method as it stands, with a choice of Hessian and of a linear solver to a fixed number "
          "of "
          "iterations; for comparisons.",
      .fields = fields,
      .budgeted = true,
      .converges = false,
      .lacks =
          [](const model::Model& model, const Settings& settings) {
            std::vector<std::string> list = lacks_elements(model, &element::Kind::hessians);
            for (std::string& lack : lacks_projection(model)) list.push_back(std::move(lack));
            if (settings.options.text("linear") == "direct" && model.X.size() > max_lu_nodes)
              list.push_back("a sparse LU factorisation of more than " + std::to_string(max_lu_nodes) +
                             " nodes");
            return list;
          },
      .create = [](const model::Model& model, const Settings& settings) -> std::unique_ptr<Stepper> {
        return std::make_unique<BudgetStepper>(
            model, settings, [&](solve::System& system) -> std::unique_ptr<solve::Solver> {
              return std::make_unique<solve::PlainNewton>(system, options_of(settings.options));
            });
      }};
  return method;
}

}  // namespace sinew::step

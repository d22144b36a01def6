#pragma once
// The base of the methods on constraints, pbd and xpbd.
#include "solve/constraint_solver.h"
#include "step/budget.h"

namespace sinew::step {

inline constexpr Field sweeps_field = {.name = "iterations",
                                       .kind = Field::Kind::integer,
                                       .doc = "Sweeps over all constraints in one step.",
                                       .min = 1,
                                       .max = 100000000,
                                       .reason = "a solve takes at least one iteration",
                                       .initial = "200"};
inline constexpr Field pseudo_step_field = {
    .name = "pseudo_step",
    .unit = "s",
    .doc = "Quasistatic runs: the time step that mass and load are weighed with.",
    .min = 0,
    .min_open = true,
    .reason = "in no time nothing moves",
    .initial = "0.03333333333333333"};

std::vector<std::string> constraints_lack(const model::Model& model, const Settings& settings);
std::unique_ptr<Stepper> make_constraint_stepper(const model::Model& model, const Settings& settings,
                                                 const solve::ConstraintOptions& options);

}  // namespace sinew::step

#pragma once
// Quasistatic steps: from the last equilibrium, or from the straight continuation of the last two while the inputs go on as
// they did, the inputs go to t1 in one increment. An increment that does not converge is halved, and grows back after; what was
// out of balance at the start grows with the increments. If even the smallest fails, or the start has inverted elements,
// material continuation leads the way (step/material_continuation.h), and then the gradient flow of the energy
// (step/pseudo_transient.h). Where that fails too, the rest of the step is taken at once, as far as it goes.
#include "step/implicit.h"

namespace sinew::step {

class QuasistaticStepper final : public ImplicitStepper {
 public:
  QuasistaticStepper(const model::Model& model, const Settings& settings, const MakeSolver& make_solver)
      : ImplicitStepper(model, settings.tolerance, make_solver), make_solver_(make_solver) {}

  void declare(model::StateLayout& layout) const override;

 private:
  using Positions = std::vector<math::Vec3d>;
  // The path of equilibria that a step follows.
  struct Path {
    Positions x, before;         // where it is, and where it was an increment before
    double t = 0, t_before = 0;  // the same in time [s]; equal: there is no direction to go on in
    double done = 0;             // of the step
    double increment = 1;        // of the step, that is tried next
    double tolerance = 0;        // of the increment's end
    Positions x_start;           // of the step
    Positions unbalanced;        // the gradient there [N]; empty: it is an equilibrium
    bool tangled = false;        // x is no equilibrium, and elements are inverted there
    bool at_equilibrium = false;
  };
  struct Equilibrium {
    solve::SolveReport report;
    bool good;  // it is one
  };
  StepStatus advance(const model::InputCurve& inputs, double t1, model::State& state, const Control& control,
                     StepReport& report) override;
  double done() const override { return path_.done; }
  void set_inputs(const model::InputCurve& inputs, double t);
  void start_path(const model::InputCurve& inputs, const model::State& state);
  void set_balance(double done);
  void begin_increment(const model::InputCurve& inputs, double t);
  Equilibrium equilibrate(const model::InputCurve& inputs, double t, bool last_resort, const Control& control,
                          StepReport& report);
  solve::SolveReport solve_softly(Positions& x, const Control& control, StepReport& report);
  bool extrapolate(const model::InputCurve& inputs, double t, Positions& x);
  Equilibrium leap(const model::InputCurve& inputs, double t1, const Control& control, StepReport& report);
  StepStatus judge(const Equilibrium& found, bool final, StepReport& report);
  static void note_saddles(const solve::SolveReport& solve, double from, double to, StepReport& report);
  void follow(const Equilibrium& found, double t);
  void store(double t1, model::State& state) const;
  void keep_reached(const model::State& state);

  MakeSolver make_solver_;
  Path path_;
  Positions trial_;                                 // the end of the increment
  std::vector<double> inputs_;                      // at the end of the increment
  std::vector<double> inputs_now_, inputs_before_;  // at path_.t and at path_.t_before
  Positions ahead_, balance_;                       // kept for their memory alone
};

}  // namespace sinew::step

#pragma once
// Measures how far an iterate of one step is from the solution: residual, energy gap and error to a reference.
//
//     Metric metric(model, settings, t1, state);
//     metric.set_contacts(stepper.contacts());  metric.set_reference(x);
//     Point point = metric.measure(coordinates);
#include "compare/compare.h"
#include "step/time_step.h"

namespace sinew::compare {

class Metric {
 public:
  Metric(const model::Model& model, const step::Settings& settings, double t1, const model::State& state);

  // Takes the contacts that the reference ended with: every point is measured by the same residual and energy, whatever contacts a
  // method has in its own rounds.
  void set_contacts(std::span<const contact::Pair> pairs);
  void set_reference(std::span<const math::Vec3d> x);
  double size() const { return size_; }      // of the scene [m]
  double energy() const { return energy_; }  // of the reference [J]
  Point start();
  // Everything but iteration and seconds. What is not finite is infinite; without a reference gaps and errors are NaN.
  Point measure(std::span<const double> coordinates);

 private:
  Point measure();  // of x_

  solve::System system_;
  step::TimeStep step_;
  double size_ = 0, energy_ = 0;
  step::Positions start_, reference_, x_, gradient_;
};

}  // namespace sinew::compare

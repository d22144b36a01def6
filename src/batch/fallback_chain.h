#pragma once
// The fallback chain of methods that solve one sample at a time, in the order of batch/equilibria.h: "warm", and then those of
// step/fallbacks.h. A FallbackChain belongs to one thread. What it keeps between samples is memory alone: the System of the
// last Built, since samples often share one.
//
//     FallbackChain chain(1e-6);
//     Solution solution = chain.solve(sample, control);
#include <memory>

#include "batch/equilibria.h"
#include "solve/newton.h"
#include "step/fallbacks.h"
#include "step/nonlinear.h"

namespace sinew::batch {

class FallbackChain {
 public:
  explicit FallbackChain(double tolerance);
  ~FallbackChain();

  Solution solve(const Sample& sample, const Control& control);

 private:
  struct Warm;  // what the first method works with
  bool warm(const Sample& sample, std::span<const double> inputs, const Control& control, Solution& solution);
  bool along(const Sample& sample, const step::Rung& rung, const Control& control, Solution& solution);

  double tolerance_;
  std::unique_ptr<Warm> warm_;
};

// Says what is wrong with a sample by itself; empty if nothing is.
std::string fault_of(const Sample& sample);
// The inputs at the sample's equilibrium.
std::vector<double> inputs_of(const Sample& sample);
// A State at `time` and at rest, with the columns of a Solution.
model::State rest_state(const scene::Built& built, double time);

}  // namespace sinew::batch

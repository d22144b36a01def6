#pragma once
// Many equilibria in memory. Samples are independent: the answer to one depends on nothing but itself, not on the other
// samples, not on their order, not on threads. Each goes down a fixed fallback chain until one of its methods solves it:
//
//     lanes        Newton's method from the start given, eight samples in the lanes of a pack, where the model allows it
//     warm         Newton's method from the start given, or from rest, in one solve
//     path         the method newton from rest along the scene's own inputs, frame by frame
//     increments   the same in eight times as many steps
//     hybrid       the method hybrid from rest, frame by frame
//
//     std::vector<Solution> found = solve(samples, {.threads = 2}, control);
#include <span>
#include <string>
#include <vector>

#include "base/control.h"
#include "model/state.h"
#include "scene/scene.h"

namespace sinew::batch {

// One equilibrium to find.
struct Sample {
  const scene::Built* built = nullptr;  // model, settings and time plan of the sample (samples may share one)
  std::span<const double> inputs;  // the whole input vector at the equilibrium; empty: the model's at `time`
  double time = 0;                 // [s] the scene's last frame, usually
  std::span<const math::Vec3d> start;  // positions to start from (a neighbour's solution); empty: from rest
};

struct Solution {
  bool solved = false;  // relative residual <= tolerance, no element inverted, contacts settled
  // The state at `time`: core columns, and those of contacts where the scene has them. At rest if the sample was not solved.
  model::State state;
  double relative_residual = 0;
  int iterations = 0;  // of the method that gave it
  std::string rung;    // the method that gave it
  std::string reason;  // why it was not solved: what the last method says; empty where it was
};

struct SolveOptions {
  double tolerance = 1e-6;  // relative residual
  int threads = 1;          // that take samples; loops inside a sample run on its thread alone
};

// One Solution for each sample. Only cancel of the control is used: samples not done by then have the reason "cancelled".
std::vector<Solution> solve(std::span<const Sample> samples, const SolveOptions& options,
                            const Control& control);

}  // namespace sinew::batch

#pragma once
// Why a step did not converge: which body, where, what happened there, and what to try. It is looked for once, where the step
// ended, at the point that was reached. The most specific cause counts:
//
//     numbers that are not finite; surfaces that pass through each other; contacts that come and go; rounding, where the forces
//     are balanced as far as positions can tell; inverted elements; a part that is free to move; a direction of negative
//     curvature; else a residual above the tolerance, at the node where the force out of balance is largest
//
//     report.reason = find_reason({.system = system, .x = x, .tolerance = 1e-6});
//     report.reason->text()   the body "bunny" at (0.1, 0.2, 0) m, element 12: 3 elements are inverted, ...; take more ...
#include <span>
#include <string>

#include "math/vec.h"

namespace sinew::contact {
struct Pair;
}
namespace sinew::model {
struct Model;
}
namespace sinew::solve {
class System;
struct Evaluation;
}  // namespace sinew::solve

namespace sinew::step {

struct Reason {
  std::string body;                 // its name
  std::string other;                // the body or collider that it touches, where that matters
  math::Vec3d place = {0, 0, 0};    // at rest [m]
  int32_t node = -1, element = -1;  // there, in the numbering of the body; at most one is given
  std::string cause;
  std::string advice;

  std::string text() const;
};

struct StepEnd {
  const solve::System& system;     // with the inputs and contacts of the point
  std::span<const math::Vec3d> x;  // the point that was reached
  // The evaluation of the system there and its gradient, where a solve has left them.
  const solve::Evaluation* at = nullptr;
  std::span<const math::Vec3d> gradient = {};
  double tolerance = 0;                 // relative residual
  double done = 0;                      // share of the step up to which there were equilibria
  bool budgeted = false;                // the method ends after its iterations, which then is reason enough
  const contact::Pair* pair = nullptr;  // of the contacts that are not settled, the one to name
  bool crossing = false;                // its surfaces pass through each other
};
Reason find_reason(const StepEnd& end);

// The reason of a state that is not finite: its first node with a position, or else a velocity, that is not.
Reason not_finite(const model::Model& model, std::span<const math::Vec3d> x, std::span<const math::Vec3d> v);

}  // namespace sinew::step

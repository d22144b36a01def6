#pragma once
// A set of constraints that position based methods meet one after another by moving nodes. It is virtual once a sweep,
// never per constraint. A new kind of constraint is a source of its own and a line in the constructor of ConstraintSweeps.
#include <span>

#include "math/vec.h"

namespace sinew::solve {

// Four numbers, as math/gather.h wants them.
struct alignas(32) MobileNode {
  math::Vec3d x;    // [m]
  double mobility;  // 1/w [s^2/kg]; 0: held
};

class ConstraintSet {
 public:
  virtual ~ConstraintSet() = default;
  // Begins a solve: multipliers are 0, parameters, inputs and contacts what the system has now.
  virtual void start() = 0;
  // Every constraint once.
  virtual void sweep(std::span<MobileNode> nodes) = 0;
};

}  // namespace sinew::solve

#pragma once
// Gauss-Seidel over the constraints of a System (position based dynamics): its elements and hinges colour by colour, its links, and
// its contacts last.
// Soft constraints have the stiffness of the energy and a multiplier each (Macklin, Mueller, Chentanez: XPBD, 2016); hard
// ones are met without regard to it (Mueller, Heidelberger, Hennix, Ratcliff: Position Based Dynamics, 2007).
// No memory is allocated in a sweep. The same bits for any number of threads.
//
//     ConstraintSweeps sweeps(system, {});
//     sweeps.start(system.inertia_weight());   for (...) sweeps.sweep(x);
#include <memory>
#include <vector>

#include "solve/constraint_set.h"
#include "solve/system.h"

namespace sinew::solve {

class ConstraintSweeps {
 public:
  struct Options {
    bool hard = false;
    bool links_first = false;
  };

  ConstraintSweeps(const System& system, const Options& options);

  // Node weights w [kg/s^2]: a node moves by 1/w, one without weight stays. Multipliers are 0, parameters, frames and
  // contacts what the system has now, until the next start.
  void start(std::span<const double> weight);
  // Every constraint once, from and to positions on the held nodes' constraints.
  void sweep(std::span<Vec3d> x);

 private:
  Options options_;
  const System& system_;
  std::vector<std::unique_ptr<ConstraintSet>> sets_;  // in the order of a sweep
  std::vector<MobileNode> nodes_;
};

}  // namespace sinew::solve

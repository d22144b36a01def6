#pragma once
// Gauss-Seidel over the constraints of a System (position based dynamics): its tets colour by colour, its links, and
// its contacts last.
// Soft constraints have the stiffness of the energy and a multiplier each (Macklin, Mueller, Chentanez: XPBD, 2016); hard
// ones are met without regard to it (Mueller, Heidelberger, Hennix, Ratcliff: Position Based Dynamics, 2007).
// No memory is allocated in a sweep. The same bits for any number of threads.
//
//     ConstraintSweeps sweeps(system, {});
//     sweeps.start(system.inertia_weight());   for (...) sweeps.sweep(x);
#include "solve/contact_constraints.h"
#include "solve/element_constraints.h"
#include "solve/link_constraints.h"

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

  std::span<const ElementConstraints> sets() const { return sets_; }

 private:
  Options options_;
  const System& system_;
  std::vector<ElementConstraints> sets_;  // of each ElasticSet
  LinkConstraints links_;
  ContactConstraints contacts_;
  std::vector<MobileNode> nodes_;
  int64_t bound_to_;  // version of the system's parameters
};

}  // namespace sinew::solve

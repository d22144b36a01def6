#include "solve/constraint_sweeps.h"

#include <cassert>

namespace sinew::solve {

ConstraintSweeps::ConstraintSweeps(const System& system, const Options& options)
    : options_(options),
      system_(system),
      links_(system, options.hard),
      contacts_(system, options.hard),
      nodes_(system.model().X.size()),
      bound_to_(system.params_version()) {
  for (size_t s = 0; s < system.model().sets.size(); ++s)
    sets_.emplace_back(system, static_cast<int32_t>(s), options.hard);
}

void ConstraintSweeps::start(std::span<const double> weight) {
  assert(!system_.dofs().carries());
  if (bound_to_ != system_.params_version())
    for (ElementConstraints& set : sets_) set.bind(system_);
  bound_to_ = system_.params_version();
  const auto block = system_.dofs().block_of_node();
  for (size_t i = 0; i < nodes_.size(); ++i)
    nodes_[i].mobility = block[i] >= 0 && weight[i] > 0 ? 1 / weight[i] : 0;
  for (ElementConstraints& set : sets_) set.start();
  links_.start();
  contacts_.start();
}

void ConstraintSweeps::sweep(std::span<Vec3d> x) {
  for (size_t i = 0; i < nodes_.size(); ++i) nodes_[i].x = x[i];
  if (options_.links_first) links_.sweep(nodes_);
  for (ElementConstraints& set : sets_) set.sweep(nodes_);
  if (!options_.links_first) links_.sweep(nodes_);
  contacts_.sweep(nodes_);
  for (size_t i = 0; i < nodes_.size(); ++i) x[i] = nodes_[i].x;
}

}  // namespace sinew::solve

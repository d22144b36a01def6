#include "solve/constraint_sweeps.h"

#include <cassert>

#include "solve/contact_constraints.h"
#include "solve/element_constraints.h"
#include "solve/hinge_constraints.h"
#include "solve/link_constraints.h"

namespace sinew::solve {

ConstraintSweeps::ConstraintSweeps(const System& system, const Options& options)
    : options_(options), system_(system), nodes_(system.model().X.size()) {
  const bool hard = options.hard;
  const auto add_links = [&] { sets_.push_back(std::make_unique<LinkConstraints>(system, hard)); };
  if (options.links_first) add_links();
  const auto add_elements = [&](auto shape, size_t set) {
    sets_.push_back(
        std::make_unique<ElementConstraints<decltype(shape)>>(system, static_cast<int32_t>(set), hard));
  };
  const model::Model& model = system.model();
  for (size_t s = 0; s < model.sets.size(); ++s)
    if (model.bodies[model.sets[s].body].kind->is_triangle())
      add_elements(element::Tri3{}, s);
    else
      add_elements(element::Tet4{}, s);
  for (size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].bending == model::Bending::hinge)
      sets_.push_back(std::make_unique<HingeConstraints>(system, static_cast<int32_t>(b), hard));
  if (!options.links_first) add_links();
  sets_.push_back(std::make_unique<ContactConstraints>(system, hard));
}

void ConstraintSweeps::start(std::span<const double> weight) {
  assert(!system_.dofs().carries());
  const auto block = system_.dofs().block_of_node();
  for (size_t i = 0; i < nodes_.size(); ++i)
    nodes_[i].mobility = block[i] >= 0 && weight[i] > 0 ? 1 / weight[i] : 0;
  for (const auto& set : sets_) set->start();
}

void ConstraintSweeps::sweep(std::span<Vec3d> x) {
  for (size_t i = 0; i < nodes_.size(); ++i) nodes_[i].x = x[i];
  for (const auto& set : sets_) set->sweep(nodes_);
  for (size_t i = 0; i < nodes_.size(); ++i) x[i] = nodes_[i].x;
}

}  // namespace sinew::solve

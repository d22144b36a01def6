#include "energy/term.h"

#include "energy/node_blocks.h"

namespace sinew::energy {

void Term::linearise(const View& view, Hessian hessian, Scratch& scratch) const {
  scratch.view = view;
  scratch.hessian = hessian;
}

void Term::product(const View& view, Hessian hessian, std::span<const Vec3d> d, std::span<Vec3d> out) const {
  Scratch scratch;
  linearise(view, hessian, scratch);
  apply(scratch, d, out);
}

NodeVisitorPointer<math::PackD> Term::visitor(const NodeBlocks&, bool, math::PackD) const { return nullptr; }
NodeVisitorPointer<math::PackF> Term::visitor(const NodeBlocks&, bool, math::PackF) const { return nullptr; }

Terms make_terms(const model::Model& model) {
  Terms terms;
  for (const TermKind* kind : term_kinds()) kind->make(model, terms);
  for (auto& term : terms) term->bind(model.params);
  return terms;
}

}  // namespace sinew::energy

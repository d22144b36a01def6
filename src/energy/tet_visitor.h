#pragma once
// Hyperelastic linear tets seen from their nodes (element/node_star.h). Per node and tet: seven numbers of rest shape, the
// ids of the three others, the law's parameters where they vary. With mu and lambda per tet that is 84 bytes in double and
// 48 in single precision, four times a tet and sweep; each is read once, in order. Where tets repeat their rest shapes, as
// on lattices, packs of shapes are shared and 4 bytes a pack remain of them; so the share of a tet that is material, where it is
// not all of it, is a number beside its shape.
#include <span>
#include <vector>

#include "element/shape.h"
#include "energy/bound_law.h"
#include "energy/node_local.h"
#include "model/model.h"

namespace sinew::energy {

// The tets of one set, and the place of each in it: around a node they come in the order of the set. Their nodes are
// stencils that the blocks know.
struct VisitedTets {
  const model::Model& model;
  const model::ElasticSet& set;
  std::span<const element::NodeIds<element::Tet4>> nodes;
  std::span<const int32_t> place;

  Stencils stencils() const { return {4, std::span(nodes.data()->data(), 4 * nodes.size())}; }
};

// `modified`: with the blocks of the modified Hessian.
template <class T>
NodeVisitorPointer<T> make_tet_visitor(const VisitedTets& tets, const material::Law& law,
                                       const std::vector<model::ParamField>& fields, const NodeBlocks& blocks,
                                       bool modified);

}  // namespace sinew::energy

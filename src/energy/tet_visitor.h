#pragma once
// Hyperelastic linear tets seen from their nodes (material/node_tets.h). Per node and tet: seven numbers of rest shape, the
// ids of the three others, the law's parameters where they vary. With mu and lambda per tet that is 84 bytes in double and
// 48 in single precision, four times a tet and sweep; each is read once, in order. Where tets repeat their rest shapes, as
// on lattices, packs of shapes are shared and 4 bytes a pack remain of them.
#include <memory>
#include <span>

#include "energy/bound_law.h"
#include "energy/node_local.h"

namespace sinew::energy {

// `tets`: of one set, all of first order. `modified`: with the blocks of the modified Hessian.
template <class T>
std::unique_ptr<NodeVisitor<T>> make_tet_visitor(const model::Model& model, const material::Law& law,
                                                 const std::vector<model::ParamField>& fields,
                                                 std::span<const int32_t> tets, const NodeBlocks& blocks,
                                                 bool modified);

}  // namespace sinew::energy

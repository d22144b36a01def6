#pragma once
// A mesh becomes a body of a model.
#include <span>
#include <string>

#include "mesh/properties.h"
#include "model/model.h"

namespace sinew::model {

// Adds the mesh's nodes and elements, and a body of them, at the end of the model. The mesh has the nodes of the kind;
// `boundary` is its boundary, or empty for a body that is neither drawn nor touched. `coverage`: the share of each element that is
// material, 0 to 1 and not 0 for all; empty: whole elements. Elements with next to no material would leave the stiffness
// matrix all but singular: a least share (in the source, or half the mean of the body where that is less) is given to them, and
// the others give up as much, so that the mass of the body is that of the coverage given.
Body& add_body(Model& model, std::string name, const element::Kind& kind, const mesh::TetMesh& mesh,
               const mesh::TriBoundary& boundary = {}, std::span<const double> coverage = {});

}  // namespace sinew::model

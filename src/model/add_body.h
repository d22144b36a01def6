#pragma once
// A mesh becomes a body of a model.
#include <string>

#include "mesh/properties.h"
#include "model/model.h"

namespace sinew::model {

// Adds the mesh's nodes and elements, and a body of them, at the end of the model. The mesh has the nodes of the kind;
// `boundary` is its boundary, or empty for a body that is neither drawn nor touched.
Body& add_body(Model& model, std::string name, const element::Kind& kind, const mesh::TetMesh& mesh,
               const mesh::TriBoundary& boundary = {});

}  // namespace sinew::model

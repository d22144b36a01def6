#pragma once
// The box around the nodes of a model that are seen.
#include <span>

#include "mesh/properties.h"
#include "model/model.h"

namespace sinew::model {

// Of the positions x of all nodes; hidden ones are left out.
mesh::Bounds bounds(const Model& model, std::span<const Vec3d> x);

}  // namespace sinew::model

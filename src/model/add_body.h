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

// Adds a body of triangles without hinges (model/add_hinges.h). `flat`: the edges (1, 0) and (2, 0) of each triangle at rest in
// axes of the material [m], or empty: the triangles are at rest as they are, with the direction `warp`, as far as it lies in
// their plane, as the first axis.
Body& add_shell(Model& model, std::string name, const mesh::TriMesh& mesh, double thickness,
                std::vector<std::array<math::Vec<double, 2>, 2>> flat = {}, const Vec3d& warp = {1, 0, 0});

// The edges of a triangle in its plane, the first axis as near to `warp` as it can be; along the first edge where `warp` is at
// right angles to the plane.
std::array<math::Vec<double, 2>, 2> flat_edges(const std::array<Vec3d, 3>& X, const Vec3d& warp);

}  // namespace sinew::model

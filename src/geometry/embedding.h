#pragma once
// Points that a body of tets carries. At rest each point is bound to the tet that contains it; then x = sum N_a x_a with
// the tet's shape functions at the point. Outside it follows the tet behind the nearest face, by the affine map there.
// So an affine map of the body is followed exactly. A point farther from the body than the longest edge of its tet
// is refused: that would carry it anywhere.
//
//     Result<std::vector<EmbeddedPoint>> carried = embed(mesh, points, "skin.obj");
#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "geometry/embedded_point.h"
#include "mesh/mesh.h"

namespace sinew::geometry {

using math::Vec3d;

// The point that is at p while tet t of the mesh is at rest, with the mesh's ids of nodes.
EmbeddedPoint embed_in_tet(const mesh::TetMesh& mesh, int32_t t, const Vec3d& p);

// Embeds each point. `name` is what the points are called in the message where some are too far away.
Result<std::vector<EmbeddedPoint>> embed(const mesh::TetMesh& mesh, std::span<const Vec3d> points,
                                         const std::string& name);

}  // namespace sinew::geometry

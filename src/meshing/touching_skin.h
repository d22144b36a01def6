#pragma once
// The skin of a body made fit to touch with: closed and in one piece (meshing/surface_check.h), and with edges that are not much
// longer than those of the mesh, so that it bends where the tets do.
//
//     const mesh::Skin skin = touching_skin(body_skin, mesh, longest_edge);
//     if (!skin.triangles.empty()) ...
#include "mesh/mesh.h"
#include "mesh/skin.h"

namespace sinew::meshing {

// Edges longer than `longest` at rest are split at their middles [m]. Parts with vertices far outside of the tets that carry them are
// left out. Without triangles where nothing remains, or the skin cannot be closed: it does not stand for the surface of the mesh.
mesh::Skin touching_skin(const mesh::Skin& skin, const mesh::TetMesh& mesh, double longest);

}  // namespace sinew::meshing

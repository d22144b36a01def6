#pragma once
// The skin of a body made fit to touch with: closed and in one piece (meshing/surface_check.h), and about as fine as the mesh. Where it
// was coarser it bends where the tets do; where it was finer, it has no more contacts than the tets can answer.
//
//     const mesh::Skin skin = touching_skin(body_skin, mesh, mean_edge);
//     if (!skin.triangles.empty()) ...
#include "mesh/mesh.h"
#include "mesh/skin.h"

namespace sinew::meshing {

// `edge`: the mean one of the surface of the mesh at rest [m]. Edges longer than 1.5 of it are split at their middles; those
// shorter than 0.7 of it collapse onto one of their ends while that moves the skin by no more than 0.03 of it, root mean square.
// Parts with vertices far outside of the tets that carry them are left out. Without triangles where nothing remains, or the
// skin cannot be closed: it does not stand for the surface of the mesh. Without `coarsen` short edges stay.
mesh::Skin touching_skin(const mesh::Skin& skin, const mesh::TetMesh& mesh, double edge, bool coarsen = true);

}  // namespace sinew::meshing

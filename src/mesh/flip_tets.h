#pragma once
// Better shapes by other tets between the same vertices. Where tets below a radius ratio have it to gain, an edge inside the mesh
// goes, with the ring of tets around it, in favour of the best triangulation of the ring and a tet on each side of every
// triangle; or a face goes in favour of an edge between the vertices on its two sides (2-3 flip). The best triangulation of a ring is
// found by dynamic programming (Klincsek, Minimal triangulations of polygonal domains, 1980), as Freitag and Ollivier-Gooch do
// (Tetrahedral mesh improvement using swapping and smoothing, 1997). The boundary stays, and so do borders between elements of
// different groups or data.
#include <cstdint>

#include "mesh/mesh.h"

namespace sinew::mesh {

// Of first order alone. Says how often tets were replaced; elements are numbered anew where any were.
int64_t flip_tets(TetMesh& mesh, double below);

}  // namespace sinew::mesh

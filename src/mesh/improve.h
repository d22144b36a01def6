#pragma once
// Better shapes for the tets of a mesh, by turns: other tets between the same vertices (mesh/flip_tets.h), and vertices inside that
// move, one after another, to where the least radius ratio of the tets around them is larger and no more of them are
// poor. The boundary stays, and so do borders between element groups.
#include "mesh/mesh.h"
#include "mesh/poor_tets.h"

namespace sinew::mesh {

struct ImproveReport {
  int64_t flips = 0;                         // tets replaced by others
  int64_t movable = 0, moved = 0;            // vertices that may move, and those that did
  double farthest = 0;                       // move [m]
  double least_before = 0, least_after = 0;  // radius ratio
  PoorTets before, after;
};

// Of first order alone. Only tets with a radius ratio below 0.3 are worked on.
ImproveReport improve(TetMesh& mesh);

}  // namespace sinew::mesh

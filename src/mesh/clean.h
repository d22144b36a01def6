#pragma once
// A tet mesh without what is degenerate: vertices at one place become one, tets without volume go, inverted ones are turned
// over, vertices of no tet are left out. Shape and volume stay.
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::mesh {

struct CleanReport {
  int64_t merged_vertices = 0;  // that took the place of another one
  int64_t collapsed_tets = 0;   // removed: two of their corners were one vertex
  int64_t flat_tets = 0;        // removed: no volume
  int64_t open_faces = 0;       // faces that those leave open inside the mesh
  int64_t repeated_tets = 0;    // removed: another one has the same corners
  int64_t turned_tets = 0;
  int64_t unused_vertices = 0;

  std::vector<std::string> sentences() const;  // empty: nothing was changed
};

// Vertices closer than 1e-9 of the mesh's extent are at one place. A tet has no volume below 1e-12 of the cube of its
// longest edge.
CleanReport clean(TetMesh& mesh);

}  // namespace sinew::mesh

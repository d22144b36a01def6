#pragma once
// Parts of a surface that are stuck into each other, as eyes into a head, are layers that are not joined: they come apart. Here they are
// joined: where cells of two parts have a lattice node in common, their vertices there become one, and cells that then have the same
// vertices are one. A part goes by the name of a group of triangles; it is all of the mesh that hangs together with them.
//
//     Result<void> done = join_parts(grid, skin, {.pairs = {{"eye", "head"}}});
#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/mesh.h"
#include "meshing/grid_mesh.h"

namespace sinew::meshing {

struct JoinedParts {
  bool all = false;                               // whatever meets
  std::vector<std::array<std::string, 2>> pairs;  // of groups of the surface
};

// The coverage of a cell that two parts have is the sum, at most 1. Refused: names of no group, and parts that do not meet, with their
// distance.
Result<void> join_parts(GridMesh<3>& grid, const mesh::TriMesh& surface, const JoinedParts& joined);

// A name for each part of the mesh that hangs together, in the order of their first elements: the group with the most pieces of triangles
// in it, or the place of one of its triangles.
std::vector<std::string> part_names(const GridMesh<3>& grid, const mesh::TriMesh& surface);

}  // namespace sinew::meshing

#pragma once
// A mesh less some of its elements or vertices, with all that belongs to those that stay: data, groups, edge nodes, skin.
#include <cstdint>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/skin.h"

namespace sinew::mesh {

// Leaves out the elements e with keep[e] == 0. The new number of each, -1 for those that are gone.
std::vector<int32_t> keep_elements(TetMesh& mesh, const std::vector<char>& keep);
std::vector<int32_t> keep_elements(TriMesh& mesh, const std::vector<char>& keep);
// Leaves out vertices that belong to no triangle. The new number of each, -1 for those that are gone.
std::vector<int32_t> keep_used_vertices(TriMesh& mesh);
// Leaves out vertices that belong to no tet; says how many. The others keep their order.
int64_t drop_unused_vertices(TetMesh& mesh);
// The skin on the elements that stayed, `number` by keep_elements: triangles with a vertex on one that is gone go too.
void follow_elements(Skin& skin, const std::vector<int32_t>& number);

// The elements of the connected part with the largest volume.
struct LargestPart {
  int32_t parts = 0;       // that there are
  std::vector<char> keep;  // by element
};
LargestPart largest_part(const TetMesh& mesh);

}  // namespace sinew::mesh

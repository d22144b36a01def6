#pragma once
// Pairs of triangles that pass through each other, by exact signs: each has points strictly on both sides of the other's
// plane, and they meet in more than a point. Neighbours count where they meet outside what they share.
//
//     SelfIntersections crossings = self_intersections(skin, 1000);
//     io::write_tri_mesh("crossings.obj", crossing_triangles(skin, crossings));
#include <array>
#include <cstdint>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::meshing {

struct SelfIntersections {
  int64_t pairs = 0;
  std::vector<std::array<int32_t, 2>> triangles;                // the first `most` pairs, ascending
  std::vector<std::array<math::Vec3d, 2>> segments;             // in which those meet
  int64_t touching = 0;                                         // pairs that only touch or lie in one plane
  std::vector<std::array<int32_t, 2>> touching_triangles = {};  // the first `most` of those, ascending
};

// Triangles without area meet nothing.
SelfIntersections self_intersections(const mesh::TriMesh& surface, int64_t most);

// The triangles of the listed pairs, each once, ascending: something to look at. Element data `triangle`: their ids.
mesh::TriMesh crossing_triangles(const mesh::TriMesh& surface, const SelfIntersections& crossings);

}  // namespace sinew::meshing

#pragma once
// A surface that the tets of a mesh carry: each of its vertices lies in a tet and moves with the corners,
//     x = sum of weights times corners.
// It may cross itself: which tet carries a vertex is known, not searched for.
#include <array>
#include <cstdint>
#include <vector>

namespace sinew::mesh {

struct Skin {
  std::vector<int32_t> tet;                       // of each vertex
  std::vector<std::array<double, 4>> weights;     // of the corners of that tet; they add up to 1
  std::vector<std::array<int32_t, 3>> triangles;  // outward, ids among the vertices
};

}  // namespace sinew::mesh

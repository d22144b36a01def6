#pragma once
// Seams: which vertices of two borders of a sheet meet. mesh/sew.h joins them.
//
//     Result<Seam> side = seam_between(mesh, "front_left", "back_left", "shirt.obj");
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "mesh/mesh.h"

namespace sinew::mesh {

// Where the vertices of a seam lie: between the two sides, or all on one.
enum class SeamPlace { middle, first, second };

struct Seam {
  // Vertices of two borders in the order in which they meet. Where the sides are closed, the last edge is that back to the first
  // vertex. Sides that are not closed may have an end in common, as those of a dart do.
  std::vector<int32_t> first, second;
  bool closed = false;
  SeamPlace place = SeamPlace::middle;
  double ease = 0.02;  // the sides may differ in length by this share of the longer one
};

// The seam of two vertex groups, each a piece of a border or a closed one, in the direction in which they are nearest to each other;
// where neither is nearer, in that in which the triangles of both sides agree about the side that they face. Refused: groups that are
// not there, that have vertices at no border, or that are not one piece.
Result<Seam> seam_between(const TriMesh& mesh, const std::string& first, const std::string& second,
                          const std::string& name);

// Edges of one triangle: by their ends, 3 triangle + the corner where they begin.
using BorderEdges = std::unordered_map<uint64_t, int32_t>;
uint64_t edge_key(int32_t a, int32_t b);
BorderEdges find_border_edges(const TriMesh& mesh);

// A side with its first vertex again at the end of a closed one.
std::vector<int32_t> unrolled(const std::vector<int32_t>& side, bool closed);

// Lengths from the beginning of a path to each of its vertices, over that of the whole path, which is `length`.
template <class EdgeLength>
std::vector<double> shares_along(const std::vector<int32_t>& path, double& length,
                                 const EdgeLength& edge_length) {
  std::vector<double> at = {0};
  for (size_t i = 1; i < path.size(); ++i) at.push_back(at.back() + edge_length(path[i - 1], path[i]));
  length = at.back();
  for (double& s : at) s /= length;
  return at;
}

}  // namespace sinew::mesh

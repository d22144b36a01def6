#pragma once
// The edges of a mesh of triangles, each with the one or two triangles that meet in it, and what keeps the mesh from being a
// surface with one side up. Edges come in the order of the triangles that first name them.
//
//     const TriangleEdges table = triangle_edges(mesh.elements, mesh.vertices.size());
//     for (const EdgeFault& fault : table.faults) message += sentence(fault) ...
//     for (const TriangleEdge& edge : table.edges) if (edge.right < 0) ...   // at a border
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinew::mesh {

// It runs from a to b in the triangle on the left and from b to a in the one on the right.
struct TriangleEdge {
  int32_t a = 0, b = 0;
  int32_t left = 0, right = -1;               // triangles; -1: there is none
  int8_t left_corner = 0, right_corner = -1;  // the places of the corners that face the edge
};

struct EdgeFault {
  enum class Kind {
    many,      // three or more triangles meet in the edge
    flipped,   // the edge runs the same way in both its triangles: one of them faces the other way
    repeated,  // the triangles have the same corners
  };
  Kind kind;
  std::array<int32_t, 2> edge;     // vertices
  std::vector<int32_t> triangles;  // ascending
};

struct TriangleEdges {
  std::vector<TriangleEdge> edges;
  std::vector<std::array<int32_t, 3>> of_triangle;  // the edge that faces each corner
  std::vector<EdgeFault> faults;  // repeated triangles first, then by the lower vertex of the edge
};

// Where edges have a fault each of the triangles there has an edge of its own, as at a border.
TriangleEdges triangle_edges(std::span<const std::array<int32_t, 3>> triangles, int64_t node_count);

// "triangles 3, 7 and 9 meet in the edge of vertices 4 and 5", counted from 0.
std::string sentence(const EdgeFault& fault);

}  // namespace sinew::mesh

#pragma once
// The surfaces of all bodies as one: the vertices, edges and triangles that may touch, as node ids, body after body, and
// who is next to whom.
//
//     const Surface surface(model);
//     const Vec3d n = surface.normal(triangle, feature, x);    // features of geometry/closest.h
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/adjacency.h"
#include "model/model.h"

namespace sinew::contact {

using math::Vec3d;

struct Surface {
  explicit Surface(const model::Model& model);

  std::vector<int32_t> vertices;              // ascending
  std::vector<std::array<int32_t, 2>> edges;  // each once, lower node first, ascending
  std::vector<model::Triangle> triangles;     // outward
  std::vector<int32_t> vertex_body, edge_body, triangle_body;
  // At rest, of each vertex: a third of the area around it [m^2], the mean length of its edges [m].
  std::vector<double> area, edge_length;
  std::vector<int32_t> vertex_of_node;  // place of each node in `vertices`; -1: not on a surface

  struct Part {
    model::Range vertices, edges, triangles;
  };
  std::vector<Part> parts;  // of each body
  // The two triangles of each edge, lower first; -1: an open edge. Of more than two the lowest two count.
  std::vector<std::array<int32_t, 2>> edge_triangles;
  mesh::Csr triangles_around, edges_around;  // of each vertex

  // Place of the edge between two nodes; -1: none.
  int32_t edge_between(int32_t a, int32_t b) const;
  // The angle-weighted outward normal at a feature of a triangle, unit (Baerentzen, Aanaes: Signed Distance Computation
  // Using the Angle Weighted Pseudonormal, 2005); zero where all triangles there have no area.
  Vec3d normal(int32_t triangle, int32_t feature, std::span<const Vec3d> x) const;
  Vec3d vertex_normal(int32_t vertex, std::span<const Vec3d> x) const;
  Vec3d edge_normal(int32_t edge, std::span<const Vec3d> x) const;
  Vec3d face_normal(int32_t triangle, std::span<const Vec3d> x) const;
};

// Of each node, whether a frame holds it completely.
std::vector<char> rigidly_held(const model::Model& model);

}  // namespace sinew::contact

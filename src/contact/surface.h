#pragma once
// The surfaces of all bodies as one: the vertices, edges and triangles that may touch, as ids of points
// (model/contact_points.h), body after body, and who is next to whom. Positions are those of points.
//
//     const Surface surface(model);
//     const Vec3d n = surface.normal(triangle, feature, x);    // features of geometry/closest.h
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/adjacency.h"
#include "model/contact_points.h"

namespace sinew::contact {

using math::Vec3d;

struct Surface {
  explicit Surface(const model::Model& model);

  std::vector<Vec3d> X;                       // of all points at rest [m]
  std::vector<int32_t> vertices;              // ascending, body by body
  std::vector<std::array<int32_t, 2>> edges;  // each once, lower point first, ascending
  std::vector<model::Triangle> triangles;     // outward
  std::vector<int32_t> vertex_body, edge_body, triangle_body;
  // At rest, of each vertex: a third of the area around it [m^2], the mean length of its edges [m].
  std::vector<double> area, edge_length;
  std::vector<int32_t> vertex_of_point;  // place of each point in `vertices`; -1: not on a surface

  struct Part {
    model::Range vertices, edges, triangles;
  };
  std::vector<Part> parts;  // of each body
  // Of each body: its surface has an inside. A sheet has none, open or closed: its triangles are met from both sides, and a side is
  // told by where something was at the start of a motion (Narrow::side_of_start).
  std::vector<char> solid;
  // The two triangles of each edge, lower first; -1: an open edge. Of more than two the lowest two count.
  std::vector<std::array<int32_t, 2>> edge_triangles;
  mesh::Csr triangles_around, edges_around;  // of each vertex

  // Place of the edge between two points; -1: none.
  int32_t edge_between(int32_t a, int32_t b) const;
  // The angle-weighted outward normal at a feature of a triangle, unit (Baerentzen, Aanaes: Signed Distance Computation
  // Using the Angle Weighted Pseudonormal, 2005); zero where all triangles there have no area.
  Vec3d normal(int32_t triangle, int32_t feature, std::span<const Vec3d> x) const;
  Vec3d vertex_normal(int32_t vertex, std::span<const Vec3d> x) const;
  Vec3d edge_normal(int32_t edge, std::span<const Vec3d> x) const;
  Vec3d face_normal(int32_t triangle, std::span<const Vec3d> x) const;
  // Where the distance from a point of an edge to something in direction n (unit) has no minimum the edge is concave; flat edges
  // bend less than about 3 degrees. For what has an inside n also leads outwards.
  enum class Towards : char { concave, flat, sharp, border };
  // Where a surface ends: bit k of a triangle, its side across from corner k is a border; bit 3 + k of a triangle or an edge,
  // its corner k lies on one.
  int32_t borders_of_triangle(int32_t triangle) const;
  int32_t borders_of_edge(int32_t edge) const;
  Towards edge_towards(int32_t edge, const Vec3d& n, std::span<const Vec3d> x) const;
};

// Of each point, whether frames hold it completely.
std::vector<char> rigidly_held(const model::Model& model);

}  // namespace sinew::contact

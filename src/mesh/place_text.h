#pragma once
// Where something is in a surface, for messages.
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <string>

#include "mesh/mesh.h"

namespace sinew::mesh {

constexpr size_t most_places = 8;  // that a message lists

inline std::string place_text(const Vec3d& at) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", at[0], at[1], at[2]);
}

inline std::string vertex_text(const TriMesh& mesh, int32_t vertex) {
  return fmt::format("{} {}", vertex, place_text(mesh.vertices[vertex]));
}

// "17-18 (0, 0, 1) to (1, 0, 1)"
inline std::string edge_text(const TriMesh& mesh, int32_t a, int32_t b) {
  return fmt::format("{}-{} {} to {}", a, b, place_text(mesh.vertices[a]), place_text(mesh.vertices[b]));
}

// "12 (vertices 3 4 5) at (0, 0, 1)", where its middle is.
inline std::string triangle_text(const TriMesh& mesh, int32_t triangle) {
  const auto& [a, b, c] = mesh.elements[triangle];
  const Vec3d middle = (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3;
  return fmt::format("{} (vertices {} {} {}) at {}", triangle, a, b, c, place_text(middle));
}

// "the first is A" or "the first are A, B, ..." of up to eight places, each a text by `text(id)`.
template <class Text>
std::string first_places(std::span<const int32_t> ids, const Text& text) {
  if (ids.size() == 1) return text(ids[0]);
  std::string list = "the first are ";
  for (size_t i = 0; i < ids.size() && i < most_places; ++i) list += (i > 0 ? ", " : "") + text(ids[i]);
  return list;
}

inline std::string first_triangles(const TriMesh& mesh, std::span<const int32_t> triangles) {
  return first_places(triangles, [&](int32_t t) { return triangle_text(mesh, t); });
}

inline std::string first_vertices(const TriMesh& mesh, std::span<const int32_t> vertices) {
  return first_places(vertices, [&](int32_t v) { return vertex_text(mesh, v); });
}

}  // namespace sinew::mesh

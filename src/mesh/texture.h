#pragma once
// Texture coordinates of a surface: the element data "texture", (u, v) of each corner of each triangle. The corners at one vertex
// differ along seams. A triangle without coordinates has six zeros.
//
//     if (const Attribute* texture = find_texture(mesh)) p = texture_corners(*texture, t)[k];
#include <array>
#include <utility>

#include "mesh/mesh.h"

namespace sinew::mesh {

using Vec2d = math::Vec<double, 2>;
using FlatTriangle = std::array<Vec2d, 3>;

inline constexpr char texture_data[] = "texture";

inline const Attribute* find_texture(const TriMesh& mesh) {
  const auto found = mesh.element_data.find(texture_data);
  const bool fits = found != mesh.element_data.end() && found->second.width == 6 &&
                    found->second.values.size() == 6 * mesh.elements.size();
  return fits ? &found->second : nullptr;
}

inline FlatTriangle texture_corners(const Attribute& texture, size_t triangle) {
  const double* at = &texture.values[6 * triangle];
  return {{{at[0], at[1]}, {at[2], at[3]}, {at[4], at[5]}}};
}

inline void append_texture(Attribute& texture, const FlatTriangle& corners) {
  texture.width = 6;
  for (const Vec2d& corner : corners) texture.values.insert(texture.values.end(), {corner[0], corner[1]});
}

// (a, b, c) becomes (a, c, b), and its coordinates with it.
inline void turn_triangle(TriMesh& mesh, size_t triangle) {
  std::swap(mesh.elements[triangle][1], mesh.elements[triangle][2]);
  if (!find_texture(mesh)) return;
  double* at = &mesh.element_data.at(texture_data).values[6 * triangle];
  std::swap(at[2], at[4]);
  std::swap(at[3], at[5]);
}

}  // namespace sinew::mesh

#pragma once
// Polygons of surface files, cut into triangles. A polygon is a fan about its first corner, unless a diagonal of the fan is an
// edge of the file or a diagonal of another polygon (an edge of four triangles, where the file has two faces at each edge), or a
// triangle of it faces backwards (the polygon is concave). Then all ways to cut it are compared: fewest such diagonals, then fewest
// triangles that face backwards or have no area, then the best shapes (the table of Klincsek, Minimal triangulations of
// polygonal domains, 1980). A polygon given twice is cut twice in the same way.
//
//     Polygons polygons;
//     polygons.add(corners, mesh.elements);  ...  polygons.cut(mesh);
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::io {

class Polygons {
 public:
  // Appends the fan of a face of at least three corners.
  void add(std::span<const int32_t> corners, std::vector<std::array<int32_t, 3>>& triangles);
  // Once all faces and vertices are there. The triangles of a polygon stay in their places, as many as before: what belongs to
  // them by number still does. Polygons of more than 128 corners stay fans. `beside`: what belongs to the corners of the triangles,
  // such as texture coordinates; it goes where the corners go.
  void cut(mesh::TriMesh& mesh, std::span<std::array<int32_t, 3>> beside = {}) const;
  int64_t count() const { return static_cast<int64_t>(fans_.size()); }  // faces of more than three corners

 private:
  struct Fan {
    int32_t first, corners;  // its first triangle
  };
  std::vector<Fan> fans_;
};

}  // namespace sinew::io

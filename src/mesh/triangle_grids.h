#pragma once
// The triangle meshes that sheets are made from (mesh/sheet_shapes.h), in reference coordinates: rows of cells, rings about a point,
// and the faces of an icosahedron.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.h"
#include "mesh/texture.h"

namespace sinew::mesh {

// How cells are cut into triangles.
//   one_way      one diagonal, from the low corner to the high one
//   alternating  the same, in every second cell the other one
//   crossed      four triangles about a vertex in the middle
//   equilateral  every second row is moved by half a cell; at straight sides it ends with half cells
enum class Pattern { one_way, alternating, crossed, equilateral };

// Triangles turn left in the plane of the coordinates.
struct Rows {
  std::vector<Vec2d> points;  // in cells, row by row; the middles of crossed cells come after
  std::vector<TriMesh::Element> elements;
  std::vector<FlatTriangle> corners;  // of each triangle in the plane: closed rows go on beyond their end
};
// `closed`: the last point of a row is its first one.
Rows rows_of_cells(const std::array<int32_t, 2>& cells, Pattern pattern, bool closed);
// How many points and triangles that makes. Reals: the counts of an absurd request must not overflow.
struct SheetSize {
  double points = 0, triangles = 0;
};
SheetSize rows_size(const std::array<int32_t, 2>& cells, Pattern pattern, bool closed);

// Equal sectors about a centre. Ring k has count[k] edges in each of them; a first ring of 0 is a point. Triangles turn left seen
// from the side from which the rings turn left.
struct Rings {
  struct Place {
    int32_t ring;
    double share;  // of the way round, 0 to 1
  };
  std::vector<Place> points;  // ring by ring
  std::vector<TriMesh::Element> elements;
};
// Not closed: each ring ends with a point of its own.
Rings rings_of_sectors(std::span<const int32_t> count, int32_t sectors, bool closed);

// The faces of an icosahedron with corners at z = 1 and z = -1, cut into cells^2 triangles each, on the unit sphere. The corners come
// first, the upper pole at 0 and the lower one at 11.
TriMesh icosahedron_surface(int32_t cells);

}  // namespace sinew::mesh

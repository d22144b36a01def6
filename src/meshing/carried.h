#pragma once
// What the surface of a body gives to the mesh around it, and takes from it: points of the surface sit in the element that carries
// them, never in another that lies in the same place; elements belong to the named group of the surface next to them.
//
//     std::vector<Carried<4>> skin = carried_by_tets(tets, grid, surface.vertices);
//     x[i] = sum over k of skin[i].weights[k] x[skin[i].vertices[k]]
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.h"
#include "meshing/bcc_tets.h"
#include "meshing/grid_mesh.h"

namespace sinew::meshing {

// A point of the surface, carried by an element: x = sum of weights times vertices, weights within [0, 1] that add up to 1; a little
// beyond where layers are moved apart (meshing/layer_gaps.h).
// A point of no facet has no carrier: its element is -1.
template <int corners>
struct Carried {
  int32_t element = -1;
  std::array<int32_t, corners> vertices{};
  std::array<double, corners> weights{};
};

// Points are those of the surface, each within the cell of its carrier. Corners in the order of hexes(); trilinear weights.
std::vector<Carried<8>> carried_by_hexes(const GridMesh<3>& grid, std::span<const Point<3>> points);
// `tets` are those of the grid. The tet is one of those that have the centre of the carrier.
std::vector<Carried<4>> carried_by_tets(const GridTets& tets, const GridMesh<3>& grid,
                                        std::span<const Point<3>> points);

// The barycentric coordinates of a point in a tet, also outside it.
std::array<double, 4> weights_in(std::span<const Point<3>> vertices, const std::array<int32_t, 4>& tet,
                                 const Point<3>& x);

// Elements by the groups of the surface's triangles. An element is in one group at most: that with the most pieces in it; without
// pieces that of the nearest element with some, in steps over shared faces; the lowest name where several would do. Triangles of no
// group count as a group of their own, which has the lowest name and is not in the result.
mesh::Groups carried_groups(const GridMesh<3>& grid, const mesh::TriMesh& surface);
// The same groups for tets: that of the first element whose centre a tet has.
mesh::Groups groups_of_tets(const GridTets& tets, const mesh::Groups& groups_of_elements);

// For each group of the surface, the vertices of the elements that its triangles pass through, or that carry its points. With tets also
// centres, of the elements and of their faces on the boundary.
mesh::Groups touched_vertices(const GridMesh<3>& grid, const mesh::TriMesh& surface, const GridTets* tets);

}  // namespace sinew::meshing

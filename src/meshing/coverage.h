#pragma once
// The share of a cell that a facet takes away. With v(q) = 1 where q is material of a layer, the share of a box that
// is material is
//     v(high corner) + sum over the layer's facets of share_below(facet, low, high),
// where share_below is the signed share of the points of the box that see the facet when they look along +x
// to the far face, on that face along +y, and on that edge along +z (counted where the looking crosses the
// facet: plus where it goes out of the material, minus where it comes in). So shares add up facet by facet,
// and over all cells to the volume inside the surface. On the last edge it is exact which facets are crossed,
// as by FacetTests::cut, which must also have told v(high corner).
//
//   3D, with x, y, z from 0 to 1 in the box:  integral of x n_x dA over the facet in the box
//                                           + integral of y dz along its trace on the face x = 1
//                                           + z, with a sign, where it crosses the edge x = y = 1
#include <array>

#include "meshing/grid_mesh.h"

namespace sinew::meshing {

template <int dim>
double share_below(const std::array<Point<dim>, dim>& facet, const Point<dim>& low, const Point<dim>& high);
template <>
double share_below<2>(const std::array<Point<2>, 2>& facet, const Point<2>& low, const Point<2>& high);
template <>
double share_below<3>(const std::array<Point<3>, 3>& facet, const Point<3>& low, const Point<3>& high);

// Makes the sum of the coverage that of the volume [m^3] inside the surface, where shares were cut off at 0 and 1: layers that the
// grid cannot tell apart are one, and so are layers that coarsening has joined. Cells that are covered in part give or take, by
// c (1 - c), which keeps them between empty and full.
void match_volume(GridMesh<3>& grid, double volume);

}  // namespace sinew::meshing

#pragma once
// Closed surfaces of triangles that face outwards, to make volumes of. Their points may be moved afterwards by any map, also to where
// other points are: the surface then passes through itself.
//
//     TriMesh skin = moved(box_surface({40, 4, 8}), [](const Vec3d& u) { return curl(u); });
#include <array>
#include <cstdint>

#include "mesh/mesh.h"

namespace sinew::mesh {

// [0, 1]^3, each face a grid of squares cut in two.
TriMesh box_surface(const std::array<int32_t, 3>& cells);

// Radius 1, centre at the origin: the grid of a cube of n x n squares a face, bulged.
TriMesh sphere_surface(int32_t n);

// Points (i, j) with i along a closed ring and j around its section, both from 0. Behind the last section comes the first,
// turned: its point j follows point j + shift (modulo `around`). Their coordinates are (i / along, j / around, 0).
TriMesh ring_surface(int32_t along, int32_t around, int32_t shift = 0);

// About the z axis, centre at the origin.
TriMesh torus_surface(double major, double minor, int32_t along, int32_t around);

// The points and triangles of both.
TriMesh joined(TriMesh a, const TriMesh& b);

template <class Map>
TriMesh moved(TriMesh surface, const Map& map) {
  for (Vec3d& x : surface.vertices) x = map(x);
  return surface;
}

// The volume that the surface encloses [m^3]; overlapping layers count once each.
double signed_volume(const TriMesh& surface);

}  // namespace sinew::mesh

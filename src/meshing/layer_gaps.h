#pragma once
// Layers that are not joined may lie side by side: cells on both sides of a gap narrower than a cell have vertices of their own at the
// same lattice nodes. As positions these would coincide, and contact would find the layers touching at rest. They are moved apart, each
// towards its own cells: two faces that lay on each other are then 0.15 cells apart. Layers that overlap in a cell stay as they are,
// and are told of.
#include <cstdint>
#include <span>

#include "meshing/bcc_tets.h"
#include "meshing/grid_mesh.h"

namespace sinew::meshing {

// Moves vertices of the tets, which are those of the grid; the centres of cells stay. Says at how many lattice nodes.
int64_t open_gaps(const GridMesh<3>& grid, GridTets& tets);

// Places where several vertices lie on each other.
struct SharedPlaces {
  int64_t count = 0;
  math::Vec3d first = math::Vec3d::zero();  // of them [m]
};
SharedPlaces shared_places(std::span<const math::Vec3d> vertices);

}  // namespace sinew::meshing

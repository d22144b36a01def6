#pragma once
// The hex meshes that shapes are cut from (mesh/shapes.h), in reference coordinates: a grid, layers
// around a cube, and a disc with a square core drawn out along z. Local axes agree along shared edges, so
// every split of mesh/split.h fits.
#include <array>
#include <cstdint>

#include "mesh/mesh.h"

namespace sinew::mesh {

// Integer coordinates 0..cells, with a vertex group for each side: low and high x, y, z.
HexMesh grid(const std::array<int32_t, 3>& cells, const std::array<const char*, 6>& sides);

// Layers around the surface of a cubic lattice, |p|_inf from inner to outer. An octant has the faces
// x, y, z = high of the lattice only. Groups: outer; inner where it is hollow; xmin ymin zmin for an octant.
struct CubeLayers {
  int32_t cells = 1;  // along an edge of the cube
  int32_t layers = 1;
  double inner = 0.5, outer = 1;
  bool octant = false;
  bool solid = false;  // the lattice inside is filled too
  // Layers of cells put in at z = 0, for an even number of cells: the half above is shifted by `column`,
  // and between the halves z counts the layers.
  int32_t column = 0;
};
HexMesh cube_layers(const CubeLayers& shape);

// How a solid round shape divides the cells of its diameter: `core` in the middle, `rings` on either side.
struct Core {
  int32_t rings, core;
  double edge;  // |p|_inf at the edge of the core
  explicit Core(int32_t cells);
};

// The square |p|_inf <= 1 as a core and rings around it, drawn out to z = 0..layers.
// Groups: side bottom top.
HexMesh square_column(int32_t cells, int32_t layers);

}  // namespace sinew::mesh

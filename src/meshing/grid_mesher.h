#pragma once
// Makes of a closed surface that may pass through itself a mesh of lattice cells in which overlapping layers are not joined (Chen, PhD
// thesis, UCLA 2024, chapter 3; Gagniere et al., A Robust Grid-Based Meshing Algorithm for Embedding
// Self-Intersecting Surfaces, 2024).
//
//     Result<Gridded<3>> body = mesh_grid<3>({points, facets, {}}, {.cell = 0.01}, control);
#include <cstdint>
#include <vector>

#include "base/control.h"
#include "base/result.h"
#include "meshing/grid_mesh.h"
#include "meshing/surface_view.h"

namespace sinew::meshing {

struct GridOptions {
  double cell = 0;                                                                           // [m]
  std::array<double, 3> offset = {generic_offset[0], generic_offset[1], generic_offset[2]};  // [cells]
  int64_t max_bytes =
      int64_t{1} << 40;  // what the mesh and its making may take; more is refused before it is taken
};

// A region of lattice nodes that the surface winds around more or less often than the mesh has layers there. Fewer layers: a body
// inside another one that does not touch it, or a fold that turns inside out. More: patches too thin for the cells.
template <int dim>
struct LayerMismatch {
  Index<dim> node;  // one of the region
  int32_t winding;
  int32_t layers;
};

// A connected part of the surface without a lattice node inside: thinner than a cell, or turned inside out.
struct ThinPart {
  int32_t point;  // one of its points
  double size;    // [m] the longest side of its box
};

template <int dim>
struct GridReport {
  int64_t shell_elements = 0;   // those in cells that the surface passes through
  int64_t regions = 0;          // of lattice nodes, parted by the surface; without the outside
  std::vector<int32_t> copies;  // of each region with material, before folding, most first
  int64_t folded = 0;           // copies that turned out to be others
  int64_t nested = 0;           // regions inside bodies that lie in others without touching their surface
  int64_t ambiguous = 0;        // choices between several elements of one cell; 0 on sound input
  int64_t wrong_side =
      0;  // vertices inside by the patch around them, in a place that is outside: parts thinner than a cell
  std::vector<ThinPart>
      thin_parts;  // their cells are in the mesh, joined to nothing: to be meshed without them
  std::vector<LayerMismatch<dim>> mismatches;
  double volume = 0;  // [m^3] or [m^2] of material: the sum of coverage
  int64_t predicate_calls = 0;
  int64_t exact_calls = 0;  // of those, decided by exact arithmetic
};

template <int dim>
struct Gridded {
  GridMesh<dim> mesh;
  GridReport<dim> report;
};

// The surface is closed and oriented (meshing/surface_check.h). Refused: a surface all parts of which are thinner than a cell or
// turned inside out, a lattice too large for 2^31 vertices, for 2^20 cells along an axis or for max_bytes.
template <int dim>
Result<Gridded<dim>> mesh_grid(const SurfaceView<dim>& surface, const GridOptions& options,
                               const Control& control);

}  // namespace sinew::meshing

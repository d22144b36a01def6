#pragma once
// A volume for a surface: check and repair, mesh of cells, coarsening, tets, and the surface carried by them. This is what the command,
// scenes and Python call.
//
//     Result<Volume> body = volume_of(skin, {.cell = 0.008}, "skin.obj", control);
//     body->tets, body->carried                                     // x = sum of weights times nodes of the carrying tet
#include <optional>

#include "base/control.h"
#include "meshing/bcc_tets.h"
#include "meshing/carried.h"
#include "meshing/grid_mesher.h"
#include "meshing/self_intersections.h"
#include "meshing/surface_check.h"

namespace sinew::meshing {

struct VolumeOptions {
  double cell = 0;       // [m] of the mesh that comes out; one of cell, cells, tets is given
  int64_t cells = 0;     // as many hexahedra, within 10 %
  int64_t tets = 0;      // as many tets, within 10 %
  int coarsen = 0;       // levels: topology is found on cells 2^coarsen times smaller
  bool hexes = false;    // hexahedra are wanted, no tets
  bool winding = false;  // an open surface: the inside is where it winds around a point by more than one half
  SurfaceRepairs repairs;
  std::array<double, 3> offset = {generic_offset[0], generic_offset[1], generic_offset[2]};
  int64_t max_bytes = 0;  // 0: three quarters of the memory that is free
};

struct VolumeReport {
  SurfaceReport surface;
  GridReport<3> grid;
  SelfIntersections crossings;
  int32_t components = 0;  // of the mesh
  int64_t thin_cells = 0;  // cells that one layer passes through more than once: parts thinner than the grid
  double mesh_volume = 0;  // [m^3] of all elements
  double covered_volume = 0;  // [m^3] by coverage: that of the surface
};

struct Volume {
  GridMesh<3> grid;
  mesh::TriMesh surface;  // as checked
  mesh::HexMesh hexes;    // where asked for
  mesh::TetMesh tets;     // otherwise. Element data: `layers` (elements in the same cell), `coverage`
  std::vector<Carried<8>> in_hexes;  // of each point of `surface`, where hexes are asked for
  std::vector<Carried<4>> in_tets;   // otherwise
  VolumeReport report;
};

Result<Volume> volume_of(const mesh::TriMesh& surface, const VolumeOptions& options, const std::string& name,
                         const Control& control);

}  // namespace sinew::meshing

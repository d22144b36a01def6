#pragma once
// A volume for a surface: check and repair, mesh of cells, coarsening, tets, and the surface carried by them. This is what the command,
// scenes and Python call.
//
//     Result<Volume> body = volume_of(skin, {.cell = 0.008}, "skin.obj", control);
//     body->tets, body->in_tets                        // x = sum of weights times vertices of the carrying tet
#include <functional>
#include <string>
#include <vector>

#include "base/control.h"
#include "mesh/skin.h"
#include "meshing/bcc_tets.h"
#include "meshing/carried.h"
#include "meshing/grid_mesher.h"
#include "meshing/join_parts.h"
#include "meshing/layer_gaps.h"
#include "meshing/self_intersections.h"
#include "meshing/surface_check.h"

namespace sinew::meshing {

struct VolumeOptions {
  double cell = 0;  // [m] of the mesh that comes out; without cell, cells and tets one for about 20,000 tets
  int64_t cells = 0;     // as many hexahedra, within 10 %
  int64_t tets = 0;      // as many tets, within 10 %
  int coarsen = 0;       // levels: topology is found on cells 2^coarsen times smaller
  bool hexes = false;    // hexahedra are wanted, no tets
  bool winding = false;  // an open surface: the inside is where it winds around a point by more than one half
  JoinedParts joined = {};  // parts of the surface that are stuck into each other
  SurfaceRepairs repairs = {};
  std::array<double, 3> offset = {generic_offset[0], generic_offset[1], generic_offset[2]};
  int64_t max_bytes = 0;     // what meshing and the mesh may take; 0: no limit
  double bytes_per_tet = 0;  // that the caller needs beside
  std::function<void(double done, const char* next)> on_progress =
      {};  // what part is done, and what comes next
};

struct VolumeReport {
  SurfaceReport surface;
  GridReport<3> grid;                // of the mesh before it was coarsened
  std::vector<ThinPart> thin_parts;  // of `surface`, left out
  SelfIntersections crossings;
  double cell = 0;   // [m]
  int meshings = 1;  // until as many cells or tets were there as asked for
  int64_t cells = 0, tets = 0, vertices = 0;
  int32_t components = 0;          // of the mesh
  std::vector<std::string> parts;  // names of these, where there are several
  int64_t overlapping_cells = 0;   // places with more than one cell
  int64_t crowded_faces = 0;       // faces of more than two cells
  int64_t thin_cells = 0;     // that one layer passes through more than once: parts thinner than the grid
  int64_t gap_places = 0;     // where vertices of tets were moved apart (meshing/layer_gaps.h)
  SharedPlaces shared;        // of vertices of tets, where cells overlap
  double mesh_volume = 0;     // [m^3] of all elements
  double covered_volume = 0;  // [m^3] by coverage: that of the surface
};

// Both kinds of mesh have element data `layers`, the elements in the same cell, and `coverage`, the share that is
// material. A group of the surface gives two: an element group, the elements nearest to its triangles, so that
// materials can follow; and a vertex group, the vertices of the elements that its triangles pass through.
struct Volume {
  GridMesh<3> grid;
  mesh::TriMesh surface;          // as checked
  std::vector<int32_t> point_of;  // of each vertex of the surface as given: its point in `surface`; -1: none
  mesh::HexMesh hexes;            // where asked for
  mesh::TetMesh tets;             // otherwise
  std::vector<Carried<8>> in_hexes;  // of each point of `surface`, where hexes are asked for
  std::vector<Carried<4>> in_tets;   // otherwise
  VolumeReport report;
};

// Where the surface cannot be closed, and repairs are allowed, its winding number tells the inside, with a message. `name` is what
// messages call the surface.
Result<Volume> volume_of(const mesh::TriMesh& surface, const VolumeOptions& options, const std::string& name,
                         const Control& control);

// The vertices of the surface as it was given, in their order. Those of triangles that were left out go with the element of the nearest
// point that was not, with weights beyond 0 and 1; vertices of no triangle are where a corner of the first one is.
std::vector<Carried<4>> given_in_tets(const mesh::TriMesh& given, const Volume& volume);
std::vector<Carried<8>> given_in_hexes(const mesh::TriMesh& given, const Volume& volume);
// The same for tets, with the triangles, turned as in `surface`.
mesh::Skin skin_of(const mesh::TriMesh& given, const Volume& volume);

// About how many cells, of this size, bodies of this volume and area take: each cell that has a part of them counts, on average
// over all directions half of those that the surface passes through. And how many tets the cells are cut into.
double estimated_cells(double volume, double area, double cell);
double estimated_tets(double volume, double area, double cell);
// The peak memory of meshing, to an order of magnitude [bytes].
double estimated_bytes(double volume, double area, const VolumeOptions& options, double cell);

}  // namespace sinew::meshing

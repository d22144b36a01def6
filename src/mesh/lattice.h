#pragma once
// A solid (mesh/solid.h) filled with the tets of a body-centred cubic lattice, cut at its surface. Lattice
// points too close to the surface move onto it; what is still cut is replaced by one to three tets. After
// Labelle and Shewchuk, Isosurface stuffing: fast tetrahedral meshes with good dihedral angles, 2007.
// For any solid the angles between faces are in 9.3 to 161.7 degrees and the surface is a closed manifold.
// Its nodes lie on the solid's surface to 1e-9 of a cell; where a part is too thin for the lattice, to 0.4.
// Sharp edges are rounded at the scale of a cell, unless they run along planes of the lattice, which starts
// at the low corner of the solid's bounds. What is thinner than a cell may get holes or vanish.
// Group: surface. The same bits for any number of threads.
//
//     Result<TetMesh> ball = make_lattice({.solid = {.kind = Solid::Kind::ellipsoid}, .cell = 0.1});
#include "mesh/shapes.h"
#include "mesh/solid.h"

namespace sinew::mesh {

struct Lattice {
  Solid solid;
  double cell = 0.1;  // edge of the cubes of the lattice [m]
};

Result<TetMesh> make_lattice(const Lattice& lattice, int64_t max_bytes = default_max_bytes);

// About what make_lattice will make, from a coarse sampling; zeros where it will refuse the solid.
SplitSize lattice_size(const Lattice& lattice);

}  // namespace sinew::mesh

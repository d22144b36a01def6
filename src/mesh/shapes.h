#pragma once
// Simple solids as tet meshes: grids of hexes in a reference domain, cut into tets (mesh/split.h), then
// mapped, so that the nodes of every split lie on the curved surfaces. Each shape carries vertex groups.
// Node (i, j, k) of a box has the id i + (nx + 1) * (j + (ny + 1) * k).
// A request is weighed before anything is allocated: more than `max_bytes`, or more nodes or tets than
// a 32-bit id can name, is an error that gives the estimate.
//
//     Result<TetMesh> block = make_box({.size = {1, 1, 1}, .cells = {31, 31, 31}, .split = Split::five});
#include <array>
#include <cstdint>

#include "base/result.h"
#include "mesh/mesh.h"
#include "mesh/split.h"

namespace sinew::mesh {

constexpr int64_t default_max_bytes = int64_t{4} << 30;

// [0, size] in x, y and z. Groups: xmin xmax ymin ymax zmin zmax.
struct Box {
  Vec3d size{1, 1, 1};  // [m]
  std::array<int32_t, 3> cells{8, 8, 8};
  Split split = Split::six;
};

// Centre at the origin. A cube of cells in the middle, rounded, and six patches of layers around it.
// Group: surface.
struct Ball {
  double radius = 1;   // [m]
  int32_t cells = 12;  // across the diameter, at least 3
  Split split = Split::six;
};

// The same, stretched along x, y and z. Group: surface.
struct Ellipsoid {
  Vec3d radii{1, 1, 1};  // [m]
  int32_t cells = 12;    // across the diameter, at least 3
  Split split = Split::six;
};

// Axis z, from z = 0 to z = length. Groups: side bottom top.
struct Cylinder {
  double radius = 1;    // [m]
  double length = 1;    // [m]
  int32_t cells = 12;   // across the diameter, at least 3
  int32_t layers = 12;  // along the axis
  Split split = Split::six;
};

// Axis z, from z = 0 to z = length; the angle counts from x towards y.
// Groups: inner outer bottom top, and start end where the circle is not full.
struct Tube {
  double inner = 0.5, outer = 1;  // radii [m]
  double length = 1;              // [m]
  double start_degrees = 0;
  double sweep_degrees = 360;
  int32_t radial = 4, around = 24, layers = 4;  // cells
  Split split = Split::six;
};

// A ring about z, centre at the origin; the angle counts from x towards y.
// Groups: surface, and start end where the circle is not full.
struct Torus {
  double major = 1, minor = 0.25;  // radii of the circle and of the section [m]
  double start_degrees = 0;
  double sweep_degrees = 360;
  int32_t cells = 6;    // across the diameter of the section, at least 3
  int32_t around = 24;  // along the arc
  Split split = Split::six;
};

// A cylinder between two half balls, axis z, centre at the origin.
// Groups: surface, and its parts bottom_cap side top_cap, which share the circles between them.
struct Capsule {
  double radius = 1;   // [m]
  double length = 1;   // between the centres of the caps [m]
  int32_t cells = 12;  // across the diameter, even, at least 4
  int32_t layers = 6;  // along the cylinder
  Split split = Split::six;
};

// A thin slab [0, size] in x and y, [0, thickness] in z. Groups: xmin xmax ymin ymax bottom top.
struct Sheet {
  std::array<double, 2> size{1, 1};  // [m]
  double thickness = 0.01;           // [m]
  std::array<int32_t, 2> cells{16, 16};
  int32_t layers = 1;  // cells through the thickness
  Split split = Split::six;
};

// A thick spherical shell, centre at the origin, from the patches of a cube, or its octant x, y, z >= 0.
// Groups: inner outer, and xmin ymin zmin (the planes of symmetry) for the octant.
struct Shell {
  double inner = 0.5, outer = 1;  // radii [m]
  bool octant = false;
  int32_t radial = 4;  // cells through the wall
  int32_t across = 8;  // cells along each side of a patch (a cube has six patches, an octant three)
  Split split = Split::six;
};

Result<TetMesh> make_box(const Box& box, int64_t max_bytes = default_max_bytes);
Result<TetMesh> make_ball(const Ball& ball, int64_t max_bytes = default_max_bytes);
Result<TetMesh> make_ellipsoid(const Ellipsoid& ellipsoid, int64_t max_bytes = default_max_bytes);
Result<TetMesh> make_cylinder(const Cylinder& cylinder, int64_t max_bytes = default_max_bytes);
Result<TetMesh> make_tube(const Tube& tube, int64_t max_bytes = default_max_bytes);
Result<TetMesh> make_torus(const Torus& torus, int64_t max_bytes = default_max_bytes);
Result<TetMesh> make_capsule(const Capsule& capsule, int64_t max_bytes = default_max_bytes);
Result<TetMesh> make_sheet(const Sheet& sheet, int64_t max_bytes = default_max_bytes);
Result<TetMesh> make_shell(const Shell& shell, int64_t max_bytes = default_max_bytes);

}  // namespace sinew::mesh

#pragma once
// Simple sheets as triangle meshes: what bodies without a thickness of their own in the mesh are made of. Each shape carries vertex
// groups. Where its triangles unfold into a plane without strain it carries texture coordinates [m] (mesh/texture.h).
// A request is weighed before anything is allocated: more than `max_bytes`, or more than a 32-bit id can name, is an error that gives
// the estimate.
//
//     Result<TriMesh> cloth = make_grid_sheet({.size = {1, 1}, .edge = 0.02, .pattern = Pattern::crossed});
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "mesh/mesh.h"
#include "mesh/shapes.h"
#include "mesh/triangle_grids.h"

namespace sinew::mesh {

std::span<const std::string_view> pattern_names();  // in the order of the enum
std::optional<Pattern> pattern_named(std::string_view name);

// Vertices at no border and in no group are moved along the surface, at random: what depends on the mesh shows.
struct Jitter {
  double share = 0;  // of the shortest edge of a vertex; at most 0.3
  uint64_t seed = 0;
};

// Every shape is cut into `cells`, or, with an `edge` above 0 [m], into as many as bring most edges near that length.

// [0, size] in x and y, facing z. Groups: xmin xmax ymin ymax, and the corners xmin_ymin xmax_ymin xmin_ymax xmax_ymax.
struct GridSheet {
  std::array<double, 2> size{1, 1};  // [m]
  std::array<int32_t, 2> cells{16, 16};
  double edge = 0;  // of the cells; equilateral: of the triangles [m]
  Pattern pattern = Pattern::one_way;
  Jitter jitter = {};
};

// Centre at the origin, facing z, of rings of nearly equilateral triangles. Groups: border, and centre or inner; xmin ymin of a
// quarter; start end of a slit one, along x.
struct DiscSheet {
  double inner = 0, outer = 1;  // radii [m]
  int32_t cells = 8;            // from the centre or the inner border to the outer one
  double edge = 0;              // [m]
  bool quarter = false;         // x, y >= 0
  bool slit = false;            // with an inner border alone
  Jitter jitter = {};
};

// Axis z, from z = 0 to z = length, facing outwards; the angle counts from x towards y.
// Groups: bottom top, and start end where the circle is not full.
// It unfolds with every pattern but crossed; the equilateral one only where the circle is full. One with jitter does not.
struct TubeSheet {
  double radius = 1, length = 1;  // [m]
  double start_degrees = 0, sweep_degrees = 360;
  int32_t around = 24, along = 8;  // cells
  double edge = 0;                 // [m]
  Pattern pattern = Pattern::one_way;
  Jitter jitter = {};
};

// A closed sphere about the origin, facing outwards: the faces of an icosahedron, each cut into cells^2 triangles. Groups: bottom top,
// a vertex each on the z axis.
struct SphereSheet {
  double radius = 1;  // [m]
  int32_t cells = 8;
  double edge = 0;  // [m]
  Jitter jitter = {};
};

// A part of a sphere about the origin, facing outwards, between two angles from the z axis: a cap, or a hemisphere with a hole.
// Vertices lie in the planes x = 0 and y = 0. Groups: border, and centre or inner; xmin ymin of a quarter.
struct CapSheet {
  double radius = 1;  // [m]
  double hole_degrees = 0, opening_degrees = 90;
  int32_t cells = 8;     // from the axis or the hole to the border
  double edge = 0;       // [m]
  bool quarter = false;  // x, y >= 0
  Jitter jitter = {};
};

Result<TriMesh> make_grid_sheet(const GridSheet& grid, int64_t max_bytes = default_max_bytes);
Result<TriMesh> make_disc_sheet(const DiscSheet& disc, int64_t max_bytes = default_max_bytes);
Result<TriMesh> make_tube_sheet(const TubeSheet& tube, int64_t max_bytes = default_max_bytes);
Result<TriMesh> make_sphere_sheet(const SphereSheet& sphere, int64_t max_bytes = default_max_bytes);
Result<TriMesh> make_cap_sheet(const CapSheet& cap, int64_t max_bytes = default_max_bytes);

}  // namespace sinew::mesh

#pragma once
// What is wrong with a surface, what of it was put right, and what was not. The mesher needs a closed surface whose triangles agree
// about the outside. Repairs change no point: triangles without area or given twice are left out, patches that face inwards are turned
// where the others outvote nothing (a connected patch as a whole by the sign of its volume; parts of a patch where
// every disagreement lies between the parts), holes of at most `hole_edges` edges are closed by a fan of triangles.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/mesh.h"

namespace sinew::meshing {

struct SurfaceRepairs {
  bool fill_holes = true;
  int32_t hole_edges = 64;  // longer rims are refused
  bool orient = true;
};

struct SurfaceReport {
  int64_t points = 0, triangles = 0;      // as given
  int64_t duplicate_points = 0;           // joined: same coordinates (as in STL files)
  int64_t degenerate = 0, duplicate = 0;  // triangles left out
  int64_t turned = 0;                     // triangles whose order of corners was turned round
  int64_t holes_closed = 0, fan_triangles = 0;
  int32_t components = 0;
  int32_t cavities = 0;               // components that face inwards, inside another
  double volume = 0;                  // [m^3] signed; layers count as often as they overlap
  double area = 0;                    // [m^2]
  std::vector<std::string> messages;  // one sentence for each thing that was put right
};

struct CheckedSurface {
  mesh::TriMesh mesh;             // closed and oriented; groups and data of the triangles that are left
  std::vector<int32_t> point_of;  // of each given vertex: its point in `mesh`
  SurfaceReport report;
};

// `name` is what messages call the surface. Errors name up to eight edges with the coordinates of their ends.
Result<CheckedSurface> check_surface(const mesh::TriMesh& surface, const SurfaceRepairs& repairs,
                                     const std::string& name);

// Pairs of triangles that pass through each other (exact; neighbours that share a point count where they meet elsewhere), and
// the segments in which they meet.
struct SelfIntersections {
  int64_t pairs = 0;
  std::vector<std::array<int32_t, 2>> triangles;     // the first `most` pairs, ascending
  std::vector<std::array<math::Vec3d, 2>> segments;  // of those
  int64_t touching = 0;                              // pairs that only touch or lie in one plane
};
SelfIntersections self_intersections(const mesh::TriMesh& surface, int64_t most);

}  // namespace sinew::meshing

#pragma once
// Finds what is wrong with a surface, repairs what it can and reports the rest. The mesher needs a closed surface whose triangles agree
// about the outside. Repairs move no point:
//   left out   triangles without area or given twice
//   joined     points at one place, where edges are open (as in STL files): closed parts that coincide stay apart
//   parted     edges of four and more triangles, by the order of their angles; points where fans of triangles only touch; edges
//              where two folds hold together at both ends, in the middle
//   left out   walls inside a body and fins on it, told by what is seen from them where angles do not tell; sheets beside a body
//   turned     triangles that most of their patch disagrees with; parts that face inwards, unless inside another (a cavity)
//   closed     holes of at most `hole_edges` edges, where the lids of a part have at most three quarters of its area
// Refused: one-sided parts, edges whose triangles cannot be told apart, larger holes, numbers that are not finite.
//
//     Result<CheckedSurface> skin = check_surface(mesh, {}, "skin.obj");
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/mesh.h"

namespace sinew::meshing {

inline constexpr int32_t max_hole_edges = 1000;

struct SurfaceRepairs {
  bool fill_holes = true;
  int32_t hole_edges = 256;  // longer rims are refused; at most max_hole_edges
  bool orient = true;
};

struct SurfaceReport {
  int64_t points = 0, triangles = 0;      // as given
  int64_t duplicate_points = 0;           // joined: same coordinates (as in STL files)
  int64_t degenerate = 0, duplicate = 0;  // triangles left out
  int64_t turned = 0;                     // triangles whose order of corners was turned round
  int64_t holes_closed = 0, fan_triangles = 0;
  int64_t sheets = 0;        // open parts left out
  int64_t split_points = 0;  // added where fans of triangles only touch, or two folds share an edge
  int32_t components = 0;
  int32_t cavities = 0;               // components that face inwards, inside another
  double volume = 0;                  // [m^3] signed; layers count as often as they overlap
  double area = 0;                    // [m^2]
  std::vector<std::string> messages;  // one sentence for each thing that was put right
};

struct CheckedSurface {
  mesh::TriMesh
      mesh;  // closed and oriented, with groups and data; lids have those of a triangle at their rim
  // For each given vertex its point in `mesh`, that of its first fan where it was split; -1 where no triangle uses it.
  std::vector<int32_t> point_of;
  SurfaceReport report;
};

// Refused: no triangles, more than 2^31 / 3, corners out of range, numbers that are not finite or beyond math/predicates.h.
Result<void> check_numbers(const mesh::TriMesh& surface, const std::string& name);

// `name` is what messages call the surface. Errors name up to eight edges with the coordinates of their ends.
Result<CheckedSurface> check_surface(const mesh::TriMesh& surface, const SurfaceRepairs& repairs,
                                     const std::string& name);

// For surfaces that cannot be closed: nothing is left out or closed but triangles without area; each patch of triangles that agree faces the side
// from which more is seen of what is far away.
Result<CheckedSurface> face_by_sight(const mesh::TriMesh& surface, const std::string& name);

}  // namespace sinew::meshing

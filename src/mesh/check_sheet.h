#pragma once
// Finds what is wrong with a triangle mesh that is to be a sheet, repairs what it can and reports the rest. Repairs move no vertex:
//   left out   triangles given twice, also back to back; vertices of no triangle
//   joined     vertices at one place, where edges are open and only if asked for: seams may be meant
//   turned     triangles that most of their patch disagrees with
// Said: vertices at one place, vertices where fans of triangles only touch, slender triangles, a thickness above the shortest edge.
// Refused: edges of more than two triangles, triangles without area, one-sided parts, numbers that are not finite, no thickness.
//
//     Result<CheckedSheet> sheet = check_sheet(mesh, {.thickness = 1e-3}, "shirt.obj");
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/mesh.h"

namespace sinew::mesh {

struct SheetOptions {
  double thickness = 0;  // [m]
  bool join = false;     // vertices at one place, where edges are open
  bool orient = true;
};

struct SheetReport {
  int64_t repeated = 0;  // triangles left out
  int64_t unused = 0;    // vertices left out
  int64_t joined = 0;    // vertices
  int64_t turned = 0;    // triangles
  // Of the mesh after repairs.
  int64_t coincident = 0;  // vertices at the place of others
  int64_t touching = 0;    // vertices where fans of triangles only touch
  int64_t slender = 0;     // triangles
  int32_t components = 0;  // that share no vertex
  int32_t borders = 0;     // loops
  int64_t euler = 0;       // vertices - edges + triangles: 1 for a disc, 0 for a tube, 2 for a sphere
  double shortest_edge = std::numeric_limits<double>::infinity();  // [m]
  double worst_quality = 1;                                        // see below
  double area = 0;                                                 // [m^2]
  std::vector<std::string> messages;  // one sentence for each thing that was put right or looks wrong
};

struct CheckedSheet {
  TriMesh mesh;  // with groups and data
  // Of each given vertex and triangle its number in `mesh`; -1: left out.
  std::vector<int32_t> vertex_of, triangle_of;
  // Of each triangle of `mesh`, whether it was turned: (a, b, c) is (a, c, b) now. Its texture coordinates were turned with it; what
  // else belongs to its corners was not.
  std::vector<char> turned;
  SheetReport report;
};

// `name` is what messages call the sheet. They name up to eight places, by the numbers of the given mesh.
Result<CheckedSheet> check_sheet(const TriMesh& mesh, const SheetOptions& options, const std::string& name);

// Refused: corners and members of groups that are not there, data of another length than the mesh has.
Result<void> check_references(const TriMesh& mesh, const std::string& name);

// 4 sqrt(3) area / (sum of the squared edges): 1 where all edges are equal, 0 without area.
double triangle_quality(const Vec3d& a, const Vec3d& b, const Vec3d& c);

}  // namespace sinew::mesh

#pragma once
// Sews borders of a sheet together: vertices of two borders become one, pair by pair along their lengths. A border with fewer vertices
// gets new ones where its partner has them: the triangles at its edges are cut. Edges inside both sheets that would become one, as
// those of two triangles in a corner between two seams, are kept apart by a new vertex in the middle of one. The shape at rest stays
// that of each triangle, so that patterns of different curvature pull at the seam, as cloth does.
//
//     Result<Seam> side = seam_between(mesh, "front_left", "back_left", "shirt.obj");
//     Result<Sewn> shirt = sew(mesh, patterns.flat, {&*side, 1}, "shirt.obj");
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh/flat_patterns.h"
#include "mesh/mesh.h"
#include "mesh/seam.h"

namespace sinew::mesh {

struct SeamReport {
  double length[2] = {0, 0};         // of the sides at rest [m]
  int64_t joined = 0, inserted = 0;  // vertices
};

struct Sewn {
  TriMesh mesh;                      // with groups and data; a vertex has the data of the first that it was
  std::vector<FlatEdges> flat;       // of each triangle, where it was given
  std::vector<int32_t> vertex_of;    // of each given vertex its number in `mesh`
  std::vector<int32_t> triangle_in;  // of each triangle the given one that it is or was cut from
  std::vector<SeamReport> seams;
  int64_t kept_apart = 0;  // edges that were cut in the middle
};

// `flat`: the shape at rest of each triangle; none: that in space, for the lengths alone. Refused: sides that are no borders, that are
// in two seams, that have vertices in common other than ends, or whose lengths differ by more than their ease.
Result<Sewn> sew(const TriMesh& mesh, std::span<const FlatEdges> flat, std::span<const Seam> seams,
                 const std::string& name);

}  // namespace sinew::mesh

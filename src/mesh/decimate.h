#pragma once
// Fewer triangles for a closed surface: short edges collapse onto one of their ends, in the order of the quadric error (Garland,
// Heckbert: Surface Simplification Using Quadric Error Metrics, 1997). Vertices that remain stay where they are, so that what
// carries them still does.
//
//     triangles = decimate(points, triangles, {.shortest = 0.7 * edge, .longest = 1.5 * edge, .tolerance = 0.03 * edge});
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::mesh {

struct DecimateOptions {
  double shortest = 0;  // edges below this collapse [m]
  double longest = 0;   // none becomes longer than this [m]
  double tolerance =
      0;  // root mean square distance of a vertex that remains to the planes of what it stands for [m]
};

// The topology stays: no hole, no edge of three triangles and no triangle twice is made. Edges that are not those of two
// triangles are left alone.
std::vector<TriMesh::Element> decimate(std::span<const Vec3d> points, std::vector<TriMesh::Element> triangles,
                                       const DecimateOptions& options);

}  // namespace sinew::mesh

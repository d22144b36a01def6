#pragma once
// Measurements on a mesh: volumes, areas, boundary, components, bounds, quality.
//   volume        V = det(x1-x0, x2-x0, x3-x0) / 6 [m^3], negative for an inverted tet
//   mean ratio    12 (3 V)^(2/3) / (sum of the six squared edges): 1 for the regular tet, 0 when flat
//                 (Liu and Joe, "Relationship between tetrahedron shape measures", 1994)
//   radius ratio  3 r_in / r_out: 1 for the regular tet
// Sums run in index order, in fixed blocks: the same bits every time.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::mesh {

inline double tet_volume(const Vec3d& x0, const Vec3d& x1, const Vec3d& x2, const Vec3d& x3) {
  return dot(cross(x1 - x0, x2 - x0), x3 - x0) / 6;
}
inline double tet_volume(std::span<const Vec3d> x, const std::array<int32_t, 4>& t) {
  return tet_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
}
inline double triangle_area(std::span<const Vec3d> x, const std::array<int32_t, 3>& t) {
  return norm(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]])) / 2;
}

std::vector<double> tet_volumes(const TetMesh& mesh);  // [m^3]
double total_volume(const TetMesh& mesh);              // [m^3]
double mean_edge(const TetMesh& mesh);                 // of the six edges of every tet [m]; 0: there is none
// Element data `coverage`: the share of each tet that is material, as meshes made from surfaces have it. Empty: whole tets.
std::span<const double> coverage(const TetMesh& mesh);
double covered_volume(const TetMesh& mesh);               // of the material [m^3]
std::vector<double> triangle_areas(const TriMesh& mesh);  // [m^2]
double total_area(const TriMesh& mesh);                   // [m^2]
double enclosed_volume(const TriMesh& mesh);              // of a closed surface facing outwards [m^3]

// Swaps two corners of every tet with negative volume, and its edge nodes with them; says how many.
int64_t orient(TetMesh& mesh);

struct Bounds {
  Vec3d low{}, high{};  // [m]; both zero where there are no points
};
Bounds bounding_box(std::span<const Vec3d> points);

// Boundary faces in the order of their elements, facing outwards, with the ids of the mesh. A face of second order is
// four triangles in a row.
struct TriBoundary {
  std::vector<std::array<int32_t, 3>> triangles;
  std::vector<int32_t> tet;  // the one behind each triangle
};
TriBoundary boundary(const TetMesh& mesh);

// The boundary as a mesh of its own; vertex[i] is the id in the tet mesh of its vertex i (ascending).
// Vertex groups and vertex data come along.
struct Surface {
  TriMesh mesh;
  std::vector<int32_t> vertex;
};
Surface boundary_surface(const TetMesh& mesh);

// Parts that share no vertex, numbered in the order of their first element.
struct Components {
  int32_t count = 0;
  std::vector<int32_t> of_element;
};
Components connected_components(const TetMesh& mesh);
Components connected_components(const TriMesh& mesh);

double mean_ratio(std::span<const Vec3d> x, const std::array<int32_t, 4>& tet);    // 0 where inverted
double radius_ratio(std::span<const Vec3d> x, const std::array<int32_t, 4>& tet);  // 0 where inverted
double min_dihedral_degrees(std::span<const Vec3d> x, const std::array<int32_t, 4>& tet);

struct Quality {
  double min_volume = 0, max_volume = 0;  // [m^3]
  double min_mean_ratio = 0, average_mean_ratio = 0;
  double min_radius_ratio = 0;
  double min_dihedral_degrees = 0;
  int32_t worst_tet = -1;  // the one of min_mean_ratio
  int64_t inverted = 0;    // tets of volume <= 0
};
Quality quality(const TetMesh& mesh);

}  // namespace sinew::mesh

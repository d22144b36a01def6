#pragma once
// Closest point and signed distance to a triangle mesh. On a closed mesh the sign is that of the angle-weighted
// pseudonormal at the closest feature (Baerentzen, Aanaes: Signed Distance Computation Using the Angle Weighted
// Pseudonormal, 2005); on an open one that of the generalised winding number (Jacobson, Kavan, Sorkine-Hornung: Robust
// Inside-Outside Segmentation using Generalized Winding Numbers, 2013).
//
//     MeshDistance mesh(points, triangles);  double d = mesh.closest(p, infinity).distance;
#include <array>
#include <span>
#include <vector>

#include "geometry/bvh.h"
#include "geometry/closest.h"
#include "mesh/adjacency.h"

namespace sinew::geometry {

using Triangle = std::array<int32_t, 3>;

// Angle-weighted unit normals of the vertices, edges and faces of a surface: normal(triangle, feature) with the features of
// geometry/closest.h. Triangles without area count for nothing; what has only those gets the z axis.
class Pseudonormals {
 public:
  Pseudonormals() = default;
  // Edges are matched once; update() takes new positions.
  explicit Pseudonormals(std::span<const Triangle> triangles);
  void update(std::span<const Vec3d> x);
  const Vec3d& normal(int32_t triangle, int32_t feature) const;
  bool closed() const {
    return closed_;
  }  // every edge has two triangles that run through it in opposite directions

 private:
  std::vector<Triangle> triangles_;
  std::vector<std::array<int32_t, 3>> edges_;  // of each triangle: 01, 12, 20
  // The corners (3 triangle + corner) of each vertex, and the sides (3 triangle + edge) of each edge, ascending.
  mesh::Csr corners_, sides_;
  std::vector<Vec3d> face_, edge_, vertex_;
  bool closed_ = true;
};

// The points and triangles must outlive it.
class MeshDistance {
 public:
  MeshDistance(std::span<const Vec3d> points, std::span<const Triangle> triangles);

  struct Found {
    int32_t triangle = -1;  // -1: nothing within the limit
    OnTriangle on;
    Vec3d point;          // the closest one [m]
    Vec3d normal;         // pseudonormal at it
    double distance = 0;  // signed, negative inside [m]
  };
  Found closest(const Vec3d& p, double limit) const;  // limit: distance, included [m]
  double winding_number(const Vec3d& p) const;        // 1 inside, 0 outside a closed mesh
  const Bvh& tree() const { return tree_; }

 private:
  std::span<const Vec3d> points_;
  std::span<const Triangle> triangles_;
  Pseudonormals normals_;
  Bvh tree_;
};

}  // namespace sinew::geometry

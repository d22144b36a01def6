#pragma once
// How often a surface winds around a point: the sum of the solid angles of its triangles over 4 pi. Whole numbers where it is closed;
// anything between where it is open, above one half on the inside of what most of a surface surrounds (Jacobson, Kavan,
// Sorkine-Hornung, Robust Inside-Outside Segmentation Using Generalized Winding Numbers, 2013). Far groups of triangles
// count by their first three moments (Barill, Dickson, Schmidt, Levin, Jacobson, Fast Winding Numbers for
// Soups and Clouds, 2018): within 1e-2 of the sum.
//
//     WindingTree tree(skin.vertices, skin.elements);
//     std::vector<double> winding = tree.at(points);
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "mesh/mesh.h"
#include "meshing/grid_mesher.h"
#include "meshing/triangle_boxes.h"

namespace sinew::meshing {

using math::Vec3d;

// The solid angle of a triangle seen from p, positive where the triangle faces away from p. 0 from its own corners.
double solid_angle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c);

class WindingTree {
 public:
  // The points and triangles stay the caller's and have to outlive the tree.
  WindingTree(std::span<const Vec3d> points, std::span<const std::array<int32_t, 3>> triangles);

  double at(const Vec3d& p) const;
  std::vector<double> at(std::span<const Vec3d> p) const;  // the same bits for any number of threads

 private:
  struct Node {
    Vec3d centre = Vec3d::zero();  // of area
    double radius = 0;             // around all points of its triangles
    double area = 0;
    // Integrals of the normal, of the normal times d and times d d^T, d measured from the centre; the last one for xx, yy, zz, xy, yz, zx.
    Vec3d normal = Vec3d::zero();
    std::array<Vec3d, 3> first{};
    std::array<Vec3d, 6> second{};
  };
  std::array<Vec3d, 3> corners(int64_t place) const;
  Node leaf(int64_t i) const;
  Node parent(std::span<const Node> children) const;

  static constexpr int width = 8;
  UnitFrame frame_;  // in which all below is measured
  std::span<const Vec3d> points_;
  std::span<const std::array<int32_t, 3>> triangles_;
  std::vector<int32_t> order_;  // of the triangles along a curve through space, eight to a leaf
  std::vector<Node> nodes_;     // level 0, level 1, ..., root
  std::vector<int64_t> level_;  // where each begins, and the end
};

// One layer of cells for a surface that need not be closed: those with a node around which it winds by more than one half, and those
// beside them that it passes through. Parts closer than a cell are joined. Coverage
// is exact where the surface is closed around a cell, and otherwise the share of its nodes that are inside.
Result<GridMesh<3>> winding_grid(const mesh::TriMesh& surface, const GridOptions& options);

}  // namespace sinew::meshing

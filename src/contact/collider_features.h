#pragma once
// What of a collider meets the triangles and edges of a sheet, beside the sheet's vertices: where the collider is so sharp or so small
// that it lies between them, in the frame of the shape (contact/collider.h).
//
//   box         8 corners, 12 edges
//   cylinder    its two rims, as polygons with their corners on the circle
//   mesh        the edges that bend outwards by more than about 3 degrees, and the points at their ends that stand out
//   sphere      its centre, with the ball around it
//   capsule     its axis and the ends of that, with the balls around them
//
// A plane has none: what lies on it with all its corners does so with all of a triangle. The same holds inside hollow shapes, whose
// free side is convex; a hollow mesh has the edges that bend inwards.
//
// Corner i against a triangle, and edge i against an edge, of a sheet. The gap is the distance less the radius; it is negative where
// the sheet has been pierced: where the way from the feature to the closest point of the sheet, and as far again, lies inside the
// collider. So a collider tells by itself which side is free.
//
//     const ColliderFeatures features(collider, shapes, c);
//     const Separation at = features.separation(false, i, features.corners(false, i, inputs, triangle), borders, inputs);
#include <span>
#include <vector>

#include "contact/collider.h"
#include "contact/separation.h"
#include "geometry/bvh.h"

namespace sinew::contact {

using geometry::Bvh;

class ColliderFeatures {
 public:
  // The shapes must outlive it.
  ColliderFeatures(const model::Collider& collider, const ColliderShapes& shapes, int32_t number);

  bool empty() const { return points_.empty(); }
  double radius() const { return radius_; }            // [m]
  const Bvh& corner_tree() const { return corners_; }  // without the radius
  const Bvh& edge_tree() const { return edges_; }
  const Box& bounds() const { return bounds_; }  // of all, with the radius

  // All in the world, with the collider where `inputs` put it. The corners of a pair: those of the sheet's triangle or edge and, after
  // them, those of the feature.
  Corners corners(bool edges, int32_t feature, std::span<const double> inputs,
                  std::span<const Vec3d> sheet) const;
  // With the normal from the collider to the sheet, and the gap as its distance. `borders`: where the sheet ends, as Surface tells.
  // There it may have sunk into the collider beside the feature, which has pierced nothing.
  Separation separation(bool edges, int32_t feature, const Corners& x, int32_t borders,
                        std::span<const double> inputs) const;
  // Whether the feature is what is closest to something flat across n, which leads out of the collider.
  bool stands_out(bool edges, int32_t feature, const Vec3d& n, std::span<const double> inputs) const;

 private:
  int32_t add_corner(const Vec3d& point, const std::vector<Vec3d>& along);
  void add_edge(const Vec3d& a, const Vec3d& b, const Vec3d& into_first, const Vec3d& into_second);
  void add_box(const Vec3d& half);
  void add_rims(double radius, double half);
  void add_mesh(const model::Collider& collider);
  void build();
  bool leads_inside(bool edges, int32_t feature, const Vec3d& direction) const;

  const ColliderShapes& shapes_;
  int32_t number_;
  double radius_ = 0;
  std::vector<Vec3d> points_;               // of the corners
  std::vector<std::vector<Vec3d>> along_;   // of each corner: unit directions on the surface away from it
  std::vector<std::array<Vec3d, 2>> ends_;  // of the edges
  std::vector<std::array<Vec3d, 2>> into_;  // of each edge: unit directions on its two faces away from it
  Bvh corners_, edges_;
  Box bounds_;
};

}  // namespace sinew::contact

#pragma once
// Signed distances to the shapes of model::Collider, in their own frames:
//   plane      z <= 0 is inside
//   sphere     |x| <= r
//   capsule    within r of the segment from -h to h on the z axis
//   cylinder   x^2 + y^2 <= r^2, |z| <= h
//   box        |x_i| <= size_i
//   mesh       a closed triangle surface facing outwards
// A hollow shape has its sign turned. Poses are rigid. Of several closest points (at a centre, on an axis) one is taken.
#include <memory>
#include <span>
#include <vector>

#include "geometry/box.h"
#include "geometry/mesh_distance.h"
#include "model/model.h"

namespace sinew::contact {

using geometry::Box;
using geometry::MeshDistance;
using math::Vec3d;

struct Nearest {
  double distance = 0;  // signed, negative inside [m]
  Vec3d point;          // the closest one of the surface
  Vec3d normal;  // of the surface there, outwards (into the free side), unit: the gradient of the distance
  math::Mat3d curvature = math::Mat3d::zero();  // second derivatives of the distance [1/m]
};

// From the surface of a shape to its middle, where that is closest; infinite where there is no other side to leave on [m].
double half_thickness(const model::Collider& collider);

class ColliderShapes {
 public:
  explicit ColliderShapes(const model::Model& model);

  // All in the world, with the collider where `inputs` put it.
  Nearest nearest(int32_t collider, const Vec3d& x, std::span<const double> inputs) const;
  // Whether the shape has walls that a point in a corner meets at once: a hollow box or cylinder.
  bool has_walls(int32_t collider) const;
  // Appends its walls as seen from x or, of a shape that has none, what nearest() gives.
  void walls(int32_t collider, const Vec3d& x, std::span<const double> inputs,
             std::vector<Nearest>& list) const;
  // A box in the world that contains the surface grown by `reach`, and the inside; infinite where the shape is.
  Box bounds(int32_t collider, double reach, std::span<const double> inputs) const;

  // From the frame of the shape to the world.
  model::Pose pose(int32_t collider, std::span<const double> inputs) const;

 private:
  const model::Model& model_;
  std::vector<std::unique_ptr<MeshDistance>> mesh_;  // of each collider; null: not a mesh
};

}  // namespace sinew::contact

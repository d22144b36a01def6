#pragma once
// Which points lie within a distance of a triangle surface: triangles in a uniform grid, each in every cell
// that its bounding box, grown by the distance, touches. Closest point of a triangle: Ericson, Real-Time
// Collision Detection, 2005, section 5.1.5.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "math/vec.h"

namespace sinew::scene {

double distance_to_triangle(const math::Vec3d& p, const math::Vec3d& a, const math::Vec3d& b,
                            const math::Vec3d& c);

class SurfaceProximity {
 public:
  SurfaceProximity(std::span<const math::Vec3d> points, std::span<const std::array<int32_t, 3>> triangles,
                   double distance);
  bool within(const math::Vec3d& p) const;

 private:
  std::array<int64_t, 3> cell(const math::Vec3d& p) const;

  std::span<const math::Vec3d> points_;
  std::span<const std::array<int32_t, 3>> triangles_;
  double distance_;
  math::Vec3d low_, high_;  // of the grown surface
  double size_ = 1;         // of a cell
  std::array<int64_t, 3> count_ = {1, 1, 1};
  std::vector<std::vector<int32_t>> in_cell_;
};

}  // namespace sinew::scene

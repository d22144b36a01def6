#pragma once
// Boxes around triangles for a geometry::Bvh, whose single precision would take small triangles far from the origin for
// one another: moved to the middle of the surface and scaled to its size. Both keep the order of coordinates, so boxes meet
// wherever those of the triangles do.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/box.h"

namespace sinew::meshing {

struct UnitFrame {
  math::Vec3d centre = math::Vec3d::zero();
  double scale = 1;  // a power of two

  math::Vec3d operator()(const math::Vec3d& x) const { return (x - centre) * scale; }
};
UnitFrame unit_frame(std::span<const math::Vec3d> points, std::span<const std::array<int32_t, 3>> triangles);

std::vector<geometry::Box> triangle_boxes(const UnitFrame& frame, std::span<const math::Vec3d> points,
                                          std::span<const std::array<int32_t, 3>> triangles);

}  // namespace sinew::meshing

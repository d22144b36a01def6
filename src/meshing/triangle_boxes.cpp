#include "meshing/triangle_boxes.h"

#include <cmath>

#include "base/parallel.h"

namespace sinew::meshing {

UnitFrame unit_frame(std::span<const math::Vec3d> points, std::span<const std::array<int32_t, 3>> triangles) {
  geometry::Box all;
  for (const auto& triangle : triangles)
    for (const int32_t v : triangle) all.add(points[v]);
  UnitFrame frame;
  if (triangles.empty()) return frame;
  frame.centre = all.low * 0.5 + all.high * 0.5;
  double extent = 0;
  for (int a = 0; a < 3; ++a) extent = std::max(extent, all.high[a] - all.low[a]);
  int exponent = 0;
  std::frexp(extent, &exponent);
  if (extent > 0) frame.scale = std::ldexp(1.0, -exponent);
  return frame;
}

std::vector<geometry::Box> triangle_boxes(const UnitFrame& frame, std::span<const math::Vec3d> points,
                                          std::span<const std::array<int32_t, 3>> triangles) {
  const auto n = static_cast<int64_t>(triangles.size());
  std::vector<geometry::Box> boxes(n);
  for_each_block(n, 1 << 12, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t)
      for (const int32_t v : triangles[t]) boxes[t].add(frame(points[v]));
  });
  return boxes;
}

}  // namespace sinew::meshing

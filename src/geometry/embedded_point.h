#pragma once
// A point that nodes carry with weights that sum to 1 (geometry/embedding.h makes them):
//
//     x = sum weight[k] x[node[k]],   k < count
#include <array>
#include <cstdint>
#include <span>

#include "math/vec.h"

namespace sinew::geometry {

using math::Vec3d;

struct EmbeddedPoint {
  static constexpr int max_nodes = 10;  // of a tet of second order
  int32_t count = 0;                    // nodes used
  std::array<int32_t, max_nodes> node = {};
  std::array<double, max_nodes> weight = {};  // barycentric coordinates, or shape functions of second order
};

inline Vec3d position(const EmbeddedPoint& point, std::span<const Vec3d> x) {
  Vec3d sum = {0, 0, 0};
  for (int k = 0; k < point.count; ++k) sum += x[point.node[k]] * point.weight[k];
  return sum;
}

}  // namespace sinew::geometry

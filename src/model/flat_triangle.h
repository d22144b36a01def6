#pragma once
// A triangle at rest in the plane and the axes of its material (Body::flat).
#include <array>
#include <cmath>

#include "math/vec.h"

namespace sinew::model {

struct FlatTriangle {
  double area;                                  // [m^2]
  std::array<double, 3> length;                 // of the edge that faces each corner [m]
  std::array<math::Vec<double, 2>, 3> outward;  // its unit normal in the plane, away from the corner

  explicit FlatTriangle(const std::array<math::Vec<double, 2>, 2>& flat)
      : area(0.5 * (flat[0][0] * flat[1][1] - flat[0][1] * flat[1][0])) {
    const math::Vec<double, 2> edge[3] = {flat[1] - flat[0], -flat[1], flat[0]};
    for (int i = 0; i < 3; ++i) {
      length[i] = std::hypot(edge[i][0], edge[i][1]);
      outward[i] = {edge[i][1] / length[i], -edge[i][0] / length[i]};
    }
  }
};

}  // namespace sinew::model

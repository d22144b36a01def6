#pragma once
// An axis-aligned box. The empty one contains nothing and grows to whatever is added.
#include <algorithm>
#include <limits>

#include "math/vec.h"

namespace sinew::geometry {

using math::Vec3d;

struct Box {
  Vec3d low = Vec3d::filled(std::numeric_limits<double>::infinity());
  Vec3d high = Vec3d::filled(-std::numeric_limits<double>::infinity());

  void add(const Vec3d& p) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], p[i]);
      high[i] = std::max(high[i], p[i]);
    }
  }
  void add(const Box& box) {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], box.low[i]);
      high[i] = std::max(high[i], box.high[i]);
    }
  }
  Box grown(double by) const { return {low - Vec3d::filled(by), high + Vec3d::filled(by)}; }
  bool meets(const Box& box) const {
    for (int i = 0; i < 3; ++i)
      if (low[i] > box.high[i] || high[i] < box.low[i]) return false;
    return true;
  }
};

}  // namespace sinew::geometry

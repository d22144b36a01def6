#include "mesh/coincident.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace sinew::mesh {

std::vector<int32_t> first_at_place(std::span<const math::Vec3d> points) {
  std::vector<int32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int32_t p) { return std::make_tuple(points[p][0], points[p][1], points[p][2]); };
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return std::make_pair(key(a), a) < std::make_pair(key(b), b); });
  std::vector<int32_t> first(points.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const bool same = i && key(order[i]) == key(order[i - 1]);
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  return first;
}

}  // namespace sinew::mesh

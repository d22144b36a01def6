#include "model/contact_points.h"

#include <algorithm>

#include "base/parallel.h"

namespace sinew::model {

int32_t main_carrier(const Model& model, int32_t point) {
  int32_t main = -1;
  double most = -1;
  for_each_carrier(model, point, [&](int32_t node, double weight) {
    if (weight <= most) return;
    most = weight;
    main = node;
  });
  return main;
}

int max_carriers(const Model& model) {
  int most = 1;
  for (const geometry::EmbeddedPoint& point : model.contact.carried) most = std::max(most, point.count);
  return most;
}

std::span<const Vec3d> contact_points(const Model& model, std::span<const Vec3d> x,
                                      std::vector<Vec3d>& memory) {
  const auto& carried = model.contact.carried;
  if (carried.empty()) return x;
  memory.resize(x.size() + carried.size());
  std::copy(x.begin(), x.end(), memory.begin());
  for_each_block(static_cast<int64_t>(carried.size()), 1024, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) memory[x.size() + i] = geometry::position(carried[i], x);
  });
  return memory;
}

}  // namespace sinew::model

#include "batch/tree.h"

#include <limits>

namespace sinew::batch {

double distance2(std::span<const double> points, std::span<const char> categorical, size_t i, size_t j) {
  const size_t width = categorical.size();
  double sum = 0;
  for (size_t k = 0; k < width; ++k) {
    const double d = points[i * width + k] - points[j * width + k];
    sum += categorical[k] ? (d == 0 ? 0 : 1) : d * d;
  }
  return sum;
}

Tree warm_start_tree(std::span<const double> points, std::span<const char> categorical) {
  const size_t count = points.size() / categorical.size();
  Tree tree{std::vector<int32_t>(count, -1), std::vector<int32_t>(count, 0)};
  for (size_t i = 1; i < count; ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (size_t j = 0; j < i; ++j) {
      const double distance = distance2(points, categorical, i, j);
      if (distance < least) {
        least = distance;
        tree.parent[i] = static_cast<int32_t>(j);
      }
    }
    tree.level[i] = tree.level[tree.parent[i]] + 1;
  }
  return tree;
}

}  // namespace sinew::batch

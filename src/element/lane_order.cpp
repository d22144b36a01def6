#include "element/lane_order.h"

#include <algorithm>
#include <numeric>

namespace sinew::element {

LaneOrder LaneOrder::range(int64_t begin, int64_t end) {
  std::vector<int32_t> all(end - begin);
  std::iota(all.begin(), all.end(), static_cast<int32_t>(begin));
  LaneOrder order;
  order.add_group(all);
  return order;
}

void LaneOrder::add_group(std::span<const int32_t> elements) {
  for (size_t first = 0; first < elements.size(); first += lanes) {
    const size_t count = std::min<size_t>(lanes, elements.size() - first);
    used.push_back(static_cast<int8_t>(count));
    for (size_t l = 0; l < lanes; ++l) element.push_back(elements[first + std::min(l, count - 1)]);
  }
}

}  // namespace sinew::element

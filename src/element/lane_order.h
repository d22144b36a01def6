#pragma once
// Which element of a list lies in which lane of packs. Elements come in groups; a group begins with a new pack, and free
// lanes at its end repeat its last element, as padding that must count for nothing.
//
//     LaneOrder order;  order.add_group(elements);          // numbers of elements, in any order
//     const LaneOrder some = LaneOrder::range(begin, end);  // begin, begin + 1, ..., end - 1 as one group
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::element {

inline constexpr int lanes = 8;

struct LaneOrder {
  std::vector<int32_t> element;  // of each lane
  std::vector<int8_t> used;      // lanes of each pack that are not padding

  static LaneOrder range(int64_t begin, int64_t end);
  void add_group(std::span<const int32_t> elements);
};

}  // namespace sinew::element

#include "element/lane_order.h"

#include <gtest/gtest.h>

namespace sinew::element {
namespace {

TEST(LaneOrder, GroupsBeginWithAPackAndRepeatTheirLastElement) {
  LaneOrder order;
  order.add_group(std::vector<int32_t>{4, 2, 7, 1, 0, 3, 9, 8, 5, 6});
  order.add_group({});
  order.add_group(std::vector<int32_t>{11});
  EXPECT_EQ(order.element, (std::vector<int32_t>{4, 2, 7, 1, 0,  3,  9,  8,  5,  6,  6,  6,
                                                 6, 6, 6, 6, 11, 11, 11, 11, 11, 11, 11, 11}));
  EXPECT_EQ(order.used, (std::vector<int8_t>{8, 2, 1}));
}

TEST(LaneOrder, OfARangeIsStraight) {
  EXPECT_TRUE(LaneOrder::range(3, 3).element.empty());
  const LaneOrder order = LaneOrder::range(20, 29);
  for (int32_t e = 0; e < 16; ++e) EXPECT_EQ(order.element[e], std::min(20 + e, 28));
  EXPECT_EQ(order.used, (std::vector<int8_t>{8, 1}));
}

}  // namespace
}  // namespace sinew::element

#include "io/id_map.h"

#include <gtest/gtest.h>

namespace sinew::io {
namespace {

TEST(IdMap, FindsPlacesOfNumbersInAnyOrder) {
  IdMap ids;
  for (int64_t id : std::initializer_list<int64_t>{900, 7, 12, 100000000000}) ids.add(id);
  EXPECT_FALSE(ids.finish());
  EXPECT_EQ(ids.find(900), 0);
  EXPECT_EQ(ids.find(7), 1);
  EXPECT_EQ(ids.find(100000000000), 3);
  EXPECT_EQ(ids.find(8), -1);
  EXPECT_EQ(ids.find(-1), -1);
  std::vector<int32_t> places;
  ids.for_range(8, 900, [&](int64_t, int32_t place) { places.push_back(place); });
  EXPECT_EQ(places, (std::vector<int32_t>{2, 0}));
}

TEST(IdMap, NamesANumberThatIsThereTwice) {
  IdMap ids;
  for (int64_t id : {3, 2, 9, 2}) ids.add(id);
  const auto twice = ids.finish();
  ASSERT_TRUE(twice);
  EXPECT_EQ(*twice, (std::pair<int64_t, int32_t>(2, 3)));
}

TEST(IdMap, SetsAreAscendingAndWithoutRepeats) {
  std::vector<int32_t> ids = {5, 1, 5, 0, 1};
  sort_ids(ids);
  EXPECT_EQ(ids, (std::vector<int32_t>{0, 1, 5}));
}

}  // namespace
}  // namespace sinew::io

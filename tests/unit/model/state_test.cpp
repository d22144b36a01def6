#include "model/state.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace sinew::model {
namespace {

State sample() {
  StateLayout layout;
  layout.declare({"lag", ColumnType::f64, 3, On::node});
  layout.declare({"count", ColumnType::i64, 2, On::element});
  layout.declare({"heat", ColumnType::f64, 1, On::body});
  layout.declare({"pull", ColumnType::f64, 1, On::link});
  State state(layout, {.nodes = 5, .elements = 2, .bodies = 3, .links = 4});
  for (int i = 0; i < 5; ++i) state.x()[i] = {1.0 * i, 2.0 * i, 3.0};
  return state;
}

TEST(StateLayout, HasTheCoreColumnsAndEachDeclaredOneOnce) {
  StateLayout layout;
  const size_t core = layout.columns().size();
  layout.declare({"x_old", ColumnType::f64, 3, On::node});
  layout.declare({"x_old", ColumnType::f64, 3, On::node});
  EXPECT_EQ(layout.columns().size(), core + 1);
  const State state(layout, {.nodes = 2});
  for (const char* name : {"x", "v", "time", "step", "increment", "x_old"})
    EXPECT_TRUE(state.has(name)) << name;
  EXPECT_FALSE(state.has("y"));
}

TEST(State, ColumnsHaveARowForEveryEntity) {
  State state = sample();
  EXPECT_EQ(state.x().size(), 5u);
  EXPECT_EQ(state.vectors("lag").size(), 5u);
  EXPECT_EQ(state.numbers("heat").size(), 3u);
  EXPECT_EQ(state.numbers("pull").size(), 4u);
  for (const Column& column : state.columns())
    if (column.spec.name == "count") {
      EXPECT_EQ(column.i64.size(), 4u);
      EXPECT_EQ(column.bytes(), 32u);
    }
}

TEST(State, BeginsAtRest) {
  const State state(StateLayout(), {.nodes = 3});
  EXPECT_EQ(state.time(), 0);
  EXPECT_EQ(state.step(), 0);
  EXPECT_EQ(state.increment(), 1);
  for (const Vec3d& v : state.v()) EXPECT_EQ(norm(v), 0);
}

TEST(State, CoreValuesAreStored) {
  State state = sample();
  state.set_time(2.5);
  state.set_step(7);
  state.set_increment(0.25);
  EXPECT_EQ(state.time(), 2.5);
  EXPECT_EQ(state.step(), 7);
  EXPECT_EQ(state.increment(), 0.25);
  EXPECT_EQ(state.x()[2][1], 4);
}

TEST(State, HashChangesWithEveryBit) {
  State state = sample();
  const uint64_t hash = state.hash();
  EXPECT_EQ(sample().hash(), hash);
  for (Column& column : state.mutable_columns()) {
    auto* bytes = reinterpret_cast<unsigned char*>(const_cast<void*>(column.data()));
    for (size_t i = 0; i < column.bytes(); ++i)
      for (int bit = 0; bit < 8; ++bit) {
        bytes[i] ^= 1u << bit;
        ASSERT_NE(state.hash(), hash) << column.spec.name << " byte " << i << " bit " << bit;
        bytes[i] ^= 1u << bit;
      }
  }
  EXPECT_EQ(state.hash(), hash);
}

TEST(State, HashSeesTheNamesOfColumns) {
  StateLayout a, b;
  a.declare({"p", ColumnType::f64, 1, On::node});
  b.declare({"q", ColumnType::f64, 1, On::node});
  EXPECT_NE(State(a, {.nodes = 2}).hash(), State(b, {.nodes = 2}).hash());
}

TEST(State, CopyIsIndependentAndEqual) {
  const State state = sample();
  State copy = state;
  EXPECT_TRUE(copy == state);
  EXPECT_EQ(copy.hash(), state.hash());
  copy.v()[4][2] = 1e-300;
  EXPECT_FALSE(copy == state);
  EXPECT_EQ(state.v()[4][2], 0);
  copy = state;
  EXPECT_TRUE(copy == state);
}

TEST(State, FiniteLooksAtEveryNumber) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    State state = sample();
    EXPECT_TRUE(state.finite());
    for (Column& column : state.mutable_columns())
      for (double& value : column.f64) {
        const double kept = value;
        value = bad;
        ASSERT_FALSE(state.finite()) << column.spec.name;
        value = kept;
      }
    EXPECT_TRUE(state.finite());
  }
}

}  // namespace
}  // namespace sinew::model

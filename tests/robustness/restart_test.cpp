// 200 steps are 100, a checkpoint on the disk, and 100: every byte of every column of State.
#include <cstring>

#include "small_run.h"

namespace sinew {
namespace {

void expect_halves_to_be_the_whole(const std::string& scene) {
  const SmallScene small(scene);
  ASSERT_TRUE(small.built) << small.diagnostics.text();
  const ScratchFolder folder;
  const auto whole = folder.path() / "whole", halves = folder.path() / "halves";
  ASSERT_EQ(run_small(small, whole).frame, 200);
  ASSERT_EQ(run_small(small, halves, 100).frame, 100);
  ASSERT_EQ(run_small(small, halves, -1, true).frame, 200);
  const model::State a = state_in(whole), b = state_in(halves);
  ASSERT_EQ(a.columns().size(), b.columns().size());
  ASSERT_GE(a.columns().size(), 4U);
  for (size_t c = 0; c < a.columns().size(); ++c) {
    const model::Column &one = a.columns()[c], &two = b.columns()[c];
    EXPECT_EQ(one.spec, two.spec);
    ASSERT_EQ(one.bytes(), two.bytes()) << one.spec.name;
    EXPECT_EQ(std::memcmp(one.data(), two.data(), one.bytes()), 0) << one.spec.name;
  }
}

class Restart : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Restart, TwoHundredStepsAreTwiceOneHundred) {
  expect_halves_to_be_the_whole(std::string(R"({"sinew": 1,
    "bodies": {"bar": {"mesh": {"box": {"size": [2, 1, 1], "cells": [3, 2, 2]}}, "density": 1000,
      "damping": {"mass": 0.1, "stiffness": 0.001},
      "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}}},
    "attach": [{"what": "bar.xmin"}, {"what": "bar.xmax", "motion": [
      {"time": 0}, {"time": 2, "rotate": {"axis": [1, 0, 0], "degrees": 90}}]}],
    "gravity": [0, -9.81, 0], "time": {"fps": 100, "frames": 200}, "solve": )") +
                                GetParam().second + "}");
}

// A strip of each bending that swings down onto the other.
TEST_P(Restart, TwoHundredStepsOfSheetsAreTwiceOneHundred) {
  const auto strip = [](const char* bending, const char* height) {
    return std::string(
               R"({"type": "shell", "mesh": {"grid": {"size": [0.5, 0.1], "cells": [5, 1]}}, "thickness": 0.002,
      "density": 300, "material": {"model": "neo_hookean", "young": 1e6, "poisson": 0.3}, "bending": {"model": ")") +
           bending + R"("}, "place": {"translate": [0, 0, )" + height + "]}}";
  };
  expect_halves_to_be_the_whole(
      R"({"sinew": 1, "bodies": {"low": )" + strip("hinge", "0") + R"(, "high": )" + strip("shell", "0.02") +
      R"(}, "attach": [{"what": "low.xmin"}, {"what": "low.xmax"}, {"what": "high.xmin"}],
    "contact": {"friction": 0.3}, "gravity": [0, 0, -9.81], "time": {"fps": 100, "frames": 200}, "solve": )" +
      std::string(GetParam().second) + "}");
}

INSTANTIATE_TEST_SUITE_P(Solve, Restart,
                         testing::Values(std::pair{"quasistatic", R"({"mode": "quasistatic"})"},
                                         std::pair{"euler", R"({"mode": "dynamic"})"},
                                         std::pair{"bdf2", R"({"mode": "dynamic", "integrator": "bdf2"})"}),
                         [](const auto& info) { return std::string(info.param.first); });

}  // namespace
}  // namespace sinew

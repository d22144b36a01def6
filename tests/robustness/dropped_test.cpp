// The first thing most people do: a body falls on a floor, all else by default, in steps of a film. Every step converges within
// tens of iterations, nothing crosses by exact arithmetic, and the body comes to lie on the floor.
#include <algorithm>
#include <filesystem>

#include "scene_motion.h"

namespace sinew {
namespace {

// L-BFGS has the Hessian of where a solve began.
int most_iterations(const std::string& method) { return method == "l_bfgs" ? 400 : 80; }

std::string scene(const std::string& bodies, const std::string& method, const std::string& contact) {
  return R"({"sinew": 1, "bodies": {)" + bodies + R"(},
    "colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}},
    "contact": {)" +
         contact + R"("friction": 0.5}, "gravity": [0, 0, -9.81], "solve": {"mode": "dynamic", "method": ")" +
         method + R"("}, "time": {"fps": 24, "frames": 16}})";
}

std::string body(const std::string& name, const std::string& mesh, const std::string& place) {
  return '"' + name + R"(": {"mesh": )" + mesh + R"(, "place": {)" + place +
         R"(}, "density": 1000, "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}})";
}

void expect_to_fall(const std::string& bodies, const std::string& method, int iterations) {
  SceneMotion motion(scene(bodies, method, ""));
  while (motion.more()) {
    const step::StepReport report = motion.advance();
    ASSERT_EQ(report.status, step::StepStatus::converged) << (report.reason ? report.reason->text() : "");
    EXPECT_LE(report.iterations, iterations) << "step " << motion.state.step();
    ASSERT_EQ(motion.crossings(), 0u) << "step " << motion.state.step();
  }
  EXPECT_NEAR(motion.lowest(2), 0, 0.02);
}

class Dropped : public testing::TestWithParam<const char*> {};

TEST_P(Dropped, BlocksOnEachOther) {
  const std::string mesh = R"({"box": {"size": [0.5, 0.5, 0.5], "cells": [5, 5, 5]}})";
  const std::string bodies =
      body("low", mesh, R"("translate": [0, 0, 0.2], "rotate": {"axis": [1, 0.3, 0], "degrees": 20})") +
      ", " + body("high", mesh, R"("translate": [0.05, 0.1, 1.1])");
  expect_to_fall(bodies, GetParam(), most_iterations(GetParam()));
}

const std::string bunny = std::string(SINEW_SHARED_DATA) + "/surfaces/bunny_2k.obj";
const std::string bunny_place =
    R"("scale": 6, "rotate": {"axis": [1, 0, 0], "degrees": 90}, "translate": [0, 0, 0.2])";

TEST_P(Dropped, RealSurface) {
  if (!std::filesystem::exists(bunny)) GTEST_SKIP() << bunny << " is not there";
  const std::string bodies = body("bunny", R"({"surface": ")" + bunny + R"(", "tets": 2000})", bunny_place);
  expect_to_fall(bodies, GetParam(), most_iterations(GetParam()));
}

// The same surface, which has holes, as a sheet that gives way: it folds where it lands.
TEST(DroppedSheets, LongRealSurface) {
  if (!std::filesystem::exists(bunny)) GTEST_SKIP() << bunny << " is not there";
  expect_to_fall(R"("bunny": {"type": "shell", "mesh": {"file": ")" + bunny + R"("}, "place": {)" +
                     bunny_place +
                     R"(}, "thickness": 0.007, "density": 500, "bending": {"model": "hinge"},
    "material": {"model": "stvk", "young": 1e6, "poisson": 0.3}})",
                 "newton", 500);
}

// Dirichlet nodes that move push two blocks into each other: nothing crosses, and the end, one of several equilibria, is one for newton
// too. A step has its contacts from the state alone, also in several increments: a new stepper goes on with the same bits.
TEST_P(Dropped, PushedTogether) {
  const auto make = [](const std::string& method) {
    const std::string material = R"("material": {"model": "corotated", "young": 1000, "poisson": 0.3}})";
    return SceneMotion(
        R"({"sinew": 1, "bodies": {
      "left": {"mesh": {"box": {"cells": [3, 3, 3], "origin": [-1.01, -0.4, -0.5]}}, )" +
        material + R"(, "right": {"mesh": {"box": {"cells": [3, 3, 3], "origin": [0.01, -0.6, -0.5]}}, )" +
        material + R"(},
      "attach": [{"what": "left.xmin", "name": "a", "motion": [{"time": 0}, {"time": 1, "translate": [0.2, 0, 0]}]},
                 {"what": "right.xmax", "name": "b", "motion": [{"time": 0}, {"time": 1, "translate": [-0.2, 0, 0]}]}],
      "contact": {"self": false}, "solve": {"mode": "quasistatic", "tolerance": 1e-8, "method": ")" +
        method + R"("}, "time": {"fps": 4, "frames": 5}})");
  };
  const auto end_of = [&](SceneMotion motion, bool renewed) {
    EXPECT_TRUE(motion.model().contact.barrier);
    while (motion.state.step() < 4) {
      const step::StepReport report = motion.advance();
      EXPECT_EQ(report.status, step::StepStatus::converged) << (report.reason ? report.reason->text() : "");
      EXPECT_EQ(motion.crossings(), 0u);
      if (!report.taken()) break;
      if (renewed) motion.renew();
    }
    return motion.state;
  };
  const model::State end = end_of(make(GetParam()), false);
  EXPECT_EQ(end_of(make(GetParam()), true).hash(), end.hash());
  SceneMotion newton = make("newton");
  std::ranges::copy(end.x(), newton.state.x().begin());
  newton.state.set_time(end.time());
  newton.state.set_step(end.step());
  EXPECT_EQ(newton.advance().status, step::StepStatus::converged);
  for (size_t i = 0; i < end.x().size(); ++i) EXPECT_LT(norm(newton.state.x()[i] - end.x()[i]), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, Dropped, testing::Values("newton", "hybrid", "l_bfgs"));

}  // namespace
}  // namespace sinew

// The first thing most people do: a body falls on a floor, all else by default, in steps of a film. Every step converges within
// tens of iterations, nothing crosses by exact arithmetic, and the body comes to lie on the floor.
#include <filesystem>

#include "scene_motion.h"

namespace sinew {
namespace {

constexpr int most_iterations = 80;

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

void expect_to_fall(const std::string& text) {
  SceneMotion motion(text);
  while (motion.more()) {
    const step::StepReport report = motion.advance();
    ASSERT_EQ(report.status, step::StepStatus::converged) << (report.reason ? report.reason->text() : "");
    EXPECT_LE(report.iterations, most_iterations) << "step " << motion.state.step();
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
  expect_to_fall(scene(bodies, GetParam(), ""));
}

TEST_P(Dropped, RealSurface) {
  const std::string file = std::string(SINEW_SHARED_DATA) + "/surfaces/bunny_2k.obj";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const std::string bodies =
      body("bunny", R"({"surface": ")" + file + R"(", "tets": 2000})",
           R"("scale": 6, "rotate": {"axis": [1, 0, 0], "degrees": 90}, "translate": [0, 0, 0.2])");
  expect_to_fall(scene(bodies, GetParam(), ""));
}

INSTANTIATE_TEST_SUITE_P(Methods, Dropped, testing::Values("newton", "hybrid"));

}  // namespace
}  // namespace sinew

// Contacts with friction: one state for any number of threads, and from any step on with what State holds alone.
#include "base/parallel.h"
#include "scene_motion.h"
#include "step/stepper.h"

namespace sinew {
namespace {

// Two blocks and a floor that meet askew, each with triangles enough for several blocks of a loop.
std::string text(const std::string& solve) {
  return R"({"sinew": 1, "bodies": {
    "low": {"mesh": {"box": {"size": [0.3, 0.3, 0.1], "cells": [8, 8, 1]}}, "density": 1000,
            "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4},
            "place": {"translate": [0, 0, 0.002]}, "initial": {"velocity": [0, 0, -1]}},
    "high": {"mesh": {"box": {"size": [0.2, 0.2, 0.1], "cells": [6, 6, 1]}}, "density": 1000,
             "material": {"model": "corotated", "young": 1e5, "poisson": 0.3},
             "place": {"translate": [0.03, 0.04, 0.11], "rotate": {"axis": [0, 0, 1], "degrees": 11}},
             "initial": {"velocity": [1, 0, -2]}}},
    "colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0.05, 0, 1]}}}},
    "contact": {"friction": 0.4}, "gravity": [0, 0, -9.81],
    "time": {"fps": 100, "frames": 3}, "output": {"export": []}, "solve": )" +
         solve + "}";
}

class ContactThreads : public testing::TestWithParam<const char*> {
 protected:
  void TearDown() override { set_thread_count(0); }
};

TEST_P(ContactThreads, GiveOneHash) {
  uint64_t one = 0;
  for (int threads : {1, 2, 3, 8}) {
    set_thread_count(threads);
    SceneMotion motion(
        text(std::string(R"({"mode": "dynamic", "tolerance": 1e-4, "method": ")") + GetParam() + "\"}"));
    int64_t contacts = 0;
    while (motion.more()) {
      const step::StepReport report = motion.advance();
      ASSERT_TRUE(report.taken());
      contacts = std::max(contacts, report.contacts);
    }
    EXPECT_GT(contacts, 20);
    if (threads == 1) one = motion.state.hash();
    EXPECT_EQ(motion.state.hash(), one) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(By, ContactThreads, testing::Values("newton", "pbng", "hybrid"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace sinew

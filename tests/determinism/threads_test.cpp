// One state for any number of threads: tiny scenes, so that many threads on few cores cost little.
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/parallel.h"
#include "run/runner.h"

namespace sinew {
namespace {

struct Case {
  const char* name;
  const char* solve;
};

class Threads : public testing::TestWithParam<Case> {
 protected:
  void TearDown() override {
    set_thread_count(0);
    std::filesystem::remove_all(folder());
  }

  std::filesystem::path folder() const {
    return std::filesystem::temp_directory_path() /
           ("sinew_threads_" + std::string(GetParam().name) + "_" + std::to_string(::getpid()));
  }

  std::string hash(int threads) {
    set_thread_count(threads);
    const std::string text = std::string(R"({"sinew": 1,
      "bodies": {
        "bar": {"mesh": {"box": {"size": [2, 1, 1], "cells": [6, 3, 3]}}, "density": 1000,
                "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}},
        "ball": {"mesh": {"ball": {"radius": 0.3, "cells": 5, "centre": [3, 0, 0]}}, "density": 500,
                 "material": {"model": "corotated", "young": 1e5, "poisson": 0.3}}},
      "attach": [
        {"what": "bar.xmin"}, {"what": "ball.surface"},
        {"what": "bar.xmax", "motion": [
          {"time": 0}, {"time": 0.1, "rotate": {"axis": [1, 0, 0], "degrees": 40}}]}],
      "gravity": [0, -9.81, 0], "time": {"fps": 30, "frames": 3}, "output": {"export": []}, "solve": )") +
                             GetParam().solve + "}";
    json::Diagnostics diagnostics;
    const auto scene = scene::parse_scene(text, "scene.json", ".", {}, diagnostics);
    const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
    if (!built) {
      ADD_FAILURE() << diagnostics.text();
      return {};
    }
    run::RunOptions options;
    options.folder = folder();
    options.existing.force = true;
    const run::RunOutcome outcome = run::run(*scene, *built, options, {}, {});
    EXPECT_FALSE(outcome.error);
    EXPECT_EQ(outcome.frame, 3);
    return outcome.state_hash;
  }
};

TEST_P(Threads, GiveOneHash) {
  const std::string one = hash(1);
  for (int threads : {2, 3, 5, 8}) EXPECT_EQ(hash(threads), one) << threads << " threads";
  EXPECT_EQ(hash(1), one) << "a second time";
}

TEST_P(Threads, LongGiveOneHash) {
  const std::string one = hash(1);
  for (int threads : {1, 2, 3, 5, 8, 16, 32})
    for (int k = 0; k < 3; ++k) EXPECT_EQ(hash(threads), one) << threads << " threads";
}

INSTANTIATE_TEST_SUITE_P(Solve, Threads,
                         testing::Values(Case{"quasistatic", R"({"mode": "quasistatic"})"},
                                         Case{"euler", R"({"mode": "dynamic"})"},
                                         Case{"bdf2", R"({"mode": "dynamic", "integrator": "bdf2"})"}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace sinew

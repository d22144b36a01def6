#pragma once
// A small scene that is run into a folder of its own, removed at the end.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include "record/runner.h"

namespace sinew::record {

class Folder {
 public:
  Folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() / ("sinew_" + std::string(test->test_suite_name()) + "_" +
                                                      test->name() + "_" + std::to_string(::getpid()));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

// A beam that swings under its weight, ten frames of two steps.
inline const std::string swinging_beam = R"({
  "sinew": 1,
  "bodies": {"beam": {
    "mesh": {"box": {"size": [2, 0.5, 0.5], "cells": [4, 1, 1]}},
    "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}},
  "attach": [{"what": "beam.xmin", "name": "wall"}],
  "gravity": [0, -9.81, 0],
  "solve": {"mode": "dynamic", "integrator": "bdf2"},
  "time": {"fps": 30, "frames": 10, "substeps": 2},
  "output": {"checkpoint_every": 3},
  "expect": {"beam.displacement.y.min": {"max": -1e-3}, "beam.volume": {"min": 0.4, "frame": 0}}
})";

struct Loaded {
  scene::Scene scene;
  scene::Built built;
};

inline Loaded load_sample(std::vector<std::string> overrides = {}) {
  json::Problems problems;
  auto scene = scene::parse_scene(swinging_beam, "beam.json", ".", overrides, problems);
  auto built = scene ? scene::build(*scene, problems) : std::nullopt;
  if (!built) ADD_FAILURE() << problems.text();
  return {std::move(*scene), std::move(*built)};
}

}  // namespace sinew::record

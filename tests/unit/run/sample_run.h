#pragma once
// A small scene to run.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "run/runner.h"
#include "unit/scratch_folder.h"

namespace sinew::run {

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
  json::Diagnostics diagnostics;
  auto scene = scene::parse_scene(swinging_beam, "beam.json", ".", overrides, diagnostics);
  auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) ADD_FAILURE() << diagnostics.text();
  return {std::move(*scene), std::move(*built)};
}

}  // namespace sinew::run

#pragma once
// A small valid scene, and one that differs from it in one place: tests break it there.
#include <string>
#include <vector>

#include "scene/scene.h"

namespace sinew::scene {

inline const std::string valid_scene = R"({
  "sinew": 1,
  "bodies": {
    "block": {
      "mesh": {"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}},
      "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3},
      "density": 1000,
      "select": {"left": {"box": [[-1, -1, -1], [0.001, 2, 2]]}}
    }
  },
  "attach": [{"what": "block.left", "motion": [{"time": 0}, {"time": 1, "translate": [0.1, 0, 0]}]}],
  "gravity": [0, -9.81, 0],
  "loads": [{"type": "pressure", "what": "block.xmax", "value": 100}],
  "probes": {"tip": {"body": "block", "point": [1, 0.5, 0.5]}},
  "solve": {"mode": "quasistatic", "tolerance": 1e-6},
  "time": {"fps": 30, "frames": 2},
  "expect": {"tip.position.x": {"min": 0, "max": 2}}
}
)";

// The scene with the first `from` replaced by `to`.
inline std::string changed(std::string from, const std::string& to, std::string text = valid_scene) {
  const size_t at = text.find(from);
  return at == std::string::npos ? "the sample scene has no " + from : text.replace(at, from.size(), to);
}

struct Outcome {
  std::optional<Scene> scene;
  std::optional<Built> built;
  Diagnostics diagnostics;
};

inline Outcome try_scene(const std::string& text, std::vector<std::string> overrides = {},
                         const std::string& folder = ".", int64_t bytes = int64_t{1} << 33) {
  Outcome outcome;
  outcome.scene = parse_scene(text, "scene.json", folder, overrides, outcome.diagnostics);
  if (outcome.scene) outcome.built = build(*outcome.scene, outcome.diagnostics, {bytes});
  return outcome;
}

}  // namespace sinew::scene

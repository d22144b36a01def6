#pragma once
// A small scene whose equilibria are asked for: a bar, held at one end, whose other end is bent, under its weight.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace sinew::batch {

inline const std::string bent_bar = R"({
  "sinew": 1,
  "bodies": {"bar": {
    "mesh": {"box": {"size": [2, 0.5, 0.5], "cells": [6, 2, 2]}},
    "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}}},
  "attach": [
    {"what": "bar.xmin", "name": "wall"},
    {"what": "bar.xmax", "name": "hand", "motion": [{"time": 0}, {"time": 1, "translate": [-0.3, 0.2, 0],
      "rotate": {"axis": [0, 0, 1], "degrees": 40}}]}],
  "gravity": [0, -9.81, 0],
  "time": {"fps": 4, "frames": 4}
})";

inline scene::Built built_of(const std::string& text, std::vector<std::string> overrides = {}) {
  json::Diagnostics diagnostics;
  auto scene = scene::parse_scene(text, "bar.json", ".", overrides, diagnostics);
  auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) ADD_FAILURE() << diagnostics.text();
  return std::move(*built);
}

}  // namespace sinew::batch

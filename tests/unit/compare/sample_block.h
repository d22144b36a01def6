#pragma once
// A small block that is pulled and weighed down, or one that is pressed onto another, built, with the settings of newton in
// it.
#include "compare/compare.h"
#include "unit/scene/sample_scene.h"

namespace sinew::compare {

struct Sample {
  // A pressure that follows the surface has no energy.
  static std::string scene_text(bool pressure) {
    return pressure ? scene::valid_scene
                    : scene::changed(R"("pressure", "what": "block.xmax", "value": 100)",
                                     R"("traction", "what": "block.xmax", "value": [100, 0, 0])");
  }

  scene::Outcome outcome;
  explicit Sample(std::vector<std::string> overrides = {}, bool pressure = false)
      : Sample(scene::try_scene(scene_text(pressure), std::move(overrides))) {}
  explicit Sample(scene::Outcome tried) : outcome(std::move(tried)) {
    EXPECT_TRUE(outcome.built.has_value()) << outcome.diagnostics.text();
  }

  const scene::Scene& scene() const { return *outcome.scene; }
  const scene::Built& built() const { return *outcome.built; }
  const model::Model& model() const { return built().model; }
  step::Settings newton() const { return scene::settings_for(scene(), *step::find_method("newton")); }

  std::vector<Entry> entries(std::string_view list) const {
    auto result = parse_entries(scene(), model(), list);
    EXPECT_TRUE(result) << result.error().text();
    return result ? *result : std::vector<Entry>();
  }
  Comparison compare(std::span<const Entry> entries, const Options& options) const {
    Result<Comparison> result = run(built(), newton(), entries, options, {}, nullptr);
    EXPECT_TRUE(result) << result.error().text();
    return result ? *result : Comparison();
  }
};

// The upper block is pushed down and sideways, with friction; the lower one lies on a floor, and is held on one side.
inline Sample pressed_blocks(std::vector<std::string> overrides = {}) {
  const auto block = [](const char* origin) {
    return std::string(R"({"density": 1000, "material": {"model": "corotated", "young": 1e5, "poisson": 0.3},
      "mesh": {"box": {"size": [1, 1, 1], "cells": [2, 2, 2], "origin": )") +
           origin + "}}}";
  };
  return Sample(scene::try_scene(R"({"sinew": 1, "bodies": {"upper": )" + block("[0.15, 0.1, 1.01]") +
                                     R"(, "lower": )" + block("[0, 0, 0]") + R"(},
    "attach": [{"what": "upper.zmax", "motion": [{"time": 0}, {"time": 1, "translate": [0.02, 0.01, -0.06]}]},
               {"what": "lower.xmin"}],
    "colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}},
    "contact": {"friction": 0.3, "self": false, "response": "penalty"},
    "gravity": [0, 0, -9.81],
    "solve": {"mode": "quasistatic"},
    "time": {"fps": 2, "frames": 2}})",
                                 std::move(overrides)));
}

}  // namespace sinew::compare

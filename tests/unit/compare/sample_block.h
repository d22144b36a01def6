#pragma once
// A small block that is pulled and weighed down, built, with the settings of newton in it.
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
      : outcome(scene::try_scene(scene_text(pressure), std::move(overrides))) {
    EXPECT_TRUE(outcome.built.has_value()) << outcome.problems.text();
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

}  // namespace sinew::compare

#pragma once
// A scene given as text, run into a folder of its own.
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

#include "run/runner.h"
#include "unit/scratch_folder.h"

namespace sinew {

struct SmallScene {
  std::optional<scene::Scene> scene;
  std::optional<scene::Built> built;
  json::Diagnostics diagnostics{"scene.json"};

  explicit SmallScene(const std::string& text) {
    scene = scene::parse_scene(text, "scene.json", ".", {}, diagnostics);
    if (scene) built = scene::build(*scene, diagnostics);
  }
};

inline run::RunOutcome run_small(const SmallScene& small, const std::filesystem::path& folder,
                                 int64_t last_frame = -1, bool resume = false) {
  run::RunOptions options;
  options.folder = folder;
  options.last_frame = last_frame;
  options.existing.resume = resume;
  options.exports = std::vector<std::string>();
  return run::run(*small.scene, *small.built, options, {}, {});
}

inline model::State state_in(const std::filesystem::path& folder) {
  const auto checkpoint = run::read_checkpoint((folder / "checkpoint.bin").string());
  EXPECT_TRUE(checkpoint) << checkpoint.error().text();
  return checkpoint ? checkpoint->state : model::State();
}

}  // namespace sinew

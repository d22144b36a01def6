// The claims of docs/pbng.md, tried in reduced size on the examples that the page uses. Iterations are counted; nothing is
// timed, so that every figure here is the same on every run.
#include <gtest/gtest.h>

#include "compare/compare.h"
#include "scene/scene.h"

namespace sinew {
namespace {

using compare::Curve;
using compare::Status;

constexpr const char* small_block = "bodies.block.mesh.box.cells=[7,7,7]";

struct Example {
  scene::Problems problems;
  std::optional<scene::Scene> scene;
  std::optional<scene::Built> built;

  explicit Example(const std::string& name, const std::vector<std::string>& overrides = {}) {
    scene = scene::load_scene(std::string(SINEW_SOURCE_DIR "/examples/") + name + "/scene.json", overrides,
                              problems);
    if (scene) built = scene::build(*scene, problems);
    EXPECT_TRUE(built.has_value()) << problems.text();
  }

  std::vector<compare::Entry> entries(const std::string& list) const {
    auto entries = compare::parse_entries(*scene, built->model, list);
    EXPECT_TRUE(entries) << entries.error().text();
    return entries ? *entries : std::vector<compare::Entry>();
  }

  // All methods on one step; those whose text names no budget get `iterations`.
  std::vector<Curve> compare(const std::string& list, int64_t iterations, int64_t step = 1) const {
    const auto newton = scene::settings_for(*scene, *step::find_method("newton"));
    const auto result = compare::run(*built, newton, entries(list),
                                     {.iterations = iterations, .step = step, .repeats = 1}, {}, nullptr);
    EXPECT_TRUE(result) << result.error().text();
    return result ? result->curves : std::vector<Curve>();
  }
};

// The first method has the lowest residual of all.
void expect_first_is_lowest(const std::vector<Curve>& curves, const std::string& where) {
  for (size_t k = 1; k < curves.size(); ++k)
    EXPECT_TRUE(!curves[k].usable() || curves[0].last().residual < curves[k].last().residual)
        << where << ": " << curves[k].entry.label << " " << curves[k].last().residual << ", "
        << curves[0].entry.label << " " << curves[0].last().residual;
}

}  // namespace
}  // namespace sinew

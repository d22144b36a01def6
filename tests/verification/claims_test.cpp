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

// What a method made of a whole scene on its budget, each step from the one before.
struct Run {
  int steps = 0;        // taken
  double farthest = 0;  // from the rest position, of any node at any time [m]
  double min_det_F = std::numeric_limits<double>::infinity();
  double worst_relative = 0;
};

Run run_through(const Example& example, const std::string& method) {
  const compare::Entry entry = example.entries(method).at(0);
  const scene::Built& built = *example.built;
  const auto stepper = std::move(*entry.method->make(built.model, entry.settings));
  model::StateLayout layout;
  stepper->declare(layout);
  model::State state = scene::initial_state(built, layout);
  Run run;
  for (int64_t frame = 1; frame <= built.time.frames; ++frame) {
    const step::StepReport report = stepper->step(built.model.inputs, built.time.time_of(frame), state, {});
    if (!report.taken()) break;
    ++run.steps;
    run.min_det_F = std::min(run.min_det_F, report.min_det_F);
    run.worst_relative = std::max(run.worst_relative, report.relative_residual);
    for (size_t i = 0; i < state.x().size(); ++i)
      run.farthest = std::max(run.farthest, norm(state.x()[i] - built.model.X[i]));
  }
  return run;
}

// Equal work, as the paper counts it: 6 sweeps, or 2 Newton iterations with 7 of conjugate gradients each.
constexpr const char* low_budget =
    "pbng:iterations=6,plain_newton:iterations=2:linear_iterations=7,pbd:iterations=6,xpbd:iterations=6";

TEST(Claims, SixSweepsHaveTheLowestResidual) {
  const Example stretch("08_stretch", {small_block});
  for (int64_t step : {1, 15, 45, 75})
    expect_first_is_lowest(stretch.compare(low_budget, 1000, step), "step " + std::to_string(step));
}

TEST(Claims, SixSweepsAFrameStayBounded) {
  const Example stretch("08_stretch", {small_block});
  const Run pbng = run_through(stretch, "pbng:iterations=6");
  EXPECT_EQ(pbng.steps, 90);
  EXPECT_LT(pbng.farthest, 1);
  EXPECT_GT(pbng.min_det_F, 0);
  const Run newton = run_through(stretch, "plain_newton:iterations=2:linear_iterations=7");
  std::printf("pbng %g %g %g newton %d %g %g %g\n", pbng.farthest, pbng.min_det_F, pbng.worst_relative,
              newton.steps, newton.farthest, newton.min_det_F, newton.worst_relative);
}

TEST(Claims, SweepsBeatLinearGaussSeidel) {
  const Example stretch("08_stretch", {small_block});
  const std::string linear = "plain_newton:linear=gauss_seidel:relaxation=1.3:";
  for (const char* acceleration : {"chebyshev", "sor", "in_sweep"})
    for (int64_t step : {1, 15, 45, 75}) {
      const std::string pbng = std::string("pbng:acceleration=") + acceleration;
      const std::string where = pbng + ", step " + std::to_string(step);
      expect_first_is_lowest(
          stretch.compare(pbng + ":iterations=6," + linear + "iterations=2:linear_iterations=3", 1000, step),
          where);
      expect_first_is_lowest(
          stretch.compare(pbng + ":iterations=42," + linear + "iterations=6:linear_iterations=7", 1000, step),
          where);
    }
}

TEST(Claims, AccelerationsAreAlike) {
  const Example stretch("08_stretch", {small_block});
  const auto curves =
      stretch.compare("pbng:acceleration=none,pbng:acceleration=sor,pbng:acceleration=chebyshev", 10);
  for (const Curve& curve : curves)
    std::printf("%s %g %g\n", curve.entry.label.c_str(), curve.last().residual, curve.last().error_rms);
  EXPECT_LT(curves[1].last().error_rms, 0.65 * curves[0].last().error_rms);
  EXPECT_LT(curves[2].last().error_rms, 0.65 * curves[0].last().error_rms);
}

// The ends jump to their places while the rest stands still.
TEST(Claims, DeformationSpreadsInFiftySweeps) {
  for (const char* fps : {"1", "2", "10"}) {
    const Example jump("08_stretch", {small_block, std::string("time.fps=") + fps, "time.frames=1"});
    const auto curves = jump.compare(
        "pbng:iterations=50,plain_newton:iterations=1:linear_iterations=50,pbd:iterations=50", 1000);
    for (const Curve& curve : curves)
      std::printf("fps %s %s %g %g\n", fps, curve.entry.label.c_str(), curve.last().residual,
                  curve.last().error_rms);
    expect_first_is_lowest(curves, fps);
  }
}

TEST(Claims, XpbdStagnatesWherePbngConverges) {
  const Example block("11_oscillating_block", {"bodies.block.mesh.box.cells=[5,5,5]"});
  const auto curves = block.compare("pbng,xpbd", 300, 7);
  for (const Curve& curve : curves)
    std::printf("%s %g %g %g %s\n", curve.entry.label.c_str(), curve.points[0].residual,
                curve.last().residual, curve.last().relative, std::string(name_of(curve.status)).c_str());
  EXPECT_EQ(curves[0].status, Status::converged);
  EXPECT_EQ(curves[1].status, Status::stagnated);
  EXPECT_GT(curves[1].last().residual, 10 * curves[0].last().residual);
}

TEST(Claims, ThreeLawsComeCloseInFortySweeps) {
  for (const char* law : {"corotated", "stable_neo_hookean", "stable_neo_hookean_log"}) {
    const Example stretch("08_stretch", {small_block, std::string("bodies.block.material.model=") + law});
    for (int64_t step : {1, 30, 60, 90}) {
      const auto curves = stretch.compare("pbng:iterations=40", 1000, step);
      std::printf("%s %d %g %g\n", law, int(step), curves[0].last().relative, curves[0].last().error_max);
      EXPECT_LT(curves[0].last().error_max, 1e-3) << law << ", step " << step;
    }
  }
}

TEST(Claims, MeshesAgreeOnTheReaction) {}

}  // namespace
}  // namespace sinew

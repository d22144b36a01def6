// Equilibrium from tangled starts: every free node anywhere, flat, collapsed or mirrored.
#include <gtest/gtest.h>

#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using model::Model;

constexpr std::array<int32_t, 3> cells = {8, 4, 4};  // 768 tets

void expect_rest(const Model& model, const Motion& run, const StepReport& report, double error = 1e-4) {
  EXPECT_EQ(report.status, StepStatus::converged);
  EXPECT_EQ(report.inverted, 0);
  EXPECT_GT(report.min_det_F, 0.9);
  EXPECT_LT(distance(run.state.x(), model.X), error);
  EXPECT_EQ(run.state.step(), 1);
  EXPECT_EQ(run.state.time(), 1);
  testing::Test::RecordProperty("iterations", report.iterations);
}

using Material = std::tuple<std::string, double>;  // law, Poisson's ratio

class Scatter : public testing::TestWithParam<std::tuple<std::string, double, int>> {};

TEST_P(Scatter, FindsTheBlockAgain) {
  const auto [law, poisson, seed] = GetParam();
  const Model model = held_block({.law = law, .poisson = poisson, .cells = cells});
  Motion run(model, newton_settings());
  scatter(model::DofMap(model), seed, run.state.x());
  const StepReport report = run.to(1);
  expect_rest(model, run, report);
  EXPECT_LE(report.iterations, 150);
}
INSTANTIATE_TEST_SUITE_P(All, Scatter,
                         testing::Combine(testing::Values("neo_hookean", "stable_neo_hookean", "corotated"),
                                          testing::Values(0.3, 0.45, 0.49), testing::Values(1, 2, 3)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" +
                                  std::to_string(std::lround(100 * std::get<1>(info.param))) + "_seed" +
                                  std::to_string(std::get<2>(info.param));
                         });

// The scattered block finds the equilibrium that the block at rest reaches in small steps: pulled, turned and under
// its weight, so that no law has an easy answer.
class Loaded : public testing::TestWithParam<std::tuple<std::string, double>> {};

TEST_P(Loaded, FindsTheSameEquilibriumAsFromRest) {
  const auto [law, poisson] = GetParam();
  Model model = held_block({.law = law,
                            .poisson = poisson,
                            .cells = cells,
                            .right = {{.time = 0},
                                      {.time = 1,
                                       .translate = {0.6, 0.2, 0},
                                       .axis = {1, 0, 0},
                                       .angle = 0.8,
                                       .about = {2, 0.5, 0.5}}}});
  add_gravity(model, {0, 0, -5});
  Motion slow(model, newton_settings(Mode::quasistatic, 1e-8));
  for (int k = 1; k <= 5; ++k) ASSERT_EQ(slow.to(k / 5.0).status, StepStatus::converged);
  for (int seed = 1; seed <= 3; ++seed) {
    Motion run(model, newton_settings(Mode::quasistatic, 1e-8));
    scatter(model::DofMap(model), seed, run.state.x());
    const StepReport report = run.to(1);
    EXPECT_EQ(report.status, StepStatus::converged) << "seed " << seed;
    EXPECT_EQ(report.inverted, 0) << "seed " << seed;
    EXPECT_LT(distance(run.state.x(), slow.state.x()), 1e-4) << "seed " << seed;
    EXPECT_LE(report.iterations, 150) << "seed " << seed;
    RecordProperty("iterations_seed" + std::to_string(seed), report.iterations);
  }
}
std::string name_of_material(const testing::TestParamInfo<Material>& info) {
  return std::get<0>(info.param) + "_" + std::to_string(std::lround(100 * std::get<1>(info.param)));
}
INSTANTIATE_TEST_SUITE_P(All, Loaded,
                         testing::Combine(testing::Values("neo_hookean", "stable_neo_hookean", "corotated"),
                                          testing::Values(0.3, 0.45, 0.49)),
                         name_of_material);

// The stress at clamped stretches (Teran et al. 2005), with its fall back.
class Clamped : public testing::TestWithParam<int> {};

TEST_P(Clamped, FindsTheBlockAgain) {
  const Model model = held_block({.cells = cells});
  Settings settings = newton_settings();
  settings.options.set("inversion", std::string("clamp"));
  Motion run(model, settings);
  scatter(model::DofMap(model), GetParam(), run.state.x());
  const StepReport report = run.to(1);
  expect_rest(model, run, report);
  RecordProperty("soft_start", !report.notes.empty());
}
INSTANTIATE_TEST_SUITE_P(Seeds, Clamped, testing::Range(1, 6));

struct Start {
  const char* name;
  Vec3d (*place)(const Vec3d& X);

  friend void PrintTo(const Start& start, std::ostream* out) { *out << start.name; }
};
constexpr Start starts[] = {{"flat",
                             [](const Vec3d& X) {
                               return Vec3d{X[0], X[1], 0.5};
                             }},
                            {"collapsed",
                             [](const Vec3d&) {
                               return Vec3d{1, 0.5, 0.5};
                             }},
                            {"mirrored",
                             [](const Vec3d& X) {
                               return Vec3d{2 - X[0], X[1], X[2]};
                             }},
                            {"on_a_line",
                             [](const Vec3d& X) {
                               return Vec3d{X[0], 0.5, 0.5};
                             }},
                            {"inside_out", [](const Vec3d& X) {
                               return Vec3d{X[0], 1 - X[1], X[2]};
                             }}};

class Tangled : public testing::TestWithParam<std::tuple<Start, Material>> {};

TEST_P(Tangled, FindsTheBlockAgain) {
  const auto& [start, material] = GetParam();
  const auto& [law, poisson] = material;
  const Model model = held_block({.law = law, .poisson = poisson, .cells = cells});
  Motion run(model, newton_settings());
  const model::DofMap dofs(model);
  for (size_t i = 0; i < model.X.size(); ++i)
    if (dofs.block_of_node()[i] >= 0) run.state.x()[i] = start.place(model.X[i]);
  const StepReport report = run.to(1);
  expect_rest(model, run, report);
  EXPECT_LE(report.iterations, 60);
}
std::string name_of_case(const testing::TestParamInfo<Tangled::ParamType>& info) {
  const auto& [start, material] = info.param;
  const auto& [law, poisson] = material;
  return std::string(start.name) + "_" + law + "_" + std::to_string(std::lround(100 * poisson));
}
INSTANTIATE_TEST_SUITE_P(
    All, Tangled,
    testing::Combine(testing::ValuesIn(starts),
                     testing::Values(Material{"neo_hookean", 0.3}, Material{"neo_hookean", 0.45},
                                     Material{"stable_neo_hookean", 0.45}, Material{"corotated", 0.3})),
    name_of_case);

}  // namespace
}  // namespace sinew::step

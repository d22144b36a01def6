#include "step/fallbacks.h"

#include <gtest/gtest.h>

#include "unit/step/motion.h"

namespace sinew::step {
namespace {

using namespace sinew::sample;
using model::Model;

// A bar that is pulled to `times` its length in one second.
Model pulled(double times) {
  return held_block({.poisson = 0.45,
                     .cells = {9, 3, 3},
                     .size = {3, 1, 1},
                     .right = {{.time = 0}, {.time = 1, .translate = {3 * (times - 1), 0, 0}}}});
}

// Few iterations in a solve for the named methods, too few for most steps; defaults for all others.
SettingsFor limited(std::vector<std::string_view> names, Mode mode = Mode::quasistatic) {
  return [=](const Method& method) {
    Settings settings{.mode = mode, .options = FieldValues(method.fields)};
    if (std::find(names.begin(), names.end(), method.name) == names.end()) return settings;
    settings.options.set("iterations", 2.0);
    settings.options.set("linear", std::string("pcg"));
    settings.options.set("linear_iterations", 5.0);
    return settings;
  };
}

Motion alone(const Model& model, const SettingsFor& settings, const char* method = "newton") {
  return {model, settings(*find_method(method)), method};
}

Motion with_fallbacks(const Model& model, const SettingsFor& settings, const char* method = "newton") {
  Motion motion = alone(model, settings, method);
  motion.stepper = std::move(*make_with_fallbacks(*find_method(method), model, settings));
  return motion;
}

// Does nothing but tell its times, and converges before `until`.
struct Clock final : Stepper {
  double until;
  std::vector<double> times;

  explicit Clock(double until) : until(until) {}
  void declare(model::StateLayout&) const override {}
  StepReport step(const model::InputCurve&, double t1, model::State& state, const Control&) override {
    times.push_back(t1);
    StepReport report;
    report.status = t1 < until ? StepStatus::converged : StepStatus::stalled;
    report.iterations = 3;
    report.relative_residual = t1;
    if (report.taken()) state.set_time(t1);
    return report;
  }
};

TEST(Fallbacks, AreNewtonInSmallerStepsAndHybrid) {
  const double asked[] = {1, 3};
  std::vector<std::string_view> names;
  for (const Rung& rung : fallback_chain()) {
    names.push_back(rung.name);
    ASSERT_NE(find_method(rung.method), nullptr);
    const std::vector<double> times = rung.times(0.5, asked);
    EXPECT_EQ(times.back(), 3);
    if (rung.name == "increments") {
      ASSERT_EQ(times.size(), 16u);
      for (size_t k = 0; k < 16; ++k) EXPECT_NEAR(times[k], 0.5 + 2.5 * double(k + 1) / 16, 1e-15);
    } else {
      EXPECT_EQ(times, (std::vector<double>{1, 3}));
    }
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"path", "increments", "hybrid"}));
}

TEST(Fallbacks, FollowTimesUntilAStepDoesNotConverge) {
  const Model model = pulled(2);
  model::State state = model.make_state({});
  const double times[] = {1, 2, 3, 4};
  Clock whole(5), broken(3);
  EXPECT_EQ(follow(whole, model.inputs, times, state, {}).status, StepStatus::converged);
  EXPECT_EQ(whole.times, (std::vector<double>{1, 2, 3, 4}));
  const StepReport report = follow(broken, model.inputs, times, state, {});
  EXPECT_EQ(report.status, StepStatus::stalled);
  EXPECT_EQ(broken.times, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(report.iterations, 9);
  EXPECT_EQ(report.relative_residual, 3);
}

TEST(Fallbacks, HybridFindsWhatNewtonMisses) {
  const Model model = pulled(2);
  Motion missed = alone(model, limited({"newton"})), exact = alone(model, limited({}));
  const StepReport first = missed.to(1);
  EXPECT_EQ(first.status, StepStatus::stalled);
  Motion motion = with_fallbacks(model, limited({"newton"}));
  const StepReport report = motion.to(1);
  EXPECT_EQ(report.status, StepStatus::converged);
  EXPECT_FALSE(report.reason);
  EXPECT_EQ(report.notes,
            std::vector<std::string>{"newton did not converge; the fallback \"hybrid\" did: hybrid"});
  EXPECT_GT(report.iterations, first.iterations);
  EXPECT_EQ(motion.state.step(), 1);
  EXPECT_EQ(motion.state.time(), 1);
  EXPECT_EQ(exact.to(1).status, StepStatus::converged);
  EXPECT_LT(distance(motion.state.x(), exact.state.x()), 1e-5);
}

TEST(Fallbacks, NewtonStandsInForHybrid) {
  const Model model = pulled(2);
  Motion motion = with_fallbacks(model, limited({"hybrid"}), "hybrid"), exact = alone(model, limited({}));
  EXPECT_EQ(alone(model, limited({"hybrid"}), "hybrid").to(1).status, StepStatus::stalled);
  const StepReport report = motion.to(1);
  EXPECT_EQ(report.status, StepStatus::converged);
  EXPECT_EQ(report.notes,
            std::vector<std::string>{"hybrid did not converge; the fallback \"path\" did: newton"});
  exact.to(1);
  EXPECT_EQ(distance(motion.state.x(), exact.state.x()), 0);
}

TEST(Fallbacks, StepsThatConvergeKeepTheirBits) {
  const Model model = pulled(1.5);
  Motion own = alone(model, limited({})), motion = with_fallbacks(model, limited({}));
  for (double time : {0.5, 1.0}) {
    const StepReport expected = own.to(time), found = motion.to(time);
    EXPECT_EQ(found.status, StepStatus::converged);
    EXPECT_EQ(found.iterations, expected.iterations);
    EXPECT_EQ(found.notes, expected.notes);
    EXPECT_EQ(motion.state.hash(), own.state.hash());
  }
}

TEST(Fallbacks, WhereNoneConvergesTheStepIsThatOfTheMethod) {
  const Model model = pulled(-2);
  const SettingsFor settings = limited({"newton", "hybrid"});
  Motion own = alone(model, settings), motion = with_fallbacks(model, settings);
  const StepReport expected = own.to(1), found = motion.to(1);
  ASSERT_EQ(expected.status, StepStatus::stalled);
  EXPECT_EQ(found.status, StepStatus::stalled);
  ASSERT_TRUE(found.reason && expected.reason);
  EXPECT_EQ(found.reason->text(), expected.reason->text());
  EXPECT_EQ(motion.state.hash(), own.state.hash());
  EXPECT_GT(found.iterations, expected.iterations);
  ASSERT_FALSE(found.notes.empty());
  EXPECT_EQ(found.notes.back(), "the fallbacks did not converge either: increments, hybrid");
}

TEST(Fallbacks, AreNotForStepsInTimeOrBudgets) {
  const Model model = pulled(2);
  const auto same = [&](const char* method, Mode mode) {
    const SettingsFor settings = limited({"newton", "pbng"}, mode);
    Motion own = alone(model, settings, method), motion = with_fallbacks(model, settings, method);
    const StepReport expected = own.to(1), found = motion.to(1);
    EXPECT_NE(expected.status, StepStatus::converged) << method;
    EXPECT_EQ(found.iterations, expected.iterations) << method;
    EXPECT_EQ(motion.state.hash(), own.state.hash()) << method;
  };
  same("newton", Mode::dynamic);
  same("pbng", Mode::quasistatic);
}

TEST(Fallbacks, CancelLeavesTheState) {
  const Model model = pulled(2);
  int own = 0, calls = 0;
  alone(model, limited({"newton"})).to(1, {.cancel = nullptr, .on_residual = [&](double) { ++own; }});
  Motion motion = with_fallbacks(model, limited({"newton"}));
  const uint64_t before = motion.state.hash();
  Cancel cancel;
  const StepReport report = motion.to(1, {.cancel = &cancel, .on_residual = [&](double) {
                                            if (++calls > own + 3) cancel.request();
                                          }});
  EXPECT_EQ(report.status, StepStatus::cancelled);
  EXPECT_GT(calls, own);
  EXPECT_EQ(motion.state.hash(), before);
}

}  // namespace
}  // namespace sinew::step

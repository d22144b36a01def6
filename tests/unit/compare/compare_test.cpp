#include "compare/compare.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "compare/summary.h"
#include "solve/system.h"
#include "unit/compare/fake_methods.h"
#include "unit/compare/sample_block.h"

namespace sinew::compare {
namespace {

using math::Vec3d;
using Positions = std::vector<Vec3d>;

// The positions after every iteration of newton in a step, by a Stepper of the test's own.
std::vector<Positions> newton_iterates(const Sample& sample, double tolerance, model::State& state,
                                       double t1) {
  step::Settings settings = sample.newton();
  settings.tolerance = tolerance;
  auto stepper = step::find_method("newton")->make(sample.model(), settings);
  std::vector<Positions> iterates;
  Control control;
  control.on_iterate = [&](std::span<const double> x) {
    Positions positions(x.size() / 3);
    for (size_t i = 0; i < x.size(); ++i) positions[i / 3][static_cast<int>(i % 3)] = x[i];
    iterates.push_back(positions);
  };
  EXPECT_TRUE((*stepper)->step(sample.model().inputs, t1, state, control).taken());
  return iterates;
}

model::State initial(const Sample& sample) {
  model::StateLayout layout;
  (*step::find_method("newton")->make(sample.model(), sample.newton()))->declare(layout);
  return scene::initial_state(sample.built(), layout);
}

void expect_equal(const Point& point, const solve::Evaluation& at, double energy, const Positions& x,
                  std::span<const Vec3d> reference, double size) {
  EXPECT_DOUBLE_EQ(point.residual, at.residual);
  EXPECT_DOUBLE_EQ(point.relative, at.relative);
  EXPECT_NEAR(point.energy_gap, at.energy - energy, 1e-12 * std::abs(energy));
  double sum = 0, largest = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    sum += norm2(x[i] - reference[i]) / static_cast<double>(x.size());
    largest = std::max(largest, norm(x[i] - reference[i]));
  }
  EXPECT_NEAR(point.error_rms, std::sqrt(sum) / size, 1e-14);
  EXPECT_NEAR(point.error_max, largest / size, 1e-14);
}

TEST(Compare, QuasistaticPointsAreThoseOfTheSystem) {
  const Sample sample;
  const auto entries = sample.entries("newton");
  const Comparison result = sample.compare(entries, {.iterations = 30, .step = 2, .repeats = 2});
  ASSERT_EQ(result.curves.size(), 1u);
  EXPECT_EQ(result.time, 2.0 / 30);
  EXPECT_NEAR(result.size, std::sqrt(3.0), 1e-12);

  model::State state = initial(sample);
  newton_iterates(sample, 1e-6, state, 1.0 / 30);
  const Positions start(state.x().begin(), state.x().end());
  model::State converged = state;
  newton_iterates(sample, 1e-10, converged, 2.0 / 30);
  const std::vector<Positions> iterates = newton_iterates(sample, 0.5e-8, state, 2.0 / 30);

  solve::System system(sample.model());
  std::vector<double> inputs(sample.model().inputs.size());
  sample.model().inputs.evaluate(2.0 / 30, inputs);
  system.set_inputs(inputs);
  Positions gradient(start.size());
  const double energy = system.evaluate(converged.x(), gradient).energy;
  const std::vector<Point>& points = result.curves[0].points;
  ASSERT_EQ(points.size(), iterates.size() + 1);
  EXPECT_EQ(result.reference.status, step::StepStatus::converged);
  EXPECT_LE(result.reference.relative, 1e-10);
  for (size_t k = 0; k < points.size(); ++k) {
    Positions x = k == 0 ? start : iterates[k - 1];
    system.dofs().retract(x);
    EXPECT_EQ(points[k].iteration, static_cast<int64_t>(k));
    expect_equal(points[k], system.evaluate(x, gradient), energy, x, converged.x(), result.size);
  }
  EXPECT_EQ(result.curves[0].status, Status::converged);
}

TEST(Compare, PointsInTimeHoldInertia) {
  const Sample sample({"solve.mode=dynamic"});
  const auto entries = sample.entries("newton");
  const Comparison result = sample.compare(entries, {.iterations = 30, .repeats = 1});
  const double h = 1.0 / 30;
  model::State converged = initial(sample), state = initial(sample);
  const Positions rest(state.x().begin(), state.x().end());
  newton_iterates(sample, 1e-10, converged, h);
  const std::vector<Positions> iterates = newton_iterates(sample, 0.5e-8, state, h);

  solve::System system(sample.model());
  std::vector<double> inputs(sample.model().inputs.size());
  sample.model().inputs.evaluate(h, inputs);
  system.set_inputs(inputs);
  std::vector<double> weight = sample.model().lumped_mass(sample.model().params);
  for (double& w : weight) w /= h * h;
  system.set_inertia(weight, rest);  // at rest the body would stay where it is
  Positions gradient(rest.size());
  const double energy = system.evaluate(converged.x(), gradient).energy;
  const std::vector<Point>& points = result.curves[0].points;
  ASSERT_EQ(points.size(), iterates.size() + 1);
  for (size_t k = 1; k < points.size(); ++k) {
    Positions x = iterates[k - 1];
    system.dofs().retract(x);
    const solve::Evaluation at = system.evaluate(x, gradient);
    EXPECT_NEAR(points[k].residual, at.residual, 1e-9 * points[0].residual);
    EXPECT_NEAR(points[k].energy_gap, at.energy - energy, 1e-10 * std::abs(energy));
  }
}

// Whatever contacts a method has in its rounds, its points are those of the system with the contacts of the reference.
TEST(Compare, PointsHoldTheContactsOfTheReference) {
  const Sample sample = pressed_blocks();
  const Comparison result = sample.compare(sample.entries("newton"), {.iterations = 100, .repeats = 1});
  ASSERT_EQ(result.reference.status, step::StepStatus::converged);
  EXPECT_LE(result.reference.relative, 1e-10);

  step::Settings exact = sample.newton();
  exact.tolerance = 1e-10;
  auto stepper = std::move(*step::find_method("newton")->make(sample.model(), exact));
  model::State converged = initial(sample), state = initial(sample);
  const Positions start(state.x().begin(), state.x().end());
  ASSERT_EQ(stepper->step(sample.model().inputs, 0.5, converged, {}).increments, 1);
  const std::vector<Positions> iterates = newton_iterates(sample, 0.5e-8, state, 0.5);
  ASSERT_GT(stepper->contacts().size(), 0u);

  solve::System system(sample.model());
  std::vector<double> inputs(sample.model().inputs.size());
  sample.model().inputs.evaluate(0.5, inputs);
  system.set_inputs(inputs);
  system.set_contacts({{stepper->contacts().begin(), stepper->contacts().end()}});
  Positions gradient(start.size());
  const double energy = system.evaluate(converged.x(), gradient).energy;
  const std::vector<Point>& points = result.curves[0].points;
  ASSERT_EQ(points.size(), iterates.size() + 1);
  for (size_t k = 0; k < points.size(); ++k) {
    Positions x = k == 0 ? start : iterates[k - 1];
    system.dofs().retract(x);
    expect_equal(points[k], system.evaluate(x, gradient), energy, x, converged.x(), result.size);
  }
}

TEST(Compare, MethodsMeetWhereBodiesTouch) {
  for (const char* mode : {"quasistatic", "dynamic"}) {
    const Sample sample = pressed_blocks({std::string("solve.mode=") + mode});
    const Comparison result =
        sample.compare(sample.entries("newton,hybrid,l_bfgs,pbng,xpbd"),
                       {.iterations = 4000, .step = 2, .repeats = 1, .tolerance = 1e-7});
    EXPECT_LE(result.reference.relative, 1e-9) << mode;
    for (const Curve& curve : result.curves) {
      SCOPED_TRACE(curve.entry.label + " " + mode);
      EXPECT_TRUE(curve.usable());
      if (!curve.entry.method->converges) continue;
      EXPECT_EQ(curve.status, Status::converged) << curve.last().relative;
      EXPECT_LT(curve.last().error_max, 1e-6);
      EXPECT_LT(std::abs(curve.last().energy_gap), 1e-6 * curve.points[0].energy_gap);
    }
  }
}

// A heavy block, this far from the origin [m].
Sample far_block(const std::string& distance) {
  return Sample(scene::try_scene(R"({"sinew": 1, "bodies": {"block": {"mesh": {"box": {"cells": [2, 2, 2]}},
    "place": {"translate": [)" + distance +
                                     R"(, 0, 0]},
    "material": {"model": "corotated", "young": 1e7, "poisson": 0.3}}},
    "attach": [{"what": "block.xmin"}], "gravity": [0, -9.81, 0], "time": {"fps": 1, "frames": 1}})",
                                 {}));
}

TEST(Compare, SaysThatABarrierIsLeftOut) {
  const auto notes = [](const char* response) {
    const Sample sample = pressed_blocks({"solve.mode=dynamic", std::string("contact.response=") + response});
    EXPECT_EQ(sample.model().contact.barrier, std::string(response) == "auto");
    return sample.compare(sample.entries("newton"), {.iterations = 1, .repeats = 1}).notes;
  };
  const auto tell = [](const std::vector<std::string>& notes) {
    return std::count_if(notes.begin(), notes.end(), [](const std::string& note) {
      return note.find("contact acts by the penalty, for all methods alike") == 0;
    });
  };
  EXPECT_EQ(tell(notes("auto")), 1);
  EXPECT_EQ(tell(notes("penalty")), 0);
}

TEST(Compare, AReferenceMayBeLessExactThanWanted) {
  // Where positions are rounded by too much for 1e-10, and where by too much for any tolerance.
  const Sample far = far_block("1e5"), farther = far_block("1e7");
  const Comparison found = far.compare(far.entries("newton"), {.iterations = 30, .repeats = 1});
  EXPECT_TRUE(found.reference.found());
  EXPECT_TRUE(found.reference.relaxed);
  EXPECT_LE(found.reference.relative, 1e-6);
  EXPECT_TRUE(std::isfinite(found.curves[0].last().error_rms));
  const Comparison none = farther.compare(farther.entries("newton"), {.iterations = 30, .repeats = 1});
  EXPECT_FALSE(none.reference.found());
  EXPECT_TRUE(std::isnan(none.curves[0].last().error_rms));
}

TEST(Compare, ALoadWithoutEnergyLeavesTheGapUnknown) {
  const Sample sample({}, true);
  const auto entries = sample.entries("newton");
  const Comparison result = sample.compare(entries, {.iterations = 30, .repeats = 1});
  EXPECT_EQ(result.curves[0].status, Status::converged);
  EXPECT_TRUE(std::isnan(result.curves[0].points[0].energy_gap));
  EXPECT_EQ(result.notes.size(), 1u);
}

TEST(Compare, TheSameNumbersAgainAndForAnyThreads) {
  const Sample sample;
  const auto entries = sample.entries("all");
  const Options options{.iterations = 12, .step = 1, .repeats = 2};
  const int before = thread_count();
  set_thread_count(1);
  const Comparison first = sample.compare(entries, options);
  set_thread_count(3);
  const Comparison second = sample.compare(entries, options);
  set_thread_count(before);
  ASSERT_EQ(first.curves.size(), second.curves.size());
  for (size_t e = 0; e < first.curves.size(); ++e) {
    const Curve &a = first.curves[e], &b = second.curves[e];
    EXPECT_EQ(a.status, b.status);
    ASSERT_EQ(a.points.size(), b.points.size());
    EXPECT_LE(a.last().iteration, 12);
    for (size_t k = 0; k < a.points.size(); ++k) {
      Point p = a.points[k], q = b.points[k];
      EXPECT_EQ(p.iteration, q.iteration);
      EXPECT_EQ(p.residual, q.residual);
      EXPECT_EQ(p.relative, q.relative);
      EXPECT_EQ(p.energy_gap, q.energy_gap);
      EXPECT_EQ(p.error_rms, q.error_rms);
      EXPECT_EQ(p.error_max, q.error_max);
      EXPECT_GE(p.seconds, a.points[k == 0 ? 0 : k - 1].seconds);
    }
  }
}

TEST(Compare, BadMethodsDoNotTakeItDown) {
  const Sample sample;
  const step::Method lazy = fake<stay>("lazy"), wild = fake<grow>("wild"), lost = fake<lose>("lost"),
                     huge = fake<exhaust>("huge"), broken = fake<break_down>("broken"),
                     tired = fake<stay, 2>("tired"), none = fake<stay, 0>("none");
  std::vector<Entry> entries = sample.entries("newton");
  for (const step::Method* method : {&lazy, &wild, &lost, &huge, &broken, &tired, &none})
    entries.push_back({std::string(method->name), method, sample.newton()});
  const Comparison result = sample.compare(entries, {.iterations = 20, .repeats = 3});
  const auto& curves = result.curves;
  ASSERT_EQ(curves.size(), entries.size());
  EXPECT_EQ(curves[0].status, Status::converged);
  EXPECT_EQ(curves[1].status, Status::stagnated);
  EXPECT_EQ(curves[1].last().iteration, 20);
  EXPECT_EQ(curves[1].last().residual, curves[0].points[0].residual);  // it stays at the common start
  EXPECT_EQ(curves[2].status, Status::diverged);
  EXPECT_EQ(curves[3].status, Status::diverged);
  EXPECT_TRUE(std::isinf(curves[3].last().residual));
  EXPECT_EQ(curves[4].status, Status::failed);
  EXPECT_EQ(curves[4].notes, std::vector<std::string>{"out of memory"});
  EXPECT_EQ(curves[5].status, Status::failed);
  EXPECT_EQ(curves[5].notes, std::vector<std::string>{"the pivot is zero"});
  EXPECT_EQ(curves[6].status, Status::stagnated);  // it gave up
  EXPECT_EQ(curves[6].points.size(), 3u);
  EXPECT_TRUE(curves[6].ended);
  EXPECT_FALSE(curves[1].ended);
  EXPECT_EQ(curves[7].status, Status::stagnated);
  EXPECT_EQ(curves[7].points.size(), 1u);
}

TEST(Compare, AMethodThatCannotBeMadeFails) {
  const Sample sample;
  step::Method greedy = fake<stay>("greedy"), choosy = fake<stay>("choosy");
  greedy.create = [](const model::Model&, const step::Settings&) -> std::unique_ptr<step::Stepper> {
    throw std::bad_alloc();
  };
  choosy.lacks = [](const model::Model&, const step::Settings&) {
    return std::vector<std::string>{"patience"};
  };
  const std::vector<Entry> entries = {{"greedy", &greedy, sample.newton()},
                                      {"choosy", &choosy, sample.newton()}};
  const Comparison result = sample.compare(entries, {.iterations = 5});
  EXPECT_EQ(result.curves[0].status, Status::failed);
  EXPECT_EQ(result.curves[1].status, Status::failed);
  EXPECT_NE(result.curves[1].notes[0].find("patience"), std::string::npos);
}

TEST(Compare, ManyIterationsAreToldSparsely) {
  const Sample sample;
  const step::Method lazy = fake<stay>("lazy");
  const std::vector<Entry> entries = {{"lazy", &lazy, sample.newton()}};
  const std::vector<Point> points =
      sample.compare(entries, {.iterations = 5001, .repeats = 1}).curves[0].points;
  EXPECT_LT(points.size(), 1600u);
  for (int64_t k = 0; k < 512; ++k) EXPECT_EQ(points[static_cast<size_t>(k)].iteration, k);
  for (size_t k = 513; k < points.size(); ++k)
    EXPECT_LE(points[k].iteration - points[k - 1].iteration, points[k].iteration / 200);
  EXPECT_EQ(points.back().iteration, 5001);
}

TEST(Compare, ABudgetInSecondsCutsOff) {
  const Sample sample;
  const step::Method lazy = fake<stay>("lazy");
  const std::vector<Entry> entries = {{"lazy", &lazy, sample.newton()}};
  const Comparison none = sample.compare(entries, {.budget = 1e-12, .repeats = 2});
  EXPECT_EQ(none.curves[0].points.size(), 1u);
  EXPECT_EQ(none.curves[0].status, Status::running);
  EXPECT_EQ(none.curves[0].notes.size(), 1u);
  const Comparison some = sample.compare(entries, {.budget = 0.01, .repeats = 2});
  EXPECT_LE(some.curves[0].last().seconds, 0.01);
}

TEST(Compare, AMethodHasEndedOnlyIfItsMedianRunHas) {
  // One run in three ends, after three iterations, within the budget; the points are those of the two that were cut.
  const Sample sample;
  const step::Method method = fake<tire, 3>("tire");
  const std::vector<Entry> entries = {{"tire", &method, sample.newton()}};
  const Comparison result = sample.compare(entries, {.budget = 0.2, .repeats = 3});
  EXPECT_EQ(result.curves[0].status, Status::running);
  EXPECT_FALSE(result.curves[0].ended);
  EXPECT_LE(result.curves[0].last().iteration, 2);
}

TEST(Compare, BudgetedMethodsGoOnPastTheirOwnCount) {
  // The field "iterations" of a method that works to a budget is raised, unless the entry names it.
  static const Field fields[] = {{.name = "iterations", .kind = Field::Kind::integer, .initial = "4"}};
  step::Method counted = fake<stay>("counted");
  counted.fields = fields;
  counted.budgeted = true;
  counted.create = [](const model::Model&, const step::Settings& settings) -> std::unique_ptr<step::Stepper> {
    return std::make_unique<RuleStepper>(stay, static_cast<int>(settings.options.number("iterations")));
  };
  const Sample sample;
  step::Settings settings = sample.newton();
  settings.options = FieldValues(fields);
  const std::vector<Entry> entries = {{"raised", &counted, settings}, {"own", &counted, settings, true}};
  const Comparison result = sample.compare(entries, {.iterations = 9, .repeats = 1});
  EXPECT_EQ(result.curves[0].last().iteration, 9);
  EXPECT_EQ(result.curves[1].last().iteration, 4);
}

TEST(Compare, AnEntryMayStopAtItsOwnTolerance) {
  const Sample sample;
  const auto entries = sample.entries("newton,newton:tolerance=1e-2");
  const Comparison result = sample.compare(entries, {.iterations = 30, .repeats = 1});
  const Curve &whole = result.curves[0], &early = result.curves[1];
  EXPECT_EQ(early.status, Status::converged);
  EXPECT_TRUE(early.ended);
  EXPECT_LE(early.last().relative, 1e-2);
  EXPECT_GT(early.last().relative, 1e-8);
  EXPECT_LT(early.last().iteration, whole.last().iteration);
  const std::string first = verdict(result)[0];  // names who came to the common tolerance
  EXPECT_NE(first.find("newton after"), std::string::npos) << first;
  EXPECT_EQ(first.find("1e-2"), std::string::npos) << first;
}

TEST(Compare, StepsOutsideTheSceneAreRefused) {
  const Sample sample;
  const auto entries = sample.entries("newton");
  for (int64_t step : {int64_t{0}, int64_t{-1}, int64_t{3}, std::numeric_limits<int64_t>::max()}) {
    const auto result =
        run(sample.built(), sample.newton(), entries, {.iterations = 1, .step = step}, {}, nullptr);
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().text().find("expected 1 to 2"), std::string::npos) << result.error().text();
  }
}

TEST(Compare, ACancelStopsIt) {
  const Sample sample;
  const step::Method lazy = fake<stay>("lazy");
  const std::vector<Entry> entries = {{"lazy", &lazy, sample.newton()}};
  Cancel cancel;
  const Progress progress = [&](const std::string& what, double fraction) {
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    if (what == "timing lazy") cancel.request();
  };
  const auto result =
      run(sample.built(), sample.newton(), entries, {}, progress, &cancel);  // without any budget
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->interrupted);
}

}  // namespace
}  // namespace sinew::compare

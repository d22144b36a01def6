#include "batch/equilibria.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "solve/system.h"
#include "step/stepper.h"
#include "unit/batch/arm_scene.h"

namespace sinew::batch {
namespace {

using math::Vec3d;

double distance(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
  return largest;
}

// The relative residual of positions, by a System of its own.
double residual(const scene::Built& built, std::span<const double> inputs, std::span<const Vec3d> x) {
  solve::System system(built.model);
  system.set_inputs(inputs);
  std::vector<Vec3d> gradient(x.size());
  return system.evaluate(x, gradient).relative;
}

std::vector<double> inputs_at(const scene::Built& built, double time) {
  std::vector<double> inputs(built.model.inputs.size());
  built.model.inputs.evaluate(time, inputs);
  return inputs;
}

// Where the method newton arrives frame by frame, to a tolerance of 1e-10.
std::vector<Vec3d> by_stepper(const scene::Built& built, double time) {
  const step::Method& newton = *step::find_method("newton");
  step::Settings settings;
  settings.tolerance = 1e-10;
  settings.options = FieldValues(newton.fields);
  const auto stepper = newton.make(built.model, settings);
  model::StateLayout layout;
  (*stepper)->declare(layout);
  model::State state = scene::initial_state(built, layout);
  for (int k = 1; k <= 4; ++k) (*stepper)->step(built.model.inputs, time * k / 4, state, {});
  return {state.x().begin(), state.x().end()};
}

// Scenes that differ in stiffness, each asked for at four times.
struct Batch {
  std::vector<scene::Built> builts;
  std::vector<Sample> samples;

  explicit Batch(const std::string& text = bent_bar, int count = 5) {
    builts.reserve(count);
    for (int k = 0; k < count; ++k) {
      builts.push_back(built_of(text, {"bodies.bar.material.young=" + std::to_string(8e4 + 1e4 * k)}));
      for (double time : {0.25, 0.5, 0.75, 1.0}) samples.push_back({&builts[k], {}, time, {}});
    }
  }
};

TEST(Equilibria, AreWhereTheStepperArrives) {
  const Batch batch;
  const auto solutions = solve(batch.samples, {.tolerance = 1e-10}, {});
  ASSERT_EQ(solutions.size(), batch.samples.size());
  for (size_t i = 0; i < solutions.size(); ++i) {
    const Sample& sample = batch.samples[i];
    ASSERT_TRUE(solutions[i].solved) << i << ": " << solutions[i].reason;
    EXPECT_EQ(solutions[i].rung, "lanes");
    EXPECT_EQ(solutions[i].reason, "");
    EXPECT_EQ(solutions[i].state.time(), sample.time);
    EXPECT_LE(residual(*sample.built, inputs_at(*sample.built, sample.time), solutions[i].state.x()), 1e-10);
    EXPECT_LT(distance(solutions[i].state.x(), by_stepper(*sample.built, sample.time)), 1e-8) << i;
  }
}

TEST(Equilibria, BitsDoNotDependOnThreadsOrCompany) {
  const Batch batch;
  const auto together = solve(batch.samples, {}, {});
  set_thread_count(3);
  for (int threads : {2, 3, 64}) {
    const auto spread = solve(batch.samples, {.threads = threads}, {});
    for (size_t i = 0; i < together.size(); ++i) {
      EXPECT_EQ(spread[i].state.hash(), together[i].state.hash()) << i << " on " << threads;
      EXPECT_EQ(spread[i].rung, together[i].rung);
      EXPECT_EQ(spread[i].relative_residual, together[i].relative_residual);
    }
  }
  set_thread_count(0);
  for (size_t i = 0; i < together.size(); i += 7) {
    const auto alone = solve(std::span(&batch.samples[i], 1), {}, {});
    EXPECT_EQ(alone[0].state.hash(), together[i].state.hash()) << i;
  }
}

TEST(Equilibria, TakeInputsAndAStartOfTheirOwn) {
  const Batch batch(bent_bar, 1);
  const scene::Built& built = batch.builts[0];
  const auto first = solve(std::span(&batch.samples[2], 1), {}, {});
  ASSERT_TRUE(first[0].solved);
  // The hand elsewhere: a little beyond the last frame of the scene.
  std::vector<double> inputs = inputs_at(built, 1);
  const int hand = built.model.attachments[1].pose;
  inputs[hand + 9] += 0.05;
  const Sample sample{&built, inputs, 1, first[0].state.x()};
  const auto found = solve(std::span(&sample, 1), {}, {});
  ASSERT_TRUE(found[0].solved) << found[0].reason;
  EXPECT_LE(residual(built, inputs, found[0].state.x()), 1e-6);
  const int32_t held = built.model.attachments[1].nodes[0];
  EXPECT_LT(norm(found[0].state.x()[held] - model::pose_at(inputs, hand)(built.model.X[held])), 1e-12);
}

TEST(Equilibria, FaultySamplesAreNamedAndLeaveTheOthersAlone) {
  Batch batch(bent_bar, 1);
  const std::vector<double> few(3, 0.0), endless(batch.builts[0].model.inputs.size(), INFINITY);
  const std::vector<Vec3d> two(2);
  batch.samples[0].inputs = few;
  batch.samples[1].inputs = endless;
  batch.samples[2].start = two;
  const auto solutions = solve(batch.samples, {}, {});
  EXPECT_NE(solutions[0].reason.find("found 3 inputs, expected"), std::string::npos) << solutions[0].reason;
  EXPECT_NE(solutions[1].reason.find("not finite"), std::string::npos) << solutions[1].reason;
  EXPECT_NE(solutions[2].reason.find("found 2 positions"), std::string::npos) << solutions[2].reason;
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(solutions[i].solved);
  EXPECT_TRUE(solutions[3].solved);
}

// Pressed to nothing between its two ends: no equilibrium without inverted elements.
TEST(Equilibria, WhatCannotBeSolvedHasAReason) {
  const auto crushed = built_of(R"({
    "sinew": 1,
    "bodies": {"bar": {
      "mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}},
      "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}}},
    "attach": [{"what": "bar.xmin", "name": "wall"},
               {"what": "bar.xmax", "name": "hand", "motion": [{"time": 0}, {"time": 1, "translate": [-2, 0, 0]}]}],
    "time": {"fps": 1, "frames": 1}})");
  const auto fine = built_of(bent_bar);
  const Sample samples[] = {{&fine, {}, 1, {}}, {&crushed, {}, 1, {}}, {&fine, {}, 0.5, {}}};
  const auto solutions = solve(samples, {}, {});
  EXPECT_FALSE(solutions[1].solved);
  EXPECT_FALSE(solutions[1].reason.empty());
  EXPECT_EQ(solutions[1].state.x().size(), crushed.model.X.size());
  EXPECT_TRUE(solutions[0].solved);
  EXPECT_TRUE(solutions[2].solved);
}

TEST(Equilibria, FreePartsAreNamedWithoutALongSearch) {
  const auto falling = built_of(R"({
    "sinew": 1,
    "bodies": {"stone": {
      "mesh": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}},
      "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}}},
    "gravity": [0, -9.8, 0],
    "time": {"fps": 1, "frames": 1}})");
  const Sample samples[] = {{&falling, {}, 1, {}}};
  const auto solutions = solve(samples, {}, {});
  EXPECT_FALSE(solutions[0].solved);
  EXPECT_NE(solutions[0].reason.find("stone"), std::string::npos) << solutions[0].reason;
  EXPECT_NE(solutions[0].reason.find("has no equilibrium"), std::string::npos) << solutions[0].reason;
}

TEST(Equilibria, ContactsAreSolvedAndStored) {
  const auto built = built_of(R"({
    "sinew": 1,
    "bodies": {"bar": {
      "mesh": {"box": {"size": [2, 0.5, 0.5], "cells": [6, 2, 2]}},
      "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}},
    "attach": [{"what": "bar.xmin", "name": "wall"}],
    "colliders": {"floor": {"shape": {"plane": {"point": [0, -0.05, 0], "normal": [0, 1, 0]}}}},
    "gravity": [0, -9.81, 0],
    "time": {"fps": 1, "frames": 1}})");
  const Sample sample{&built, {}, 1, {}};
  const auto found = solve(std::span(&sample, 1), {}, {});
  ASSERT_TRUE(found[0].solved) << found[0].reason;
  EXPECT_GT(found[0].state.numbers("contact_load").size(), 0u);
  double lowest = 0;
  for (const Vec3d& x : found[0].state.x()) lowest = std::min(lowest, x[1]);
  EXPECT_GT(lowest, -0.055);
  EXPECT_LT(lowest, -0.045);
}

TEST(Equilibria, Cancel) {
  const Batch batch(bent_bar, 2);
  Cancel cancel;
  cancel.request();
  for (const Solution& solution :
       solve(batch.samples, {.threads = 2}, {.cancel = &cancel, .on_residual = {}})) {
    EXPECT_FALSE(solution.solved);
    EXPECT_EQ(solution.reason, "cancelled");
  }
}

}  // namespace
}  // namespace sinew::batch

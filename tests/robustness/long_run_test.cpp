// A body at rest stays at rest, and its run takes no more memory in the end than in the beginning.
#include <cmath>
#include <fstream>
#include <unistd.h>

#include "energy/term.h"
#include "measure/quantity.h"
#include "small_run.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#define SINEW_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))

namespace sinew {
namespace {

int64_t resident_bytes() {
  int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

// Hangs at rest under its weight: found in quasistatics, then left to itself.
void rest(const char* integrator, int64_t steps) {
  const auto text = [&](const std::string& solve) {
    return R"({"sinew": 1,
      "bodies": {"bar": {"mesh": {"box": {"size": [1, 1, 2], "cells": [2, 2, 4]}}, "density": 1000,
        "material": {"model": "neo_hookean", "young": 1e6, "poisson": 0.3}}},
      "attach": [{"what": "bar.zmax"}],
      "gravity": [0, 0, -9.81], "time": {"fps": 100, "frames": 1}, "solve": )" +
           solve + "}";
  };
  const SmallScene still(text(R"({"mode": "quasistatic", "tolerance": 1e-12})"));
  const SmallScene moving(
      text(R"({"mode": "dynamic", "tolerance": 1e-10, "integrator": ")" + std::string(integrator) + "\"}"));
  ASSERT_TRUE(still.built && moving.built) << still.diagnostics.text() << moving.diagnostics.text();
  const auto stepper_of = [](const SmallScene& small) {
    return std::move(*small.built->method->make(small.built->model, small.built->settings));
  };
  const auto start_of = [](const SmallScene& small, const step::Stepper& stepper) {
    model::StateLayout layout;
    stepper.declare(layout);
    return scene::initial_state(*small.built, layout);
  };
  const auto hang = stepper_of(still), go = stepper_of(moving);
  model::State hanging = start_of(still, *hang), state = start_of(moving, *go);
  ASSERT_EQ(hang->step(still.built->model.inputs, 0.01, hanging, {}).status, step::StepStatus::converged);
  std::copy(hanging.x().begin(), hanging.x().end(), state.x().begin());

  const energy::Terms terms = energy::make_terms(moving.built->model);
  const std::vector<double> mass = moving.built->model.lumped_mass(moving.built->model.params);
  const auto energy = [&] {
    const measure::Snapshot snapshot(moving.built->model, moving.built->model.params, state, &terms);
    double total = 0;
    for (const char* name : {"bar.elastic_energy", "bar.kinetic_energy"}) {
      const auto reading = measure::parse_reading(moving.built->model, name);
      EXPECT_TRUE(reading) << reading.error().text();
      if (reading) total += measure::read(snapshot, *reading);
    }
    // The weight against the height.
    for (size_t i = 0; i < mass.size(); ++i)
      total += 9.81 * mass[i] * (state.x()[i][2] - moving.built->model.X[i][2]);
    return total;
  };
  const double before = energy();
  int64_t early = 0;
  for (int64_t k = 1; k <= steps; ++k) {
    const step::StepReport report =
        go->step(moving.built->model.inputs, 0.01 * static_cast<double>(k), state, {});
    ASSERT_EQ(report.status, step::StepStatus::converged) << "step " << k;
    if (k == steps / 10) early = resident_bytes();
  }
#if !SINEW_SANITIZED  // freed memory is kept for a while there
  EXPECT_LE(resident_bytes() - early, int64_t{1} << 20);
#endif
  const double drift = std::abs(energy() - before) / std::abs(before) / static_cast<double>(steps);
  testing::Test::RecordProperty("drift_per_step", testing::PrintToString(drift));
  EXPECT_LT(drift, 1e-9);
}

TEST(RestingBody, StaysWithBackwardEuler) { rest("backward_euler", 500); }
TEST(RestingBody, StaysWithBdf2) { rest("bdf2", 500); }
TEST(LongRestingBody, StaysWithBackwardEuler) { rest("backward_euler", 100000); }
TEST(LongRestingBody, StaysWithBdf2) { rest("bdf2", 100000); }

}  // namespace
}  // namespace sinew

// Starts and loads that crush a body or overflow. A run that reaches its end is at rest where it must be; one that
// does not is marked, keeps the last good frame, and no State ever holds what is not a number.
#include <cmath>

#include "io/npz.h"
#include "small_run.h"

namespace sinew {
namespace {

struct Case {
  const char* name;
  std::string body;       // keys of the body beside mesh and material
  std::string scene;      // keys of the scene beside bodies
  bool recovers = false;  // must end at rest, in the shape of rest
  std::string material = R"("model": "neo_hookean", "young": 1e5, "poisson": 0.4)";
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

std::string text_of(const Case& c) {
  return R"({"sinew": 1, "bodies": {"bar": {"mesh": {"box": {"size": [2, 1, 1], "cells": [4, 2, 2]}}, "material": {)" +
         c.material + "}" + (c.body.empty() ? "" : ", " + c.body) + "}}" +
         (c.scene.empty() ? "" : ", " + c.scene) + "}";
}

class Divergence : public testing::TestWithParam<Case> {};

TEST_P(Divergence, StateStaysFinite) {
  const SmallScene small(text_of(GetParam()));
  ASSERT_TRUE(small.built) << small.diagnostics.text();
  const ScratchFolder folder;
  const auto whole = folder.path() / "whole";
  const run::RunOutcome outcome = run_small(small, whole);
  ASSERT_FALSE(outcome.error) << outcome.error->text();
  RecordProperty("outcome", run::name_of(outcome.status));
  EXPECT_TRUE(outcome.status == run::RunStatus::done || outcome.status == run::RunStatus::not_converged);
  EXPECT_TRUE(outcome.status == run::RunStatus::done ? outcome.not_converged == 0
                                                     : outcome.not_converged > 0);
  const model::State state = state_in(whole);
  EXPECT_TRUE(state.finite());
  for (int64_t frame = 0; frame <= outcome.frame; ++frame) {
    const auto arrays = io::read_npz((whole / run::frame_file(frame)).string());
    ASSERT_TRUE(arrays) << arrays.error().text();
    for (const auto& [name, array] : *arrays)
      for (const double value : array.view<double>())
        ASSERT_TRUE(std::isfinite(value)) << name << " of frame " << frame;
  }
  if (GetParam().recovers) {
    EXPECT_EQ(outcome.status, run::RunStatus::done);
    for (size_t i = 0; i < small.built->model.X.size(); ++i)
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(state.x()[i][k], small.built->model.X[i][k], 1e-4) << "node " << i;
  }
  // A run that ended early has the state of one that was to go no further.
  const auto part = folder.path() / "part";
  const run::RunOutcome again = run_small(small, part, outcome.frame);
  EXPECT_EQ(again.frame, outcome.frame);
  EXPECT_EQ(state_in(part).hash(), state.hash());
}

const std::string held = R"("attach": [{"what": "bar.xmin"}])";
const std::string both_ends =
    R"("attach": [{"what": "bar.xmin"}, {"what": "bar.xmax", "motion": [{"time": 0}, {"time": 1, )";
const std::string quasistatic = R"("solve": {"mode": "quasistatic"}, "time": {"fps": 1, "frames": 1})";
const std::string stretched = R"("solve": {"mode": "quasistatic"}, "time": {"fps": 4, "frames": 4})";
const std::string dynamic = R"("solve": {"mode": "dynamic"}, "time": {"fps": 30, "frames": 3})";
const std::string second_order =
    R"("solve": {"mode": "dynamic", "integrator": "bdf2"}, "time": {"fps": 30, "frames": 3})";

std::string positions(const std::string& what) { return R"("initial": {"positions": {)" + what + "}}"; }

// Two plates, the upper one of which comes down by `by` in a second.
std::string plates(double by) {
  return R"("colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}},
    "lid": {"shape": {"plane": {"point": [0, 1, 0], "normal": [0, -1, 0]}},
            "motion": [{"time": 0}, {"time": 1, "translate": [0, )" +
         std::to_string(-by) + R"(, 0]}]}}, "contact": {"friction": 0.5}, )";
}

std::string moving(const std::string& method, double fps, int frames) {
  return R"("solve": {"mode": "dynamic", "method": ")" + method + R"("}, "time": {"fps": )" +
         std::to_string(fps) + R"(, "frames": )" + std::to_string(frames) + "}";
}

INSTANTIATE_TEST_SUITE_P(
    InContact, Divergence,
    testing::Values(
        Case{"plates", "", held + ", " + plates(0.8) + stretched},
        Case{"plates_moving", "", plates(0.8) + moving("newton", 4, 4)},
        Case{"plates_pbng", "", plates(0.8) + moving("pbng", 4, 4)},
        Case{"plates_hybrid", "", plates(0.8) + moving("hybrid", 4, 4)},
        Case{"plates_past_each_other", "", plates(1.5) + moving("newton", 2, 2)},
        Case{"plates_past_each_other_pbng", "", plates(1.5) + moving("pbng", 2, 2)},
        Case{"huge_step", "", plates(0) + R"("gravity": [0, -9.81, 0], )" + moving("newton", 1e-3, 1)},
        Case{"huge_step_pbng", "", plates(0) + R"("gravity": [0, -9.81, 0], )" + moving("pbng", 0.1, 1)},
        Case{"thrown_at_a_floor", R"("initial": {"velocity": [0, -300, 0]})",
             plates(0) + moving("newton", 1000, 1)},
        Case{"thrown_at_a_floor_pbng", R"("initial": {"velocity": [0, -300, 0]})",
             plates(0) + moving("pbng", 1000, 1)}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Crushing, Divergence,
    testing::Values(
        Case{"collapsed", positions(R"("collapse": {"point": [0, 0, 0]})"), held + ", " + quasistatic, true},
        Case{"flat", positions(R"("flat": {"axis": "x", "at": 0})"), held + ", " + quasistatic, true},
        Case{"mirrored", positions(R"("mirror": {"axis": "x", "at": 1})"), held + ", " + quasistatic},
        Case{"scattered", positions(R"("scatter": {"factor": 10, "seed": 1})"), held + ", " + quasistatic,
             true},
        Case{"scattered_far", positions(R"("scatter": {"factor": 1e6, "seed": 1})"),
             held + ", " + quasistatic},
        Case{"collapsed_moving", positions(R"("collapse": {"point": [0, 0, 0]})"), held + ", " + dynamic},
        Case{"mirrored_moving", positions(R"("mirror": {"axis": "y", "at": 0})"), held + ", " + second_order},
        Case{"huge_step", "", held + R"(, "gravity": [0, -9.81, 0], "solve": {"mode": "dynamic"},
             "time": {"fps": 1e-6, "frames": 2})"},
        Case{"tiny_step", "", held + R"(, "gravity": [0, -9.81, 0], "solve": {"mode": "dynamic"},
             "time": {"fps": 1e9, "frames": 2})"},
        Case{"heavy", "", held + R"(, "gravity": [0, -1e6, 0], )" + quasistatic},
        Case{"heavy_moving", "", held + R"(, "gravity": [0, -1e6, 0], )" + dynamic},
        Case{"gravity_1e200", "", held + R"(, "gravity": [0, -1e200, 0], )" + quasistatic},
        Case{"gravity_1e300_moving", "", held + R"(, "gravity": [0, -1e300, 0], )" + dynamic},
        Case{"force_1e300", "",
             held + R"(, "loads": [{"type": "force", "what": "bar.xmax", "value": [1e300, 0, 0]}], )" +
                 quasistatic},
        Case{"pressure_1e300", "",
             held + R"(, "loads": [{"type": "pressure", "what": "bar.xmax", "value": 1e300}], )" + dynamic},
        Case{"pressure_outward", "",
             held + R"(, "loads": [{"type": "pressure", "what": "bar.surface", "value": -1e7}], )" +
                 stretched},
        Case{"thrown_1e150", R"("initial": {"velocity": [1e150, 0, 0]})", held + ", " + dynamic},
        Case{"spun_1e12", R"("initial": {"spin": {"axis": [1, 0, 0], "degrees_per_second": 1e12}})", dynamic},
        Case{"squeezed_through_itself", "", both_ends + R"("translate": [-4, 0, 0]}]}], )" + stretched},
        Case{"squeezed_flat", "", both_ends + R"("translate": [-2, 0, 0]}]}], )" + stretched},
        Case{"pulled_1e9", "", both_ends + R"("translate": [1e9, 0, 0]}]}], )" + stretched},
        Case{"turned_inside_out", "",
             both_ends + R"("rotate": {"axis": [0, 1, 0], "degrees": 180}, "translate": [-3, 0, 0]}]}], )" +
                 stretched},
        Case{"nearly_incompressible", "", both_ends + R"("translate": [-1, 0, 0]}]}], )" + stretched, false,
             R"("model": "neo_hookean", "young": 1e5, "poisson": 0.499999)"},
        Case{"springs_against_the_wall", "", held + R"(, "springs": [
               {"from": {"body": "bar", "point": [2, 0.5, 0.5]}, "to": {"point": [-50, 0.5, 0.5]}, "stiffness": 1e9,
                "rest_length": 0},
               {"from": {"body": "bar", "point": [2, 0.5, 0.5]}, "to": {"point": [50, 0.5, 0.5]}, "stiffness": 1e9,
                "rest_length": 0}], )" + quasistatic},
        Case{"soft_hold_far_away", "",
             R"("attach": [{"what": "bar.xmin"}, {"what": "bar.xmin", "name": "other", "hold": "soft",
                "stiffness": 1e12, "motion": [{"time": 0}, {"time": 1, "translate": [-5, 0, 0]}]}], )" +
                 stretched},
        Case{"young_1e300", "", held + R"(, "gravity": [0, -9.81, 0], )" + quasistatic, false,
             R"("model": "neo_hookean", "young": 1e300, "poisson": 0.3)"},
        Case{"young_1e-200", "", held + R"(, "gravity": [0, -9.81, 0], )" + dynamic, false,
             R"("model": "stable_neo_hookean", "young": 1e-200, "poisson": 0.3)"},
        Case{"stvk_crushed", "", both_ends + R"("translate": [-1.9, 0, 0]}]}], )" + stretched, false,
             R"("model": "stvk", "young": 1e5, "poisson": 0.3)"},
        Case{"exponential_law_pulled", "", both_ends + R"("translate": [40, 0, 0]}]}], )" + stretched, false,
             R"("model": "fung", "young": 1e5, "poisson": 0.3, "stiffening": 100)"}),
    [](const auto& info) {
      std::string name = info.param.name;
      for (char& c : name)
        if (c == '-') c = 'm';
      return name;
    });

}  // namespace
}  // namespace sinew

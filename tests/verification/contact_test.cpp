// What contact must keep: momentum, rest, and the side of a surface that a body is on.
#include <cmath>

#include "scene_motion.h"

namespace sinew {
namespace {

using step::StepStatus;

// Two blocks that meet off centre, of different density.
std::string colliding(const std::string& solve) {
  return R"({"sinew": 1, "bodies": {
    "a": {"mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [4, 4, 4]}}, "density": 1000,
          "material": {"model": "corotated", "young": 1e5, "poisson": 0.3}, "initial": {"velocity": [1, 0.2, 0]}},
    "b": {"mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [3, 3, 3]}}, "density": 1500,
          "material": {"model": "corotated", "young": 1e5, "poisson": 0.3}, "initial": {"velocity": [-1, 0, 0]},
          "place": {"translate": [0.23, 0.03, 0.02]}}},
    "contact": {"friction": 0.3}, "time": {"fps": 200, "frames": 24}, "output": {"export": []}, "solve": )" +
         solve + "}";
}

struct Defect {
  double momentum = 0;   // largest change, over the momentum at the start
  int64_t contacts = 0;  // most in a step
};

Defect defect(SceneMotion& motion, bool converge) {
  const Vec3d start = motion.whole(0).momentum + motion.whole(1).momentum;
  Defect defect;
  while (motion.more()) {
    const step::StepReport report = motion.advance();
    EXPECT_TRUE(!converge || report.status == StepStatus::converged) << "step " << motion.state.step();
    if (!report.taken()) break;
    const Vec3d now = motion.whole(0).momentum + motion.whole(1).momentum;
    defect.momentum = std::max(defect.momentum, norm(now - start) / norm(start));
    defect.contacts = std::max(defect.contacts, report.contacts);
  }
  return defect;
}

TEST(CollidingBodies, KeepTheirMomentum) {
  for (const char* method : {"newton", "hybrid"}) {
    SceneMotion motion(
        colliding(std::string(R"({"mode": "dynamic", "tolerance": 1e-12, "method": ")") + method + "\"}"));
    const double before = motion.whole(0).momentum[0];
    const Defect found = defect(motion, true);
    EXPECT_LT(found.momentum, 1e-10) << method;
    EXPECT_GT(found.contacts, 4) << method;
    EXPECT_LT(motion.whole(0).momentum[0], 0.2 * before) << method << ": they bounce";
  }
}

// Potential and kinetic energy of a ball that falls, bounces and comes to rest [J]: backward Euler takes some in every step and gives
// none back. The energy of a step holds inertia as that of the change of velocity.
TEST(DroppedBall, ItsEnergyNeverRises) {
  for (const char* fps : {"24", "240"}) {
    SceneMotion motion(R"({"sinew": 1, "bodies": {
      "ball": {"mesh": {"ball": {"radius": 0.2, "cells": 6}}, "density": 1000, "place": {"translate": [0, 0, 0.5]},
               "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.4}}},
      "colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}}, "contact": {},
      "gravity": [0, 0, -9.81], "solve": {"mode": "dynamic", "tolerance": 1e-10},
      "time": {"fps": )" +
                       std::string(fps) + R"(, "frames": )" + (std::string(fps) == "24" ? "24" : "200") +
                       R"(, "substeps": 1}})");
    const model::Model& model = motion.model();
    const std::vector<double> mass = model.lumped_mass(model.params);
    double drop = 0,
           before = std::numeric_limits<double>::infinity();  // [J]; heights may count from anywhere
    for (const double m : mass) drop += m * 9.81 * 0.3;
    int64_t contacts = 0;
    while (motion.more()) {
      const std::vector<Vec3d> v(motion.state.v().begin(), motion.state.v().end());
      const step::StepReport report = motion.advance();
      ASSERT_EQ(report.status, StepStatus::converged);
      double now = report.energy;
      for (size_t i = 0; i < mass.size(); ++i)
        now += mass[i] / 2 * (norm2(motion.state.v()[i]) - norm2(motion.state.v()[i] - v[i]));
      EXPECT_LE(now, before + 1e-8 * drop) << "step " << motion.state.step() << " at fps " << fps;
      before = now;
      contacts = std::max(contacts, report.contacts);
    }
    EXPECT_GT(contacts, 3);
  }
}

// Eight sweeps do not converge; the defect is what they leave of the forces.
TEST(CollidingBodies, SweepsLeaveADefectOfMomentum) {
  double before = 1e9;
  for (int sweeps : {8, 64}) {
    SceneMotion motion(
        colliding(R"({"mode": "dynamic", "method": "pbng", "tolerance": 1e-12, "pbng": {"iterations": )" +
                  std::to_string(sweeps) + "}}"));
    const Defect found = defect(motion, false);
    RecordProperty("defect_of_" + std::to_string(sweeps) + "_sweeps", std::to_string(found.momentum));
    std::printf("pbng, %d sweeps: momentum changes by %.3g of it\n", sweeps, found.momentum);
    EXPECT_GT(found.contacts, 4);
    EXPECT_LT(found.momentum, before) << sweeps << " sweeps";
    before = found.momentum;
  }
  EXPECT_LT(before, 1e-6);
}

// Blocks of edge 0.1 m on a floor, each 0.1 mm above the one below.
std::string stack(int blocks, int cells, int frames) {
  std::string bodies;
  for (int i = 0; i < blocks; ++i)
    bodies += (i > 0 ? ", \"b" : "\"b") + std::to_string(i) +
              R"(": {"mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [)" + std::to_string(cells) + ", " +
              std::to_string(cells) + ", " + std::to_string(cells) + R"(]}}, "density": 1000,
              "material": {"model": "corotated", "young": 1e8, "poisson": 0.3},
              "place": {"translate": [0, 0, )" +
              std::to_string(0.1001 * i) + "]}}";
  return R"({"sinew": 1, "bodies": {)" + bodies + R"(},
    "colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}},
    "contact": {"friction": 0.5}, "gravity": [0, 0, -9.81],
    "solve": {"mode": "dynamic", "tolerance": 1e-6}, "output": {"export": []},
    "time": {"fps": 50, "frames": )" +
         std::to_string(frames) + "}}";
}

// After `settle` steps every centre stays within 1e-3 of an edge.
void expect_rest(int blocks, int cells, int settle, int steps) {
  SceneMotion motion(stack(blocks, cells, steps));
  std::vector<Vec3d> centres;
  double farthest = 0;
  while (motion.more()) {
    const step::StepReport report = motion.advance();
    ASSERT_TRUE(report.taken());
    if (motion.state.step() < settle) continue;
    for (int b = 0; b < blocks; ++b) {
      if (motion.state.step() == settle) centres.push_back(motion.whole(b).centre);
      farthest = std::max(farthest, norm(motion.whole(b).centre - centres[b]));
    }
  }
  testing::Test::RecordProperty("farthest", std::to_string(farthest));
  std::printf("%d blocks: centres move by %.3g m\n", blocks, farthest);
  EXPECT_LT(farthest, 1e-3 * 0.1);
  EXPECT_GT(motion.whole(blocks - 1).centre[2], 0.1 * (blocks - 0.55)) << "it stands";
}

TEST(Stack, OfTwentyComesToRest) { expect_rest(20, 1, 100, 500); }
TEST(Stack, LongOfTwentyComesToRest) { expect_rest(20, 3, 100, 500); }

// Responses that move nodes: nothing ends below the plane, what happens along it does not change, and what leaves is let
// go (Chen et al. 2023 say this of their projection).
class Moved : public testing::TestWithParam<const char*> {
 protected:
  static std::string text(const std::string& velocity, const std::string& colliders) {
    return R"({"sinew": 1, "bodies": {"block": {
      "mesh": {"box": {"size": [0.2, 0.2, 0.1], "cells": [3, 3, 2]}}, "density": 1000,
      "material": {"model": "corotated", "young": 1e5, "poisson": 0.3}, "initial": {"velocity": )" +
           velocity + R"(}, "place": {"translate": [0, 0, 0.001]}}}, )" + colliders +
           R"("gravity": [0, 0, -9.81], "solve": {"mode": "dynamic", "method": "pbng", "pbng": {"iterations": 60}},
           "time": {"fps": 200, "frames": 20}, "output": {"export": []}})";
  }
  std::string plane() const {
    return std::string(
               R"("colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
               "response": ")") +
           GetParam() + "\"}}, ";
  }
};

// Marked are the nodes that would fall below it; `clamp` keeps all.
TEST_P(Moved, NoMarkedNodeEndsBelowThePlane) {
  SceneMotion motion(text("[0.5, 0, -1]", plane()));
  const double start = motion.whole(0).centre[0], dt = 1.0 / 200;
  int64_t marked = 0;
  while (motion.more()) {
    std::vector<double> free;
    for (size_t i = 0; i < motion.model().X.size(); ++i)
      free.push_back(motion.state.x()[i][2] + motion.state.v()[i][2] * dt - 9.81 * dt * dt);
    ASSERT_TRUE(motion.advance().taken());
    for (size_t i = 0; i < free.size(); ++i)
      if (free[i] < 0 || GetParam() == std::string("clamp")) {
        marked += free[i] < 0;
        EXPECT_GE(motion.state.x()[i][2], -1e-12) << "node " << i << ", step " << motion.state.step();
      }
  }
  EXPECT_GT(marked, 16);
  EXPECT_NEAR(motion.whole(0).centre[0] - start, 0.5 * motion.state.time(), 1e-3 * 0.05);
}

TEST_P(Moved, WhatLeavesIsLetGo) {
  SceneMotion with(text("[0.5, 0, 2]", plane())), without(text("[0.5, 0, 2]", ""));
  while (with.more()) {
    ASSERT_TRUE(with.advance().taken());
    ASSERT_TRUE(without.advance().taken());
  }
  for (size_t i = 0; i < with.state.x().size(); ++i)
    EXPECT_LT(norm(with.state.x()[i] - without.state.x()[i]), 1e-9) << "node " << i;
}

INSTANTIATE_TEST_SUITE_P(By, Moved, testing::Values("project", "clamp"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace sinew

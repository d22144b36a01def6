#include "scene/check.h"

#include <gtest/gtest.h>

#include "model/rigid_modes.h"
#include "sample_scene.h"
#include "scene/check_parts.h"

namespace sinew::scene {
namespace {

const std::string block =
    R"({"sinew": 1, "bodies": {"b": {"mesh": {"box": {"cells": [2, 2, 2], "split": "six"}},
  "material": {"model": "linear", "young": 10, "poisson": 0.25}}})";

std::vector<model::FreePart> free_modes(const model::Model& model, int64_t& unchecked) {
  return model::free_rigid_modes(model, model::find_parts(model), unchecked);
}

std::string modes(const std::string& more) {
  const Outcome outcome = try_scene(block + more + "}");
  EXPECT_TRUE(outcome.built) << outcome.diagnostics.text();
  if (!outcome.built) return "not built";
  int64_t unchecked = 0;
  const std::vector<model::FreePart> parts = free_modes(outcome.built->model, unchecked);
  EXPECT_EQ(unchecked, 0);
  return parts.empty() ? "" : parts[0].modes;
}

TEST(RigidModes, AreNamedInWords) {
  EXPECT_EQ(modes(""), "translation along x, y, z; rotation about x, y, z");
  EXPECT_EQ(modes(R"(, "attach": [{"what": "b.xmin"}])"), "");
  EXPECT_EQ(modes(R"(, "attach": [{"what": "b.xmin", "hold": "plane", "normal": [1, 0, 0]}])"),
            "translation along y, z; rotation about x");
  EXPECT_EQ(modes(R"(, "attach": [{"what": "b.xmin", "hold": "plane", "normal": [1, 0, 0]},
                                  {"what": "b.ymin", "hold": "plane", "normal": [0, 1, 0]}])"),
            "translation along z");
  EXPECT_EQ(modes(R"(, "attach": [{"what": "b.xmin", "hold": "plane", "normal": [1, 0, 0]},
                                  {"what": "b.ymin", "hold": "plane", "normal": [0, 1, 0]},
                                  {"what": "b.zmin", "hold": "plane", "normal": [0, 0, 1]}])"),
            "");
  EXPECT_EQ(modes(R"(, "attach": [{"what": "b.zmin", "hold": "line", "direction": [0, 0, 1]}])"),
            "translation along z; rotation about x, y");
  EXPECT_EQ(modes(R"(, "attach": [{"what": "b.xmin", "hold": "soft", "stiffness": 1}])"), "");
}

TEST(RigidModes, APointLeavesThreeTurnsAnEdgeOne) {
  const std::string with = R"({"sinew": 1, "bodies": {"b": {"mesh": {"box": {"cells": [2, 2, 2]}},
      "material": {"model": "linear", "young": 10, "poisson": 0.25}, "select": {"s": {"box": [[0, 0, 0], [0, 0, %]]}}}},
      "attach": [{"what": "b.s"}]})";
  const auto of = [&](const std::string& size) {
    const Outcome outcome = try_scene(changed("%", size, with));
    int64_t unchecked = 0;
    const auto parts = free_modes(outcome.built->model, unchecked);
    return parts.empty() ? "" : parts[0].modes;
  };
  EXPECT_EQ(of("0"), "rotation about x, y, z");
  EXPECT_EQ(of("1"), "rotation about z");
}

TEST(RigidModes, SpringsJoinBodies) {
  const std::string two = R"({"sinew": 1, "bodies": {
      "a": {"mesh": {"box": {"cells": [1, 1, 1]}}, "material": {"model": "linear", "young": 1, "poisson": 0}},
      "c": {"mesh": {"box": {"cells": [1, 1, 1], "origin": [2, 0, 0]}}, "material": {"model": "linear", "young": 1, "poisson": 0}}},
      "attach": [{"what": "a.xmin"}], "springs": [%]})";
  const auto of = [&](const std::string& springs) {
    const Outcome outcome = try_scene(changed("%", springs, two));
    EXPECT_TRUE(outcome.built) << outcome.diagnostics.text();
    int64_t unchecked = 0;
    return free_modes(outcome.built->model, unchecked);
  };
  const auto spring = [](const std::string& a, const std::string& c, const char* more = "") {
    return R"({"from": {"body": "a", "point": )" + a + R"(}, "to": {"body": "c", "point": )" + c +
           R"(}, "stiffness": 1)" + more + "}";
  };
  ASSERT_EQ(of("").size(), 1u);
  EXPECT_EQ(of("")[0].part, 1);
  // Three springs without length at three corners hold all six modes, one along x holds one.
  const char* zero = ", \"rest_length\": 0";
  EXPECT_TRUE(of(spring("[1,0,0]", "[2,0,0]", zero) + "," + spring("[1,1,0]", "[2,1,0]", zero) + "," +
                 spring("[1,0,1]", "[2,0,1]", zero))
                  .empty());
  const auto one = of(spring("[1,0.5,0.5]", "[2,0.5,0.5]"));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].modes, "translation along y, z; rotation about x, y, z");
}

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings)
    text += std::string(name_of(finding.severity)) + ": " + finding.text + "\n";
  return text;
}

TEST(Check, ABodyThatFallsHasNoEquilibrium) {
  const std::string falls = R"(, "gravity": [0, -10, 0])";
  const Outcome free = try_scene(block + falls + "}");
  const std::string text = text_of(check(*free.built));
  EXPECT_NE(
      text.find(
          "error: the body \"b\" is free to move and has no equilibrium: nothing balances its net force (0, "
          "-1e+04, 0) N; a quasistatic scene needs attachments that hold it\n"),
      std::string::npos)
      << text;
  const auto error = lacks_equilibrium(*free.built);
  ASSERT_TRUE(error);
  EXPECT_NE(error->text().find("has no equilibrium"), std::string::npos);
  const Outcome dynamic = try_scene(block + falls + R"(, "solve": {"mode": "dynamic"}})");
  EXPECT_EQ(text_of(check(*dynamic.built)).find("free to move"), std::string::npos);
  EXPECT_FALSE(lacks_equilibrium(*dynamic.built));
}

// Free motions without a force along them have an equilibrium: a run finds one.
TEST(Check, WhatIsFreeWithoutALoadIsANote) {
  const std::string text = text_of(check(*try_scene(block + "}").built));
  EXPECT_NE(
      text.find("note: the body \"b\" is free to move: translation along x, y, z; rotation about x, y, z"),
      std::string::npos)
      << text;
  // A door on its hinge, and a block that slides across its weight.
  const char* hinge = R"(, "gravity": [0, -10, 0], "attach": [{"what": "b.edge"}]})";
  const Outcome door = try_scene(
      changed("\"material\"", R"("select": {"edge": {"box": [[0, 0, 0], [0, 0, 1]]}}, "material")", block) +
      hinge);
  ASSERT_TRUE(door.built) << door.diagnostics.text();
  EXPECT_NE(text_of(check(*door.built)).find("note: the body \"b\" is free to move: rotation about z"),
            std::string::npos);
  EXPECT_FALSE(lacks_equilibrium(*door.built));
  const Outcome slide = try_scene(
      block +
      R"(, "gravity": [0, -10, 0], "attach": [{"what": "b.ymin", "hold": "plane", "normal": [0, 1, 0]}]})");
  EXPECT_NE(text_of(check(*slide.built)).find("note: the body \"b\" is free to move: translation along x, z"),
            std::string::npos);
  EXPECT_FALSE(lacks_equilibrium(*slide.built));
}

// A sheet held along an edge turns about it, and pressure turns with it: p a b at b / 2 from the edge. A clamped one does not.
TEST(Check, PressureThatTurnsWithASheetIsAWarning) {
  const std::string flap =
      R"({"sinew": 1, "bodies": {"b": {"type": "shell", "mesh": {"grid": {"size": [2, 0.5], "cells": [4, 2]}},
      "thickness": 0.01, "material": {"model": "stvk", "young": 1e6, "poisson": 0.3}}}, "attach": [{"what": "b.ymin"%}],
    "loads": [{"type": "pressure", "what": "b.all", "value": -40}]})";
  const auto said = [&](const std::string& more) {
    const Outcome outcome = try_scene(changed("%", more, flap));
    return outcome.built ? text_of(check(*outcome.built)) : outcome.diagnostics.text();
  };
  EXPECT_NE(
      said("").find(
          "warning: the body \"b\" is free to move: rotation about x; pressure on a surface that is not "
          "closed turns with it, with a moment of 10 N m"),
      std::string::npos)
      << said("");
  EXPECT_EQ(said(R"(, "clamped": true)").find("free to move"), std::string::npos);
  EXPECT_NE(
      said("").find(
          "note: the load \"all\" presses on all of the body \"b\", which is open: 1 border, the longest of "
          "12 edges through ("),
      std::string::npos)
      << said("");
}

// A box and a smaller one beside it, in one mesh of which the larger is held.
const std::string splintered = R"({"sinew": 1, "gravity": [0, -10, 0], "bodies": {"b": {%
    "mesh": {"lattice": {"cell": 0.1, "solid": {"union": [{"box": {"size": [1, 0.4, 0.4]}},
      {"box": {"size": [0.2, 0.2, 0.2], "centre": [0.85, 0, 0]}}]}}}, "density": 1000,
    "select": {"wall": {"box": [[-0.51, -1, -1], [-0.49, 1, 1]]}},
    "material": {"model": "linear", "young": 1e5, "poisson": 0.25}}}, "attach": [{"what": "b.wall"}]})";

TEST(Check, NamesThePartThatFallsAndWhereItIs) {
  const Outcome outcome = try_scene(changed("%", "", splintered));
  ASSERT_TRUE(outcome.built) << outcome.diagnostics.text();
  const auto error = lacks_equilibrium(*outcome.built);
  ASSERT_TRUE(error);
  for (const char* word : {"part 2 of 2 of the body \"b\" (", " tets around (0.85, 0, 0), 0.3 m across)",
                           "\"parts\": \"largest\""})
    EXPECT_NE(error->text().find(word), std::string::npos) << word << "\n" << error->text();
}

TEST(Check, TheLargestPartAloneHasAnEquilibrium) {
  const Outcome outcome = try_scene(changed("%", "\"parts\": \"largest\", ", splintered));
  ASSERT_TRUE(outcome.built) << outcome.diagnostics.text();
  EXPECT_FALSE(lacks_equilibrium(*outcome.built));
  double volume = 0;
  for (int32_t e = 0; e < outcome.built->model.bodies[0].elements.end; ++e)
    volume += outcome.built->model.rest_volume(e);
  EXPECT_NEAR(volume, 0.16, 1e-3);
  for (const math::Vec3d& X : outcome.built->model.X) EXPECT_LT(X[0], 0.51);
  ASSERT_EQ(outcome.built->notes.size(), 1u);
  EXPECT_NE(outcome.built->notes[0].find("b: the largest of 2 parts is kept"), std::string::npos);
}

TEST(Check, WarnsOfLockingAndPoorTets) {
  const Outcome outcome = try_scene(
      changed("0.25", "0.49",
              changed("\"cells\": [2, 2, 2]", "\"size\": [1, 1, 0.01], \"cells\": [1, 1, 1]", block)) +
      "}");
  ASSERT_TRUE(outcome.built) << outcome.diagnostics.text();
  const std::string text = text_of(check(*outcome.built));
  EXPECT_NE(text.find("Poisson's ratio 0.49 on linear tets locks"), std::string::npos) << text;
  EXPECT_NE(text.find("; of 6 tets, which slow the solution down: 6 below 0.1; the worst: tet "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("8 nodes, 6 tets"), std::string::npos) << text;
}

TEST(Check, AHeldBlockHasNoErrors) {
  const Outcome outcome = try_scene(valid_scene);
  for (const Finding& finding : check(*outcome.built))
    EXPECT_NE(finding.severity, Severity::error) << finding.text;
}

}  // namespace
}  // namespace sinew::scene

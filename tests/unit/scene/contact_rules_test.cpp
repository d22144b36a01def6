// The rules of contact between pairs, what overlaps at the start, and what check tells of contact.
#include <cmath>
#include <gtest/gtest.h>

#include "contact_scene.h"
#include "scene/check.h"
#include "unit/scratch_folder.h"

namespace sinew::scene {
namespace {

const std::string floor_below =
    R"("colliders": {"floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}}})";
// Surface edges of a block of 2 x 2 x 2 cells: in each of its 24 cell faces four sides and a diagonal, sides counted by
// both triangles of the closed surface: 2/3 sides and 1/3 diagonals.
const double mean_edge = (2 * 0.5 + std::sqrt(0.5)) / 3;

model::Model model_of(const std::string& text) {
  Outcome outcome = try_scene(text);
  EXPECT_TRUE(outcome.built) << outcome.diagnostics.text();
  return outcome.built ? std::move(outcome.built->model) : model::Model();
}

std::string findings_of(const std::string& text) {
  const Outcome outcome = try_scene(text);
  EXPECT_TRUE(outcome.built) << outcome.diagnostics.text();
  std::string all;
  if (outcome.built)
    for (const Finding& f : check(*outcome.built))
      all += std::string(name_of(f.severity)) + ": " + f.text + "\n";
  return all;
}

TEST(ContactRules, AreThereOnlyWhereAsked) {
  EXPECT_FALSE(model_of(two_blocks("")).has_contacts());
  const model::Model floor = model_of(two_blocks(floor_below));
  ASSERT_TRUE(floor.has_contacts());
  EXPECT_FALSE(floor.contact_rule(0, 1).on);
  EXPECT_FALSE(floor.contact_rule(0, 0).on);
  EXPECT_TRUE(floor.contact_rule(0, 2).on);
  EXPECT_TRUE(floor.contact_rule(1, 2).on);
  EXPECT_EQ(floor.contact_rule(1, 2).thickness, 0);
  EXPECT_EQ(floor.contact_rule(1, 2).friction, 0);
  EXPECT_EQ(floor.contact_rule(1, 2).stiffness, 0);
}

TEST(ContactRules, DefaultsFollowTheMesh) {
  const model::Model model = model_of(two_blocks(R"("contact": {}, )" + floor_below));
  EXPECT_TRUE(model.contact.continuous);
  EXPECT_EQ(model.contact.rounds, 20);
  ASSERT_EQ(model.contact.rules.size(), 6u);
  for (const model::ContactRule& rule : model.contact.rules) EXPECT_TRUE(rule.on);
  EXPECT_NEAR(model.contact_rule(0, 1).thickness, 0.1 * mean_edge, 1e-12);
  EXPECT_NEAR(model.contact_rule(1, 1).thickness, 0.1 * mean_edge, 1e-12);
  EXPECT_EQ(model.contact_rule(0, 2).thickness, 0);
  // The finer one of two meshes counts.
  const std::string finer = R"(, "place": {"scale": 0.5, "translate": [2, 0, 0]})";
  EXPECT_NEAR(model_of(two_blocks(R"("contact": {})", 0.125, "", finer)).contact_rule(0, 1).thickness,
              0.05 * mean_edge, 1e-12);
}

TEST(ContactRules, LaterPairsWin) {
  const model::Model model = model_of(two_blocks(
      R"("contact": {"friction": 0.25, "thickness": 0.01, "stiffness": 1000, "self": false, "continuous": false, "rounds": 3,
      "pairs": [{"between": ["*", "floor"], "friction": 0.5}, {"between": ["soft", "floor"], "thickness": 0.02, "stiffness": 7},
                {"between": ["b", "floor"], "friction": 0.75}, {"between": ["soft", "soft"], "contact": true},
                {"between": ["b", "b"], "contact": false}, {"between": ["b", "a"], "contact": false}]}, )" +
          floor_below,
      0.125, R"(, "groups": ["soft"])", R"(, "groups": ["soft", "other"])"));
  EXPECT_FALSE(model.contact.continuous);
  EXPECT_EQ(model.contact.rounds, 3);
  EXPECT_EQ(model.contact_rule(0, 2).friction, 0.5);
  EXPECT_EQ(model.contact_rule(1, 2).friction, 0.75);
  EXPECT_EQ(model.contact_rule(0, 2).thickness, 0.02);
  EXPECT_EQ(model.contact_rule(1, 2).stiffness, 7);
  EXPECT_EQ(model.contact_rule(0, 1).friction, 0.25);
  EXPECT_EQ(model.contact_rule(0, 1).thickness, 0.01);
  EXPECT_EQ(model.contact_rule(0, 1).stiffness, 1000);
  EXPECT_TRUE(model.contact_rule(0, 0).on);
  EXPECT_FALSE(model.contact_rule(1, 1).on);
  EXPECT_FALSE(model.contact_rule(0, 1).on);
  EXPECT_FALSE(model.contact_rule(1, 0).on);
}

TEST(ContactRules, BrokenOnesAreRefused) {
  struct Case {
    std::string keys;
    const char* part;
  };
  const auto pair = [](const std::string& text) { return "\"pairs\": [{\"between\": " + text + "}]"; };
  for (const auto& [keys, part] :
       {Case{R"("friction": -0.1)", "/contact/friction: found -0.1, expected a number of at least 0"},
        {R"("thickness": -1)", "/contact/thickness: found -1"},
        {R"("thickness": 0.6)",
         "found 0.6 m, expected at most 0.5 m: the smallest surface edge of the body \"a\""},
        {R"("stiffness": 0)", "/contact/stiffness: found 0"},
        {R"("rounds": 0)", "/contact/rounds"},
        {R"("overlap": "allow")", "/contact/overlap: unknown word"},
        {pair(R"(["a", "flor"])"),
         "/contact/pairs/0/between/1: unknown body, collider or group \"flor\"; did you mean \"floor\"?"},
        {pair(R"(["a"])"), "expected a list of 2"},
        {pair(R"(["floor", "floor"])"), "found colliders alone"},
        {pair(R"(["a", "floor"], "friction": -2)"), "/contact/pairs/0/friction: found -2"},
        {pair(R"(["*", "*"], "thickness": 0.7)"),
         "/contact/pairs/0/thickness: found 0.7 m, expected at most 0.5 m"}}) {
    const Outcome outcome = try_scene(two_blocks("\"contact\": {" + keys + "}, " + floor_below));
    EXPECT_FALSE(outcome.built) << keys;
    EXPECT_NE(outcome.diagnostics.text().find(part), std::string::npos) << outcome.diagnostics.text();
    EXPECT_TRUE(outcome.diagnostics.text().starts_with("scene.json:")) << outcome.diagnostics.text();
  }
  // A slab whose extent, not whose edges, is small.
  const std::string slab =
      R"({"sinew": 1, "bodies": {"s": {"mesh": {"sheet": {"size": [1, 1], "thickness": 0.1, "cells": [5, 5]}},
      "material": {"model": "linear", "young": 1, "poisson": 0}}}, "contact": {"thickness": 0.06}})";
  EXPECT_NE(try_scene(slab).diagnostics.text().find(
                "expected at most 0.05 m: half of the smallest extent of the body \"s\""),
            std::string::npos);
}

// One short edge of a scan does not make the contacts of the sheet thin: half of its thickness for each of two places.
TEST(ContactRules, OfASheetWithAShortEdge) {
  const ScratchFolder folder;
  put(folder / "sheet.obj",
      "v 0 0 0\nv 0.5 0 0\nv 0.5001 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 6\nf 2 3 6\nf 3 5 6\nf 3 4 5\n");
  const auto sheet = [&](const std::string& contact) {
    return try_scene(
        R"({"sinew": 1, "bodies": {"s": {"type": "shell", "mesh": {"file": "sheet.obj"}, "thickness": 0.1,
      "material": {"model": "stvk", "young": 1, "poisson": 0}}}, "contact": {)" +
            contact + "}}",
        {}, folder.path().string());
  };
  const Outcome outcome = sheet("");
  ASSERT_TRUE(outcome.built) << outcome.diagnostics.text();
  EXPECT_EQ(outcome.built->model.contact_rule(0, 0).thickness, 0.1);
  EXPECT_TRUE(sheet(R"("thickness": 0.5)").built);
  EXPECT_NE(sheet(R"("thickness": 2)").diagnostics.text().find("the mean surface edge of the body \"s\""),
            std::string::npos);
}

TEST(ContactRules, ABarrierWhereTheMethodCanKeepIt) {
  const auto barrier = [](const std::string& contact, const std::string& solve = "", double gap = 0.125) {
    std::string text = two_blocks(R"("contact": {)" + contact + "}", gap);
    const std::string mode = R"("mode": "dynamic")";
    if (!solve.empty()) text.replace(text.find(mode), mode.size(), solve);
    return model_of(text).contact.barrier;
  };
  EXPECT_TRUE(barrier(""));
  EXPECT_TRUE(barrier("", R"("mode": "dynamic", "method": "hybrid")"));
  EXPECT_FALSE(barrier("", R"("mode": "dynamic", "method": "pbng")"));
  EXPECT_TRUE(barrier("", R"("mode": "quasistatic")"));
  EXPECT_FALSE(barrier(R"("response": "penalty")"));
  EXPECT_FALSE(barrier(R"("stiffness": 1e4)"));
  EXPECT_FALSE(barrier(R"("continuous": false)"));
  EXPECT_TRUE(barrier("", "", 0));  // they touch, and are parted
  EXPECT_FALSE(barrier(R"("overlap": "separate")", "", -0.25));
}

// Bodies that start on each other are moved apart by what a barrier needs, a ten thousandth of their edges.
TEST(ContactRules, WhatTouchesAtTheStartIsParted) {
  const Outcome outcome = try_scene(two_blocks(R"("contact": {})", 0));
  ASSERT_TRUE(outcome.built) << outcome.diagnostics.text();
  const model::Model& model = outcome.built->model;
  ASSERT_EQ(outcome.built->x0.size(), model.X.size());
  int32_t moved = 0;
  double least = 1, most = 0;
  for (size_t i = 0; i < model.X.size(); ++i) {
    const bool touches = std::abs(model.X[i][0] - 1) < 1e-12;
    const double off = norm(outcome.built->x0[i] - model.X[i]);
    moved += off > 0;
    EXPECT_EQ(off > 0, touches) << i;
    if (touches) least = std::min(least, off);
    most = std::max(most, off);
  }
  EXPECT_EQ(moved, 18);
  EXPECT_GT(least, 1e-5);
  EXPECT_LT(most, 1e-3 * mean_edge);
}

TEST(Overlaps, StopTheSceneUnlessItSaysOtherwise) {
  const std::string stop = try_scene(two_blocks(R"("contact": {})", -0.25)).diagnostics.text();
  for (const char* part : {"/contact/overlap: 1 pair of bodies overlap at the start",
                           "\"a\" and \"b\", 0.25 m at (", "\"ignore\"", "\"separate\""})
    EXPECT_NE(stop.find(part), std::string::npos) << part << " in " << stop;
  const Outcome ignore = try_scene(two_blocks(R"("contact": {"overlap": "ignore"})", -0.25));
  ASSERT_TRUE(ignore.built) << ignore.diagnostics.text();
  const auto& ignored = ignore.built->model.contact.ignored;
  EXPECT_FALSE(ignored.empty());
  EXPECT_TRUE(std::is_sorted(ignored.begin(), ignored.end()));
  ASSERT_EQ(ignore.built->notes.size(), 1u);
  EXPECT_NE(ignore.built->notes[0].find("left out of the contact"), std::string::npos);
  const Outcome separate = try_scene(two_blocks(R"("contact": {"overlap": "separate"})", -0.25));
  ASSERT_TRUE(separate.built) << separate.diagnostics.text();
  EXPECT_TRUE(separate.built->model.contact.ignored.empty());
  ASSERT_EQ(separate.built->notes.size(), 1u);
  EXPECT_NE(separate.built->notes[0].find("pushes them apart"), std::string::npos);
}

TEST(Overlaps, AreLookedForAtTheStartAndWhereContactIsOn) {
  const std::string off = R"("contact": {"pairs": [{"between": ["a", "b"], "contact": false}]})";
  EXPECT_TRUE(try_scene(two_blocks(off, -0.25)).built);
  EXPECT_TRUE(try_scene(two_blocks(floor_below, -0.25)).built);
  const std::string away =
      R"(, "initial": {"positions": {"affine": {"matrix": [[1,0,0],[0,1,0],[0,0,1]], "translate": [3, 0, 0]}}})";
  EXPECT_TRUE(try_scene(two_blocks(R"("contact": {})", -0.25, "", away)).built);
  const std::string into = changed("[3, 0, 0]", "[-0.5, 0, 0]", away);
  EXPECT_FALSE(try_scene(two_blocks(R"("contact": {})", 0.125, "", into)).built);
}

TEST(CheckContact, ListsCollidersAndPairs) {
  const std::string text = findings_of(two_blocks(R"("contact": {}, "colliders": {
      "floor": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}},
      "lid": {"shape": {"box": {"size": [9, 1, 9], "centre": [0, 5, 0]}}, "motion": [{"time": 0}, {"time": 1, "translate": [0, -1, 0]}]},
      "glass": {"shape": {"box": {"size": [99, 99, 99]}}, "hollow": true}})"));
  EXPECT_NE(text.find("note: colliders: floor (plane), lid (box, moves), glass (box, hollow)"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find(
          "note: contact: 1 pairs of bodies, 2 bodies with themselves, 6 pairs of a body and a collider"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("start inside"), std::string::npos) << text;
}

TEST(CheckContact, WarnsOfVerticesThatStartInsideACollider) {
  const auto plane = [](const char* point, const char* normal) {
    return two_blocks(std::string(R"("colliders": {"floor": {"shape": {"plane": {"point": )") + point +
                      ", \"normal\": " + normal + "}}}}");
  };
  // A third of the nodes of each block, nine, lie in the plane y = 0, below y = 0.25.
  std::string text = findings_of(plane("[0, 0.25, 0]", "[0, 1, 0]"));
  EXPECT_NE(text.find("warning: 18 vertices of 2 bodies start inside the collider \"floor\"; the deepest: "
                      "\"a\", 0.25 m at (0, 0, "),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("as a whole"), std::string::npos) << text;
  text = findings_of(plane("[0, -1, 0]", "[0, -1, 0]"));
  EXPECT_NE(text.find("the body \"a\" lies inside as a whole: the normal of a plane points to the side"),
            std::string::npos)
      << text;
  EXPECT_EQ(findings_of(plane("[0, 0, 0]", "[0, 1, 0]")).find("start inside"), std::string::npos);
}

TEST(CheckContact, ABodyThatContactMayHoldIsAWarning) {
  const auto quasistatic = [](const std::string& more) {
    return changed("dynamic", "quasistatic", two_blocks(more));
  };
  const std::string falls = R"("gravity": [0, -9.81, 0])";
  EXPECT_NE(findings_of(quasistatic(falls)).find("error: the body \"a\" is free to move"), std::string::npos);
  const std::string on_floor = findings_of(quasistatic(falls + ", " + floor_below));
  EXPECT_NE(on_floor.find("warning: the body \"a\" is held by contact alone: translation along x, y, z"),
            std::string::npos)
      << on_floor;
  EXPECT_EQ(on_floor.find("error"), std::string::npos) << on_floor;
  const std::string sliding = findings_of(quasistatic(
      R"("connect": [{"between": ["a", "b"], "kind": "sliding", "distance": 0.2, "stiffness": 1}])"));
  EXPECT_NE(sliding.find("warning: the body \"b\" is held by contact alone"), std::string::npos) << sliding;
}

TEST(CheckContact, MethodsNameWhatTheyLack) {
  const auto with = [](const std::string& method, const std::string& response) {
    const std::string floor = changed("}}}", R"(}}, "response": ")" + response + "\"}", floor_below);
    return findings_of(
        changed("\"dynamic\"", R"("dynamic", "method": ")" + method + "\"", two_blocks(floor)));
  };
  for (const char* method : {"newton", "hybrid", "l_bfgs", "plain_newton", "gradient_descent"}) {
    const std::string text = with(method, "project");
    EXPECT_NE(text.find("it lacks colliders with the response project, as floor has"), std::string::npos)
        << text;
    EXPECT_EQ(with(method, "penalty").find("lacks"), std::string::npos);
  }
  EXPECT_EQ(with("pbng", "clamp").find("lacks"), std::string::npos);
  EXPECT_EQ(with("xpbd", "penalty").find("lacks"), std::string::npos);
}

}  // namespace
}  // namespace sinew::scene

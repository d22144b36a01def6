// Bodies of triangles: what their keys make of the model, and what is refused.
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

#include "energy/term.h"
#include "sample_scene.h"
#include "unit/scratch_folder.h"

namespace sinew::scene {
namespace {

const std::string cloth = R"({
  "sinew": 1,
  "bodies": {
    "cloth": {
      "type": "shell",
      "mesh": {"grid": {"size": [2, 1], "cells": [4, 2]}},
      "thickness": 0.01,
      "material": {"model": "stvk", "young": 1e6, "poisson": 0.3},
      "density": 500
    }
  },
  "attach": [{"what": "cloth.xmin"}],
  "gravity": [0, 0, -9.81]
}
)";

std::string said(const Outcome& outcome) { return outcome.diagnostics.text(); }

TEST(Shells, AreBodiesOfTriangles) {
  const Outcome outcome = try_scene(cloth);
  ASSERT_TRUE(outcome.built) << said(outcome);
  const model::Model& model = outcome.built->model;
  const model::Body& body = model.bodies[0];
  EXPECT_EQ(body.kind->name, "triangle");
  EXPECT_EQ(body.elements.size(), 16);
  EXPECT_EQ(body.visible().size(), 15);
  EXPECT_EQ(body.hidden, 30);  // edges: 15 - E + 16 = 1
  EXPECT_EQ(body.bending, model::Bending::shell);
  double mass = 0;
  for (double m : model.lumped_mass(model.params)) mass += m;
  EXPECT_NEAR(mass, 500 * 0.01 * 2, 1e-12);
  EXPECT_EQ(model.attachments[0].nodes.size(), 3u);
}

TEST(Shells, BendAsAsked) {
  const auto built = [](const std::string& bending) {
    Outcome outcome =
        try_scene(changed("\"thickness\"", "\"bending\": " + bending + ", \"thickness\"", cloth));
    EXPECT_TRUE(outcome.built) << said(outcome);
    return std::move(outcome.built->model);
  };
  EXPECT_EQ(built(R"({"model": "none"})").hinges.size(), 0u);
  const model::Model hinge = built(R"({"model": "hinge", "stiffness": 0.3, "weighted": false})");
  EXPECT_EQ(hinge.hinges.size(), 18u);  // edges between two triangles
  EXPECT_EQ(hinge.bodies[0].hidden, 0);
  EXPECT_FALSE(hinge.bodies[0].weighted_hinges);
  EXPECT_EQ(hinge.params.rigidity[0].values[0], 0.3);
}

// A curved shell is at rest as it is, or flat.
TEST(Shells, RestAngles) {
  const std::string tube =
      changed(R"({"grid": {"size": [2, 1], "cells": [4, 2]}})",
              R"({"tube_surface": {"radius": 1, "length": 1, "around": 12, "along": 3}})",
              changed("cloth.xmin", "cloth.bottom", cloth));
  for (const bool flat : {false, true}) {
    const Outcome outcome = try_scene(
        flat ? changed("\"thickness\"",
                       "\"bending\": {\"model\": \"hinge\", \"rest\": \"flat\"}, \"thickness\"", tube)
             : tube);
    ASSERT_TRUE(outcome.built) << said(outcome);
    double largest = 0;
    for (const model::Hinge& hinge : outcome.built->model.hinges)
      largest = std::max(largest, std::abs(hinge.rest_angle));
    if (flat)
      EXPECT_EQ(largest, 0);
    else
      EXPECT_NEAR(largest, 2 * M_PI / 12, 1e-9);
  }
}

// The axes of the material follow the warp.
TEST(Shells, WarpTurnsTheAxes) {
  const Outcome outcome = try_scene(changed("\"thickness\"", "\"warp\": [0, 1, 0], \"thickness\"", cloth));
  ASSERT_TRUE(outcome.built) << said(outcome);
  const model::Model& model = outcome.built->model;
  const auto flat = model.bodies[0].flat[0];
  const auto ids = model.elements.nodes<3>(0);
  for (int k = 0; k < 2; ++k) {
    const auto edge = model.X[ids[k + 1]] - model.X[ids[0]];
    EXPECT_NEAR(flat[k][0], edge[1], 1e-12);
    EXPECT_NEAR(flat[k][1], -edge[0], 1e-12);
  }
}

TEST(Shells, FromFilesWithTextureCoordinates) {
  ScratchFolder scratch;
  const std::string file = (scratch.path() / "cloth.obj").string();
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                         "vt 0 0\nvt 0.5 0\nvt 0.5 0.5\nvt 0 0.5\n"
                         "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";
  const std::string text = changed(R"({"grid": {"size": [2, 1], "cells": [4, 2]}})",
                                   R"({"file": "cloth.obj"})", changed("cloth.xmin", "cloth.all", cloth));
  const Outcome positions = try_scene(text, {}, scratch.path().string());
  ASSERT_TRUE(positions.built) << said(positions);
  EXPECT_NEAR(positions.built->model.rest_area(positions.built->model.bodies[0], 0), 0.5, 1e-12);
  const Outcome texture = try_scene(changed("\"thickness\"", "\"rest\": \"texture\", \"thickness\"", text),
                                    {}, scratch.path().string());
  ASSERT_TRUE(texture.built) << said(texture);
  EXPECT_NEAR(texture.built->model.rest_area(texture.built->model.bodies[0], 0), 0.125, 1e-12);
  // Kept for exports, of the corners of each triangle.
  ASSERT_TRUE(positions.built->skins);
  const auto& kept = (*positions.built->skins)[0].texture;
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[1][1][0], 0.5);
  EXPECT_EQ(kept[1][2][1], 0.5);
}

// A sheet of 400 m is taken for one in millimetres; a unit of texture coordinates that nothing has or uses is a mistake.
TEST(Shells, UnitsOfFilesAreQuestioned) {
  ScratchFolder scratch;
  const std::string corners = "v 0 0 0\nv 400 0 0\nv 400 300 0\nv 0 300 0\n",
                    folder = scratch.path().string();
  std::ofstream(scratch.path() / "bare.obj") << corners << "f 1 2 3\nf 1 3 4\n";
  std::ofstream(scratch.path() / "cloth.obj")
      << corners << "vt 0 0\nvt 4 0\nvt 4 3\nvt 0 3\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";
  const auto build_with = [&](const std::string& mesh, const std::string& rest = {}) {
    return try_scene(
        changed(R"({"grid": {"size": [2, 1], "cells": [4, 2]}})", mesh,
                changed("\"thickness\"", rest + "\"thickness\"", changed("cloth.xmin", "cloth.all", cloth))),
        {}, folder);
  };
  const Outcome asked = build_with(R"({"file": "bare.obj"})");
  ASSERT_TRUE(asked.built) << said(asked);
  ASSERT_EQ(asked.built->notes.size(), 1u);
  EXPECT_NE(asked.built->notes[0].find("cloth: the body is 400 m long: is the file in millimetres?"),
            std::string::npos);
  const Outcome told = build_with(R"({"file": "bare.obj", "unit": "mm"})");
  ASSERT_TRUE(told.built) << said(told);
  EXPECT_TRUE(told.built->notes.empty());

  const Outcome none = build_with(R"({"file": "bare.obj", "texture_unit": 0.1})");
  EXPECT_FALSE(none.built);
  EXPECT_NE(
      said(none).find("/bodies/cloth/mesh/texture_unit: found 0.1, but the mesh has no texture coordinates"),
      std::string::npos)
      << said(none);
  const Outcome unused = build_with(R"({"file": "cloth.obj", "texture_unit": 0.1})");
  EXPECT_FALSE(unused.built);
  EXPECT_NE(said(unused).find("/bodies/cloth/mesh/texture_unit: found 0.1, expected \"rest\": \"texture\""),
            std::string::npos)
      << said(unused);
  const Outcome used = build_with(R"({"file": "cloth.obj", "texture_unit": 100})", "\"rest\": \"texture\", ");
  EXPECT_TRUE(used.built) << said(used);
}

// Surfaces as files have them: what cannot be a sheet is refused, what can be put right is, and both say where.
TEST(Shells, WhatIsWrongWithAFileIsSaidWithItsPlace) {
  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  struct Case {
    std::string file, keys;
    bool refused;
    std::vector<std::string> fragments;
  };
  const Case cases[] = {
      {square + "v 0.5 0.5 1\nf 1 2 3\nf 1 3 4\nf 1 3 5\n",
       "",
       true,
       {"/bodies/cloth/mesh/file", "1 edges have more than two triangles: 2-0 (1, 1, 0) to (0, 0, 0)"}},
      {square + "v 2 0 0\nf 1 2 3\nf 1 3 4\nf 2 1 5\n",
       "",
       true,
       {"/bodies/cloth/mesh/file", "1 of 3 triangles have no area: 2 (vertices 1 0 4) at (1, 0, 0)"}},
      {"v 0 0 0\nv 1 0 0.1\nv 1 1 0.5\nv 0 1 0\nv -0.5 0.5 0.2\nf 1 2 3\nf 2 3 4\nf 3 4 5\nf 4 5 1\nf 5 1 "
       "2\n",
       "",
       true,
       {"/bodies/cloth/mesh/file", "one-sided, as a Moebius band is"}},
      {square + "v 2 0 0\nf 1 2 3\nf 1 3 4\nf 2 3 5\n",
       "",
       false,
       {"1 triangles that faced against their neighbours were turned: 2 (vertices 1 2 4)"}},
      {square + "v 5 5 5\nf 1 2 3\nf 1 3 4\nf 3 1 2\n",
       "",
       false,
       {"1 triangles given twice were left out: 2 (vertices 2 0 1)",
        "1 vertices of no triangle were left out: 4 (5, 5, 5)"}},
      {square + "f 1 2 3\nf 1 3 4\n",
       R"("thickness": 1.2, )",
       false,
       {"the thickness of 1.2 m is above 4 of 5 edges", "0-1 (0, 0, 0) to (1, 0, 0)"}},
      {square + "vt 0 0\nvt 1 0\nvt 1 1\nf 1/1 2/2 3/3\nf 1 3 4\n",
       R"("rest": "texture", )",
       true,
       {"/bodies/cloth/rest",
        "1 of 2 triangles have no texture coordinates or no area in them: 1 (vertices 0 2 3)"}},
      {square + "f 1 2 3\nf 1 3 4\n",
       R"("rest": "texture", )",
       true,
       {"/bodies/cloth/rest", "no texture coordinates"}},
      {square + "vt 0 0\nvt 9 0\nvt 9 9\nvt 0 9\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n",
       R"("rest": "texture", )",
       false,
       {"lengths in texture coordinates are 9 of those in space"}}};
  for (const Case& c : cases) {
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "cloth.obj") << c.file;
    std::string text = changed(R"({"grid": {"size": [2, 1], "cells": [4, 2]}})", R"({"file": "cloth.obj"})",
                               changed("cloth.xmin", "cloth.all", cloth));
    if (c.keys.find("thickness") != std::string::npos)
      text = changed("\"thickness\": 0.01,", c.keys, text);
    else
      text = changed("\"thickness\"", c.keys + "\"thickness\"", text);
    const Outcome outcome = try_scene(text, {}, scratch.path().string());
    std::string messages = said(outcome);
    if (outcome.built)
      for (const std::string& note : outcome.built->notes) messages += note + "\n";
    EXPECT_EQ(!outcome.built, c.refused) << messages;
    for (const std::string& fragment : c.fragments)
      EXPECT_NE(messages.find(fragment), std::string::npos) << fragment << "\n" << messages;
  }
}

TEST(Shells, SelectionsProbesAndWind) {
  const std::string text =
      changed("\"gravity\"", R"("probes": {"tip": {"body": "cloth", "point": [2, 0.3, 0.01]}},
  "wind": {"velocity": [{"time": 0, "velocity": [0, 0, 0]}, {"time": 1, "velocity": [0, 0, 4]}]},
  "loads": [{"type": "pressure", "what": "cloth.all", "value": 10}],
  "solve": {"mode": "dynamic"},
  "gravity")",
              cloth);
  const Outcome outcome = try_scene(text);
  ASSERT_TRUE(outcome.built) << said(outcome);
  const model::Model& model = outcome.built->model;
  EXPECT_EQ(model.probes[0].site.count, 3);
  EXPECT_EQ(model.pressure_loads[0].faces.size(), 16u);
  EXPECT_FALSE(model.pressure_loads[0].closed);
  EXPECT_EQ(model.winds[0].faces.size(), 16u);
}

TEST(Shells, SteadyWindIsThreeNumbers) {
  const Outcome outcome =
      try_scene(changed("\"gravity\"", R"("wind": {"velocity": [3, 0, 1]}, "solve": {"mode": "dynamic"},
  "gravity")",
                        cloth));
  ASSERT_TRUE(outcome.built) << said(outcome);
  std::vector<double> inputs(outcome.built->model.inputs.size());
  outcome.built->model.inputs.evaluate(0, inputs);
  EXPECT_EQ(inputs[outcome.built->model.winds[0].velocity], 3);
}

// Nodes that two attachments hold are left to one of them; the borders there are clamped by both.
TEST(Shells, ClampedBordersMeetInCorners) {
  const Outcome outcome = try_scene(
      changed(R"({"what": "cloth.xmin"})",
              R"({"what": "cloth.xmin", "clamped": true}, {"what": "cloth.ymin", "clamped": true})", cloth));
  ASSERT_TRUE(outcome.built) << said(outcome);
  EXPECT_EQ(outcome.built->model.attachments[1].nodes.size(), 4u);
  EXPECT_EQ(outcome.built->model.attachments[1].clamped.size(), 5u);
}

// Nothing pulls at rest: neither at a solid above, nor at another sheet at a distance.
TEST(Shells, TissueIsAtRest) {
  const std::string text = changed(
      "\"cloth\": {",
      R"("box": {"mesh": {"box": {"size": [2, 1, 1], "cells": [3, 2, 2], "origin": [0, 0, 0.1]}},
      "material": {"model": "stvk", "young": 1e5, "poisson": 0.3}},
    "other": {"type": "shell", "mesh": {"grid": {"size": [2, 1], "cells": [3, 2]}}, "thickness": 0.01, "place": {"translate": [0, 0, -0.1]},
      "material": {"model": "stvk", "young": 1e6, "poisson": 0.3}},
    "cloth": {)",
      changed(
          "\"attach\"",
          R"("connect": [{"between": ["cloth", "box"], "kind": "tied", "distance": 0.15, "stiffness": 1e4},
    {"between": ["cloth", "other"], "kind": "tied", "distance": 0.15, "stiffness": 1e4}], "attach")",
          cloth));
  const Outcome outcome = try_scene(text);
  ASSERT_TRUE(outcome.built) << said(outcome);
  const model::Model& model = outcome.built->model;
  EXPECT_GT(model.links.size(), 20u);
  for (const model::Link& link : model.links) {
    const double length = norm(position(link.a, model.X, {}) - position(link.b, model.X, {}));
    EXPECT_NEAR(length, link.rest_length, 1e-9);
  }
}

// The energy of springs between the vertices; the axes of the material do not matter to it.
TEST(Shells, SpringsLieAlongEdges) {
  using math::Vec3d;
  const Outcome outcome = try_scene(changed(
      "\"stvk\", \"young\": 1e6, \"poisson\": 0.3", "\"edge_springs\", \"young\": 1e6, \"compression\": 0.2",
      changed("\"thickness\"", "\"warp\": [0, 0, 1], \"thickness\"",
              changed("\"cells\": [4, 2]", "\"cells\": [4, 2], \"jitter\": 0.3", cloth))));
  ASSERT_TRUE(outcome.built) << said(outcome);
  const model::Model& model = outcome.built->model;
  std::vector<Vec3d> x = model.X;
  for (Vec3d& p : x) p = {1.1 * p[0] + 0.2 * p[1], 0.9 * p[1], p[0] * p[0]};
  double energy = 0;
  for (size_t e = 0; e < model.elements.size(); ++e) {
    const auto nodes = model.elements[e];
    const auto& X = model.X;
    const double area = 0.5 * norm(cross(X[nodes[1]] - X[nodes[0]], X[nodes[2]] - X[nodes[0]]));
    for (int k = 0; k < 3; ++k) {
      const int32_t a = nodes[k], b = nodes[(k + 1) % 3];
      const double length = norm(X[a] - X[b]), longer = norm(x[a] - x[b]) - length;
      const double stiffness = 1e6 * 0.01 * area / (length * length) * (longer < 0 ? 0.2 : 1);
      energy += 0.5 * stiffness * longer * longer;
    }
  }
  energy::Terms terms;
  for (const energy::TermKind* kind : energy::term_kinds())
    if (kind->elements) kind->make(model, terms);
  double found = 0;
  for (const auto& term : terms) {
    term->bind(model.params);
    found += term->evaluate({.x = x, .inputs = {}}, {}).value;
  }
  EXPECT_NEAR(found, energy, 1e-12 * energy);
}

TEST(Shells, RefuseWhatTheyCannotBe) {
  const auto expect_said = [](const std::string& text, const std::vector<std::string>& fragments) {
    const Outcome outcome = try_scene(text);
    EXPECT_FALSE(outcome.built);
    for (const std::string& fragment : fragments)
      EXPECT_NE(said(outcome).find(fragment), std::string::npos) << fragment << "\n" << said(outcome);
  };
  expect_said(changed("0.01", "0", cloth), {"/bodies/cloth/thickness", "greater than 0"});
  expect_said(changed("\"stvk\", \"young\": 1e6, \"poisson\": 0.3",
                      "\"linear\", \"young\": 1e6, \"poisson\": 0.3", cloth),
              {"\"linear\" is not for shells", "\"stvk\""});
  expect_said(changed("\"stable_neo_hookean\", \"young\": 1e5, \"poisson\": 0.3",
                      "\"orthotropic\", \"young_warp\": 1, \"young_weft\": 1, \"poisson\": 0, \"shear\": 1"),
              {"\"orthotropic\" is not for solids"});
  expect_said(
      changed("\"stvk\", \"young\": 1e6, \"poisson\": 0.3",
              "\"orthotropic\", \"young_warp\": 1, \"young_weft\": 9, \"poisson\": 0.5, \"shear\": 1", cloth),
      {"not stable at rest"});
  expect_said(
      changed("\"stable_neo_hookean\", \"young\": 1e5, \"poisson\": 0.3", "\"edge_springs\", \"young\": 1e5"),
      {"\"edge_springs\" is not for solids"});
  expect_said(changed("\"stvk\", \"young\": 1e6, \"poisson\": 0.3",
                      "\"edge_springs\", \"young\": 1, \"edge_1\": [1, 0, 0], \"edge_2\": [1, 0, 0], "
                      "\"edge_3\": [-2, 0, 0]",
                      cloth),
              {"not stable at rest", "do not span the sheet"});
  expect_said(changed("\"thickness\"", "\"elements\": \"linear\", \"thickness\"", cloth),
              {"unknown key \"elements\""});
  expect_said(changed("\"type\": \"shell\"", "\"type\": \"shel\"", cloth), {"\"shell\""});
  expect_said(changed("\"gravity\"", "\"wind\": {\"velocity\": [1, 0, 0]}, \"gravity\"", cloth),
              {"/wind", "\"mode\": \"dynamic\""});
  expect_said(changed("\"thickness\"", "\"bending\": {\"stiffness\": 0}, \"thickness\"", cloth),
              {"/bodies/cloth/bending/stiffness", "\"none\""});
  expect_said(changed("\"cloth.xmin\"", "\"cloth.xmin_ymin\", \"clamped\": true", cloth),
              {"/attach/0/clamped"});
  expect_said(changed("\"stvk\", \"young\": 1e6, \"poisson\": 0.3",
                      "\"orthotropic\", \"young_warp\": 1, \"young_weft\": 1, \"poisson\": 0, \"shear\": 1",
                      changed("\"thickness\"", "\"warp\": [0, 0, 1], \"thickness\"", cloth)),
              {"/bodies/cloth/warp", "right angles to triangle 0"});
}

}  // namespace
}  // namespace sinew::scene

// A table of broken scenes: every one is refused with its place, its path, what was found and what was
// expected.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "sample_scene.h"
#include "unit/scratch_folder.h"

namespace sinew::scene {
namespace {

struct Broken {
  const char* name;
  std::string text;
  std::vector<std::string> fragments;  // in the text of the problems
  ErrorKind kind = ErrorKind::input;
};

std::string material(const std::string& text) {
  return changed(R"({"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3})", text);
}
std::string mesh(const std::string& text) {
  return changed(R"({"box": {"size": [1, 1, 1], "cells": [2, 2, 2]}})", text);
}
std::string attach(const std::string& text) {
  return changed(
      R"([{"what": "block.left", "motion": [{"time": 0}, {"time": 1, "translate": [0.1, 0, 0]}]}])", text);
}
std::string select(const std::string& text) {
  return changed(R"({"box": [[-1, -1, -1], [0.001, 2, 2]]})", text);
}

std::string lattice(const std::string& solid, const std::string& cell = "0.1") {
  return mesh("{\"lattice\": {\"cell\": " + cell + ", \"solid\": " + solid + "}}");
}
const std::string unit_ball = R"({"ball": {"radius": 1}})";
std::string nested(int depth) { return depth == 0 ? unit_ball : R"({"union": [)" + nested(depth - 1) + "]}"; }
std::string many_balls(int count) {
  std::string list = unit_ball;
  for (int i = 1; i < count; ++i) list += ", " + unit_ball;
  return R"({"union": [)" + list + "]}";
}

std::vector<Broken> cases() {
  return {
      {"unknown key",
       changed("\"density\"", "\"densty\""),
       {"scene.json:7:7", "/bodies/block/densty", "unknown key \"densty\"; did you mean \"density\"?"}},
      {"unknown key at the top",
       changed("\"gravity\"", "\"gravty\""),
       {"scene.json:12:3", "did you mean \"gravity\""}},
      {"missing mesh", changed("\"mesh\"", "\"density2\""), {"/bodies/block", "the key \"mesh\" is missing"}},
      {"wrong type",
       changed("\"density\": 1000", "\"density\": \"heavy\""),
       {"scene.json:7:18", "/bodies/block/density",
        "found the text \"heavy\", expected a number greater than 0"}},
      {"negative density",
       changed("\"density\": 1000", "\"density\": -5"),
       {"scene.json:7:18", "found -5", "[kg/m^3]", "mass must be positive"}},
      {"zero density",
       changed("\"density\": 1000", "\"density\": 0"),
       {"found 0, expected a number greater than 0"}},
      {"NaN", changed("\"density\": 1000", "\"density\": NaN"), {"scene.json:7:18", "found \"NaN\""}},
      {"infinity",
       changed("\"density\": 1000", "\"density\": 1e999"),
       {"scene.json:7:18", "beyond what a double"}},
      {"null", changed("\"density\": 1000", "\"density\": null"), {"found null, expected a number"}},
      {"Poisson 0.5",
       changed("0.3", "0.5"),
       {"scene.json:6:76", "/bodies/block/material/poisson", "found 0.5", "less than 0.5",
        "bulk modulus is infinite"}},
      {"Poisson -1", changed("0.3", "-1"), {"found -1, expected a number greater than -1"}},
      {"Young 0",
       changed("1e5", "0"),
       {"/bodies/block/material/young", "found 0, expected a number greater than 0 [Pa]"}},
      {"Young missing",
       material(R"({"model": "stable_neo_hookean", "poisson": 0.3})"),
       {"scene.json:6:19", "the key \"young\" is missing"}},
      {"unknown material",
       changed("stable_neo_hookean", "stable_neohookean"),
       {"/bodies/block/material/model", "did you mean \"stable_neo_hookean\"?"}},
      {"material without model", material(R"({"young": 1})"), {"the key \"model\" is missing"}},
      {"material as a number", material("7"), {"/bodies/block/material", "found 7, expected an object"}},
      {"unknown field",
       changed("1e5", R"({"field": "E"})"),
       {"/young/field", "unknown field \"E\"; there are none"}},
      {"material for unknown selection",
       material(R"([{"model": "linear", "young": 1, "poisson": 0, "where": "lft"}])"),
       {"/bodies/block/material/0/where", "did you mean \"left\""}},
      {"tets without material",
       changed("\"select\": {", "\"select\": {\"half\": {\"box\": [[0,0,0],[0.5,1,1]]}, ",
               material(R"([{"model": "linear", "young": 1, "poisson": 0, "where": "half"}])")),
       {"/bodies/block/material", "20 tets have no material"}},
      {"fibre of length 0",
       material(R"({"model": "guccione", "c": 1, "bulk": 1, "fibre": [0, 0, 0]})"),
       {"/bodies/block/material/fibre", "length 0, expected a direction"}},
      {"unknown vector field",
       material(R"({"model": "guccione", "c": 1, "bulk": 1, "fibre": {"field": "f"}})"),
       {"/fibre/field", "unknown field \"f\"", "vectors on the tets"}},
      {"unstable constants",
       material(R"({"model": "mooney_rivlin", "c10": 1, "c01": -2, "bulk": 10})"),
       {"/bodies/block/material", "\"mooney_rivlin\" is not stable at rest"}},
      {"averaged volume without a volumetric part",
       changed("\"density\": 1000", "\"density\": 1000, \"elements\": \"averaged\"",
               changed("stable_neo_hookean", "stvk")),
       {"/bodies/block/material/model", "no volumetric part"}},
      {"unknown elements",
       changed("\"density\": 1000", "\"density\": 1000, \"elements\": \"cubic\""),
       {"/bodies/block/elements", "quadratic"}},
      {"duplicate key",
       changed("\"density\": 1000", "\"density\": 1000, \"density\": 2"),
       {"scene.json:7:24", "stands here a second time"}},
      {"trailing comma",
       changed("\"frames\": 2}", "\"frames\": 2,}"),
       {"scene.json:16:34", "no trailing commas"}},
      {"unterminated text",
       changed("\"sinew\": 1,", "\"sinew\": 1, \"title\": \"x,"),
       {"scene.json:2:24", "no closing"}},
      {"empty file", "", {"scene.json:1:1", "the end of the file"}},
      {"binary garbage",
       std::string("\x7f"
                   "ELF\x02\x01\0\0",
                   8),
       {"scene.json:1:1", "0x7f"}},
      {"depth bomb", std::string(100000, '['), {"scene.json:1:65", "more than 64 deep"}},
      {"a list", "[]", {"scene.json:1:1", "found a list of 0, expected an object"}},
      {"no version", changed("\"sinew\": 1,", ""), {"the key \"sinew\" is missing"}},
      {"another version",
       changed("\"sinew\": 1", "\"sinew\": 2"),
       {"scene.json:2:12", "/sinew", "found 2, expected 1", "major version"}},
      {"no bodies", R"({"sinew": 1, "bodies": {}})", {"/bodies", "expected at least 1"}},
      {"a dot in a name",
       changed("\"block\": {", "\"blo.ck\": {"),
       {"scene.json:4:5", "\"blo.ck\", expected letters"}},
      {"missing mesh file",
       mesh(R"({"file": "nowhere.mesh"})"),
       {"scene.json:5:24", "/bodies/block/mesh/file", "nowhere.mesh"},
       ErrorKind::io},
      {"unknown mesh format", mesh(R"({"file": "nowhere.stp"})"), {"/bodies/block/mesh/file", "nowhere.stp"}},
      {"unknown shape",
       mesh(R"({"bax": {"cells": [1,1,1]}})"),
       {"/bodies/block/mesh/bax", "did you mean \"box\""}},
      {"two shapes",
       mesh(R"({"box": {"cells": [1,1,1]}, "ball": {"radius": 1, "cells": 4}})"),
       {"found both \"box\" and \"ball\""}},
      {"unknown unit",
       mesh(R"({"file": "a.mesh", "unit": "ft"})"),
       {"/unit", "expected one of m, cm, mm, in"}},
      {"cells 0",
       changed("[2, 2, 2]", "[2, 0, 2]"),
       {"/bodies/block/mesh/box/cells/1", "found 0, expected a whole number of at least 1"}},
      {"cells negative", changed("[2, 2, 2]", "[2, -3, 2]"), {"found -3"}},
      {"cells fractional", changed("[2, 2, 2]", "[2, 2.5, 2]"), {"found 2.5, expected a whole number"}},
      {"cells 1e9", changed("[2, 2, 2]", "[1e9, 2, 2]"), {"found 1e9", "at most a million"}},
      {"too large for memory",
       changed("[2, 2, 2]", "[10000, 10000, 10000]"),
       {"/bodies/block/mesh/box", "5,000,000,000,000 tets", "5 PB", "that are available"}},
      {"flat box",
       changed("\"size\": [1, 1, 1]", "\"size\": [1, 0, 1]"),
       {"/size/1", "a body needs an extent"}},
      {"wrong vector length",
       changed("[0, -9.81, 0]", "[0, -9.81]"),
       {"scene.json:12:14", "/gravity", "a list of 2, expected a vector of three numbers"}},
      {"text in a vector", changed("[0, -9.81, 0]", "[0, \"g\", 0]"), {"scene.json:12:18", "/gravity/1"}},
      {"tube inside out",
       mesh(R"({"tube": {"inner": 2, "outer": 1, "length": 1, "radial": 1, "around": 8, "layers": 1}})"),
       {"/bodies/block/mesh/tube"}},
      {"fat torus",
       mesh(R"({"torus": {"major": 1, "minor": 1, "cells": 4, "around": 8}})"),
       {"/bodies/block/mesh/torus", "minor radius 1 is not below major radius 1"}},
      {"odd capsule",
       mesh(R"({"capsule": {"radius": 1, "length": 1, "cells": 5, "layers": 1}})"),
       {"/bodies/block/mesh/capsule", "cells is 5, expected an even number"}},
      {"flat ellipsoid",
       mesh(R"({"ellipsoid": {"radii": [1, 0, 1], "cells": 5}})"),
       {"/bodies/block/mesh/ellipsoid/radii/1", "found 0"}},
      {"sheet in three directions",
       mesh(R"({"sheet": {"size": [1, 1, 1], "thickness": 0.1, "cells": [1, 1]}})"),
       {"/bodies/block/mesh/sheet/size", "a list of 3, expected a list of 2"}},
      {"lattice without a solid", mesh(R"({"lattice": {"cell": 0.1}})"), {"the key \"solid\" is missing"}},
      {"lattice of cell 0", lattice(unit_ball, "0"), {"/bodies/block/mesh/lattice/cell", "found 0"}},
      {"lattice too fine", lattice(unit_ball, "1e-5"), {"/bodies/block/mesh/lattice", "that are available"}},
      {"lattice too coarse",
       lattice(R"({"ball": {"radius": 0.1, "centre": [0.3, 0.3, 0.3]}})", "5"),
       {"/bodies/block/mesh/lattice", "no point of the lattice is inside", "thinner than the cell 5"}},
      {"lattice too far out", lattice(R"({"ball": {"radius": 1, "centre": [1e9, 0, 0]}})"), {"too small"}},
      {"solid unknown",
       lattice(R"({"bal": {"radius": 1}})"),
       {"/bodies/block/mesh/lattice/solid", "did you mean \"ball\"?"}},
      {"solid with a fat torus",
       lattice(R"({"torus": {"major": 1, "minor": 2}})"),
       {"not below major radius"}},
      {"solid without bounds",
       lattice(R"({"half_space": {"point": [0, 0, 0], "normal": [0, 0, 1]}})"),
       {"the solid is not bounded"}},
      {"solids without a common point",
       lattice(
           R"({"intersection": [{"ball": {"radius": 1}}, {"ball": {"radius": 1, "centre": [5, 0, 0]}}]})"),
       {"the solid is empty"}},
      {"nothing left",
       lattice(R"({"difference": [{"ball": {"radius": 1}}, {"ball": {"radius": 2}}]})"),
       {"empty"}},
      {"difference of one",
       lattice(R"({"difference": [{"ball": {"radius": 1}}]})"),
       {"a list of at least 2"}},
      {"union of nothing", lattice(R"({"union": []})"), {"/union", "a list of at least 1"}},
      {"solids nested too deep", lattice(nested(17)), {"nested more than 16 deep"}},
      {"too many solids in a list",
       lattice(many_balls(1001)),
       {"a list of 1001, expected a list of at most 1000"}},
      {"too many solids", lattice(many_balls(1000)), {"more than 1000 items"}},
      {"unknown method",
       changed("\"tolerance\": 1e-6", "\"method\": \"neuton\""),
       {"/solve/method", "did you mean \"newton\"?"}},
      {"unknown mode", changed("quasistatic", "static"), {"/solve/mode", "scene.json:15:21"}},
      {"tolerance 0", changed("1e-6", "0"), {"/solve/tolerance", "greater than 0 and less than 1"}},
      {"unknown option",
       changed("\"tolerance\": 1e-6", "\"newton\": {\"no_such_option\": 1}"),
       {"/solve/newton/no_such_option", "unknown key"}},
      {"fps 0", changed("\"fps\": 30", "\"fps\": 0"), {"/time/fps", "found 0", "must be positive"}},
      {"fps negative", changed("\"fps\": 30", "\"fps\": -24"), {"found -24"}},
      {"frames 0", changed("\"frames\": 2", "\"frames\": 0"), {"/time/frames", "at least one frame"}},
      {"substeps 0", changed("\"frames\": 2", "\"substeps\": 0"), {"/time/substeps", "at least 1"}},
      {"substeps by a word",
       changed("\"frames\": 2", "\"substeps\": \"fine\""),
       {"/time/substeps", "expected one of auto"}},
      {"unknown selection",
       attach(R"([{"what": "block.lft"}])"),
       {"scene.json:11:23", "/attach/0/what", "unknown selection \"lft\"; did you mean \"left\"?"}},
      {"unknown body",
       attach(R"([{"what": "blok.left"}])"),
       {"/attach/0/what", "unknown body \"blok\"; did you mean \"block\"?"}},
      {"no dot", attach(R"([{"what": "left"}])"), {"/attach/0/what", "expected body.selection"}},
      {"selection matching nothing",
       select(R"({"sphere": {"centre": [5,5,5], "radius": 0.1}})"),
       {"/bodies/block/select/left", "matches no node", "from [0, 0, 0] to [1, 1, 1]"}},
      {"selection upside down", select("{\"box\": [[1,1,1],[0,0,0]]}"), {"the lower corner first"}},
      {"unknown group", select(R"({"group": "xmn"})"), {"/select/left/group", "did you mean \"xmin\""}},
      {"unknown selection kind", select(R"({"spher": {}})"), {"did you mean \"sphere\"?"}},
      {"all false", select(R"({"all": false})"), {"found false, expected true"}},
      {"near itself",
       select(R"({"near": {"body": "block", "distance": 1}})"),
       {"/select/left/near/body", "found the body itself"}},
      {"near nothing",
       select(R"({"near": {"distance": 1}})"),
       {"/select/left/near", "found no \"body\" and no \"collider\""}},
      {"near two",
       select(R"({"near": {"body": "a", "collider": "b", "distance": 1}})"),
       {"/select/left/near", "found \"body\" and \"collider\", expected one"}},
      {"near no collider",
       select(R"({"near": {"collider": "floor", "distance": 1}})"),
       {"/select/left/near/collider", "unknown collider \"floor\""}},
      {"near nobody", select(R"({"near": {"body": "bone", "distance": 1}})"), {"unknown body \"bone\""}},
      {"wrong inside a union",
       select(R"({"union": [{"all": true}, {"group": "nothing"}]})"),
       {"/select/left/union/1/group"}},
      {"plane with a zero normal",
       select(R"({"plane": {"point": [0,0,0], "normal": [0,0,0]}})"),
       {"a vector that is not zero"}},
      {"unsorted motion",
       attach(R"([{"what": "block.left", "motion": [{"time": 1}, {"time": 0.5}]}])"),
       {"/attach/0/motion/1/time", "found 0.5, expected more than the one before, 1"}},
      {"equal times",
       attach(R"([{"what": "block.left", "motion": [{"time": 1}, {"time": 1}]}])"),
       {"ascending order"}},
      {"zero rotation axis",
       attach(
           R"([{"what": "block.left", "motion": [{"time": 0, "rotate": {"axis": [0,0,0], "degrees": 9}}]}])"),
       {"/attach/0/motion/0/rotate/axis", "a vector that is not zero"}},
      {"radians",
       attach(
           R"([{"what": "block.left", "motion": [{"time": 0, "rotate": {"axis": [0,0,1], "radians": 1}}]}])"),
       {"unknown key \"radians\"", "the key \"degrees\" is missing"}},
      {"missing pose file",
       attach(R"([{"what": "block.left", "motion": {"file": "nowhere.csv"}}])"),
       {"/attach/0/motion/file", "nowhere.csv"},
       ErrorKind::io},
      {"plane without normal",
       attach(R"([{"what": "block.left", "hold": "plane"}])"),
       {"the key \"normal\" is missing"}},
      {"unknown hold", attach(R"([{"what": "block.left", "hold": "rigit"}])"), {"did you mean \"rigid\"?"}},
      {"soft without stiffness",
       attach(R"([{"what": "block.left", "hold": "soft", "stiffness": 0}])"),
       {"a spring pulls back"}},
      {"held twice",
       attach(
           R"([{"what": "block.left"}, {"what": "block.zmin", "motion": [{"time": 0}, {"time": 1, "translate": [1,0,0]}]}])"),
       {"/attach/1/what", "is already held rigidly by /attach/0 (\"left\")"}},
      {"name taken",
       attach(R"([{"what": "block.left", "name": "block"}])"),
       {"/attach/0/name", "already that of a body"}},
      {"pressure on no face",
       changed("\"block.xmax\"", "\"block.edge\"",
               changed("\"select\": {", "\"select\": {\"edge\": {\"box\": [[0,0,0],[0,0,1]]}, ")),
       {"/loads/0/what", "no surface triangle"}},
      {"pressure as a vector",
       changed("\"value\": 100", "\"value\": [1,2,3]"),
       {"/loads/0/value", "expected a number"}},
      {"unknown load", changed("\"pressure\"", "\"presure\""), {"did you mean \"pressure\"?"}},
      {"unsorted ramp",
       changed("\"value\": 100",
               "\"value\": 100, \"ramp\": [{\"time\":1,\"factor\":0},{\"time\":0,\"factor\":1}]"),
       {"/loads/0/ramp/1/time"}},
      {"probe far away", changed("[1, 0.5, 0.5]", "[9, 0.5, 0.5]"), {"/probes/tip/point", "8 m away"}},
      {"unknown quantity",
       changed("tip.position.x", "tip.positon.x"),
       {"scene.json:17:14", "/expect/tip.positon.x", "positon"}},
      {"unknown target", changed("tip.position.x", "tap.position.x"), {"tap"}},
      {"no bound", changed("{\"min\": 0, \"max\": 2}", "{}"), {"/expect/tip.position.x", "found no bound"}},
      {"impossible bounds",
       changed("\"min\": 0, \"max\": 2", "\"min\": 3, \"max\": 2"),
       {"no number can lie between 3 and 2"}},
      {"value without tolerance", changed("\"min\": 0, \"max\": 2", "\"value\": 3"), {"expected both"}},
      {"expectation after the end",
       changed("\"min\": 0", "\"frame\": 9, \"min\": 0"),
       {"found frame 9, expected at most the last one, 2"}},
  };
}

TEST(BrokenScenes, TheSampleItselfIsValid) {
  const Outcome outcome = try_scene(valid_scene);
  EXPECT_TRUE(outcome.built) << outcome.diagnostics.text();
}

TEST(BrokenScenes, EachIsRefusedWithPlaceAndReason) {
  ASSERT_GE(cases().size(), 45u);
  for (const Broken& broken : cases()) {
    const Outcome outcome = try_scene(broken.text);
    const std::string text = outcome.diagnostics.text();
    EXPECT_FALSE(outcome.built) << broken.name;
    ASSERT_FALSE(outcome.diagnostics.empty()) << broken.name;
    EXPECT_EQ(outcome.diagnostics.list()[0].kind, broken.kind) << broken.name << ": " << text;
    EXPECT_TRUE(outcome.diagnostics.list()[0].where.starts_with("scene.json")) << broken.name << ": " << text;
    for (const std::string& fragment : broken.fragments)
      EXPECT_NE(text.find(fragment), std::string::npos) << broken.name << ": no '" << fragment << "' in\n"
                                                        << text;
  }
}

TEST(BrokenScenes, AllProblemsAreReportedUpToACap) {
  std::string text = changed("0.3", "0.7", changed("\"fps\": 30", "\"fps\": -1"));
  Outcome outcome = try_scene(changed("\"density\"", "\"densty\"", text));
  EXPECT_EQ(outcome.diagnostics.count(), 3u) << outcome.diagnostics.text();
  std::string many = R"({"sinew": 1, "bodies": {)";
  for (int i = 0; i < 50; ++i) many += (i ? ",\"b" : "\"b") + std::to_string(i) + "\": 1";
  outcome = try_scene(many + "}}");
  EXPECT_EQ(outcome.diagnostics.list().size(), Diagnostics::cap);
  EXPECT_EQ(outcome.diagnostics.count(), 50u);
  EXPECT_NE(outcome.diagnostics.text().find("and 30 more problems"), std::string::npos);
}

TEST(BrokenScenes, AMissingSceneIsAnIoError) {
  Diagnostics diagnostics;
  EXPECT_FALSE(load_scene("no/such/scene.json", {}, diagnostics));
  ASSERT_EQ(diagnostics.count(), 1u);
  EXPECT_EQ(diagnostics.list()[0].kind, ErrorKind::io);
}

class InFolder : public testing::Test {
 protected:
  void write(const char* name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string problems_of(const std::string& scene) {
    return try_scene(scene, {}, folder_.string()).diagnostics.text();
  }

  ScratchFolder scratch_;
  const std::filesystem::path& folder_ = scratch_.path();
};

TEST_F(InFolder, MeshFiles) {
  const std::string scene = mesh(R"({"file": "m.mesh"})");
  const std::string head = "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n";
  const std::pair<std::string, const char*> meshes[] = {
      {"", "m.mesh"},
      {"garbage", "m.mesh"},
      {head + "0 0 1 0\nTetrahedra\n0\nEnd\n", "no tetrahedra"},
      {head + "1 1 0 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n", "no volume"},
      {head + "0 0 1 0\nTetrahedra\n1\n1 2 3 9 0\nEnd\n", "m.mesh: line 11"},
      {head + "0 0 1 0\nTetrahedra\n1\n1 2 3 3 0\nEnd\n", "twice"},
      {head + "0 0 nan 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n", "m.mesh: line 8"},
      {head + "0 0 1 0\nTetrahedra\n1000000000\n1 2 3 4 0\nEnd\n", "m.mesh"},
  };
  for (const auto& [text, fragment] : meshes) {
    write("m.mesh", text);
    const std::string diagnostics = problems_of(scene);
    EXPECT_NE(diagnostics.find("/bodies/block/mesh/file"), std::string::npos) << text << diagnostics;
    EXPECT_NE(diagnostics.find(fragment), std::string::npos) << text << diagnostics;
  }
}

TEST_F(InFolder, PoseFiles) {
  const std::string scene = attach(R"([{"what": "block.left", "motion": {"file": "p.csv"}}])");
  const std::pair<const char*, const char*> files[] = {
      {"", "found no poses"},
      {"time,tx,ty,tz,qw,qx,qy,qz\n0,0,0,0,1,0,0\n", "p.csv: line 2: found 7 numbers"},
      {"0 0 0 0 1 0 0 0\n0 0 0 0 1 0 0 0\n", "p.csv: line 2: found the time 0"},
      {"0 0 0 0 0 0 0 0\n", "quaternion of length 0"},
      {"0 0 0 0 1 0 0 0\n1 x 0 0 1 0 0 0\n", "p.csv: line 2: found something that is no number"},
      {"0 0 0 0 1 0 0 0 0\n", "found 9 or more numbers"},
  };
  for (const auto& [text, fragment] : files) {
    write("p.csv", text);
    const std::string diagnostics = problems_of(scene);
    EXPECT_NE(diagnostics.find("/attach/0/motion/file"), std::string::npos) << text << diagnostics;
    EXPECT_NE(diagnostics.find(fragment), std::string::npos) << text << diagnostics;
  }
}

// Damaged scenes never crash and always end in a scene or in problems.
TEST(BrokenScenes, Damage) {
  uint32_t random = 12345;
  const auto next = [&] { return random = random * 1664525u + 1013904223u; };
  for (int i = 0; i < 400; ++i) {
    std::string text = valid_scene;
    for (int k = 0; k < 3; ++k) {
      const size_t at = (next() >> 8) % text.size();
      if (next() >> 31)
        text.erase(at, 1 + (next() >> 8) % 4);
      else
        text[at] = "0123456789.,:-eE\"[]{}x"[(next() >> 8) % 22];
    }
    const Outcome outcome = try_scene(text, {}, ".", int64_t{1} << 22);
    EXPECT_NE(outcome.built.has_value(), !outcome.diagnostics.empty()) << text;
  }
}

}  // namespace
}  // namespace sinew::scene

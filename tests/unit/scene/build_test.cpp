#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "geometry/closest.h"
#include "io/mesh_file.h"
#include "mesh/properties.h"
#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "sample_scene.h"
#include "scene/building.h"
#include "unit/scratch_folder.h"

namespace sinew::scene {
namespace {

const std::string head =
    R"({"sinew": 1, "bodies": {"b": {"mesh": {"box": {"cells": [2, 2, 2], "split": "six"}},
  "material": {"model": "linear", "young": 10, "poisson": 0.25})";

Built built_of(const std::string& text, const std::string& folder = ".") {
  Outcome outcome = try_scene(text, {}, folder);
  EXPECT_TRUE(outcome.built) << outcome.diagnostics.text() << text;
  return outcome.built ? std::move(*outcome.built) : Built{};
}

Built with_body(const std::string& more) { return built_of(head + more + "}}}"); }
Built with_scene(const std::string& more) { return built_of(head + "}}" + more + "}"); }

double box_volume(const Built& built) {
  double volume = 0;
  for (const model::Tet& tet : built.model.elements.rows<4>()) volume += mesh::tet_volume(built.model.X, tet);
  return volume;
}

TEST(Build, BodiesAreRangesInSceneOrder) {
  const Built built = built_of(R"({"sinew": 1, "bodies": {
      "z": {"mesh": {"box": {"cells": [1, 1, 1], "split": "six"}}, "material": {"model": "linear", "young": 1, "poisson": 0}},
      "a": {"mesh": {"ball": {"radius": 2, "cells": 4, "centre": [9, 0, 0]}}, "density": 7,
            "material": {"model": "stvk", "young": 3, "poisson": 0.1}, "damping": {"mass": 0.5, "stiffness": 0.25}}}})");
  ASSERT_EQ(built.model.bodies.size(), 2u);
  EXPECT_EQ(built.model.bodies[0].name, "z");
  EXPECT_EQ(built.model.bodies[0].nodes.end, 8);
  EXPECT_EQ(built.model.bodies[1].nodes.begin, 8);
  EXPECT_EQ(built.model.bodies[0].surface.size(), 12u);
  EXPECT_EQ(built.model.sets[1].law->name, "stvk");
  EXPECT_EQ(built.model.sets[1].elements.front(), 6);
  EXPECT_EQ(built.model.params.material[1][0].values[0], 3);
  EXPECT_EQ(built.model.params.density[1].values[0], 7);
  EXPECT_EQ(built.model.bodies[1].stiffness_damping, 0.25);
  for (int32_t i = 8; i < built.model.bodies[1].nodes.end; ++i)
    EXPECT_LE(norm(built.model.X[i] - Vec3d{9, 0, 0}), 2 + 1e-12);
}

TEST(Build, MaterialsThatAddAndFibres) {
  const Built built =
      built_of(R"({"sinew": 1, "bodies": {"b": {"mesh": {"box": {"cells": [2, 2, 2], "split": "six"}},
      "select": {"low": {"box": [[0, 0, 0], [0.5, 1, 1]]}},
      "material": [{"model": "neo_hookean", "young": 1, "poisson": 0.3},
                   {"model": "active_fibre", "tension": 2, "nominal": true, "fibre": [0, 3, 4], "where": "low", "add": true}]}}})");
  ASSERT_EQ(built.model.sets.size(), 2u);
  EXPECT_EQ(built.model.sets[0].elements.size(), 48u);
  EXPECT_EQ(built.model.sets[1].elements.size(), 24u);
  const auto& values = built.model.params.material[1];
  ASSERT_EQ(values.size(), 5u);
  const double expected[] = {2, 1, 0, 3, 4};
  for (int k = 0; k < 5; ++k) EXPECT_EQ(values[k].values[0], expected[k]);
}

TEST(Build, ElementsOfSecondOrder) {
  const Built built = with_body(R"(, "elements": "quadratic")");
  const model::Model& model = built.model;
  EXPECT_EQ(model.bodies[0].kind->name, "quadratic");
  EXPECT_EQ(model.X.size(), 125u);  // the nodes of a grid of half the cell size
  EXPECT_EQ(model.elements.width(), 10);
  EXPECT_EQ(model.bodies[0].surface.size(), 4 * 48u);
  double lumped = 0, load = 0;
  for (double m : model.lumped_mass(model.params)) {
    EXPECT_GT(m, 0);
    lumped += m;
  }
  for (double m : model.load_mass(model.params)) load += m;
  EXPECT_NEAR(lumped, 1000, 1e-9);
  EXPECT_NEAR(load, 1000, 1e-9);
}

// Traction on a face of second order: the edge nodes carry all of it, a third of the face's share each.
TEST(Build, TractionOnFacesOfSecondOrder) {
  const Built built =
      built_of(R"({"sinew": 1, "bodies": {"b": {"mesh": {"box": {"cells": [1, 1, 1], "split": "six"}},
      "material": {"model": "linear", "young": 1, "poisson": 0}, "elements": "quadratic"}},
      "attach": [{"what": "b.xmin"}], "loads": [{"type": "traction", "what": "b.xmax", "value": [0, 0, 6]}]})");
  ASSERT_EQ(built.model.nodal_loads.size(), 1u);
  const model::NodalLoad& load = built.model.nodal_loads[0];
  EXPECT_EQ(load.nodes.size(), 9u);
  for (size_t k = 0; k < load.nodes.size(); ++k) {
    const Vec3d& X = built.model.X[load.nodes[k]];
    const bool middle = X[1] == 0.5 && X[2] == 0.5, corner = X[1] != 0.5 && X[2] != 0.5;
    EXPECT_NEAR(load.forces[k][2], corner ? 0 : middle ? 2 : 1, 1e-12);
  }
}

TEST(Build, EveryShape) {
  const std::pair<const char*, double> shapes[] = {
      {R"({"cylinder": {"radius": 1, "length": 2, "cells": 16, "layers": 2}})", 2 * M_PI},
      {R"({"tube": {"inner": 1, "outer": 2, "length": 1, "radial": 2, "around": 48, "layers": 1}})",
       3 * M_PI},
      {R"({"shell": {"inner": 1, "outer": 2, "octant": true, "radial": 4, "across": 12}})", 7 * M_PI / 6},
      {R"({"ball": {"radius": 1, "cells": 16}})", 4 * M_PI / 3},
      {R"({"box": {"size": [1, 2, 3], "cells": [1, 2, 3], "split": "bcc"}})", 6},
      {R"({"ellipsoid": {"radii": [1, 2, 1.5], "cells": 16, "split": "crossed"}})", 4 * M_PI},
      {R"({"torus": {"major": 1, "minor": 0.5, "cells": 16, "around": 40}})", M_PI * M_PI / 2},
      {R"({"torus": {"major": 1, "minor": 0.5, "sweep_degrees": 90, "cells": 16, "around": 10}})",
       M_PI * M_PI / 8},
      {R"({"capsule": {"radius": 1, "length": 2, "cells": 16, "layers": 8, "split": "crossed"}})",
       M_PI * (2 + 4.0 / 3)},
      {R"({"sheet": {"size": [2, 1], "thickness": 0.01, "cells": [20, 10], "split": "crossed"}})", 0.02},
      {R"({"lattice": {"cell": 0.1, "solid": {"ball": {"radius": 1, "centre": [3, 0, 0]}}}})", 4 * M_PI / 3},
      {R"({"lattice": {"cell": 0.08, "solid": {"ellipsoid": {"radii": [1, 0.6, 0.8],
           "rotate": {"axis": [1, 1, 0], "degrees": 40}}}}})",
       4 * M_PI / 3 * 0.48},
      {R"({"lattice": {"cell": 0.05, "solid": {"torus": {"major": 1, "minor": 0.3}}}})",
       2 * M_PI * M_PI * 0.09},
      {R"({"lattice": {"cell": 0.05, "solid": {"capsule": {"radius": 0.3, "length": 1}}}})",
       M_PI * 0.09 * 1.4},
      // Half a block, cut along its diagonal, with a hole along y.
      {R"({"lattice": {"cell": 0.05, "solid": {"difference": [
           {"intersection": [{"box": {"size": [1, 2, 1]}},
                             {"half_space": {"point": [0, 7, 0], "normal": [3, 0, 3]}}]},
           {"cylinder": {"radius": 0.1, "length": 3, "centre": [-0.2, 0, -0.2],
                         "rotate": {"axis": [1, 0, 0], "degrees": 90}}}]}}})",
       1 - M_PI * 0.01 * 2},
      {R"({"lattice": {"cell": 0.1, "solid": {"union": [{"ball": {"radius": 1}},
           {"ball": {"radius": 0.5, "centre": [0, 0, 4]}}]}}})",
       4 * M_PI / 3 * 1.125},
  };
  for (const auto& [shape, volume] : shapes) {
    const std::string text = changed(R"({"box": {"cells": [2, 2, 2], "split": "six"}})", shape, head) + "}}}";
    const Built built = built_of(text);
    EXPECT_NEAR(box_volume(built), volume, 0.02 * volume) << shape;
    const Outcome outcome = try_scene(text);
    EXPECT_GE(estimated_tets(outcome.scene->resolved["bodies"]["b"]["mesh"]),
              static_cast<double>(built.model.elements.size()));
  }
}

TEST(Build, NewShapesStandWhereTheyShould) {
  const auto bounds_of = [](const char* shape) {
    const std::string text = changed(R"({"box": {"cells": [2, 2, 2], "split": "six"}})", shape, head) + "}}}";
    return mesh::bounding_box(built_of(text).model.X);
  };
  const mesh::Bounds sheet =
      bounds_of(R"({"sheet": {"size": [2, 1], "thickness": 0.01, "cells": [2, 1], "origin": [5, 6, 7]}})");
  EXPECT_NEAR(norm(sheet.low - Vec3d{5, 6, 7}), 0, 1e-12);
  EXPECT_NEAR(norm(sheet.high - Vec3d{7, 7, 7.01}), 0, 1e-12);
  const mesh::Bounds capsule =
      bounds_of(R"({"capsule": {"radius": 1, "length": 2, "cells": 4, "layers": 2, "centre": [0, 0, 10]}})");
  EXPECT_NEAR(capsule.low[2], 8, 1e-12);
  EXPECT_NEAR(capsule.high[2], 12, 1e-12);
  const mesh::Bounds turned = bounds_of(R"({"lattice": {"cell": 0.1, "solid": {"cylinder": {"radius": 0.2,
      "length": 1, "centre": [1, 2, 3], "rotate": {"axis": [0, 1, 0], "degrees": 90}}}}})");
  EXPECT_NEAR(turned.low[0], 0.5, 1e-9);
  EXPECT_NEAR(turned.high[0], 1.5, 1e-9);
  EXPECT_NEAR(turned.high[1], 2.2, 1e-9);
}

TEST(Build, PlaceScalesTurnsAndShifts) {
  const Built built = with_body(
      R"(, "place": {"scale": 2, "rotate": {"axis": [0, 0, 2], "degrees": 90}, "translate": [10, 0, 0]})");
  const mesh::Bounds box = mesh::bounding_box(built.model.X);
  EXPECT_NEAR(box.low[0], 8, 1e-12);
  EXPECT_NEAR(box.high[0], 10, 1e-12);
  EXPECT_NEAR(box.high[1], 2, 1e-12);
  EXPECT_NEAR(box_volume(built), 8, 1e-12);
}

// 1.1e-8 m of rounding at 5e7 m are 1.8e-8 of a mean edge of 0.62 m; a tenth of that is fine.
TEST(Build, PositionsThatTheMeshCannotResolveAreRefused) {
  const auto placed = [](const char* place) {
    return try_scene(changed("\"density\": 1000", std::string("\"density\": 1000, ") + place));
  };
  const std::string near = placed(R"("place": {"translate": [0, 5e6, 0]})").diagnostics.text();
  EXPECT_EQ(near.find("rounded"), std::string::npos) << near;
  const std::string far = placed(R"("place": {"translate": [0, 5e7, 0]})").diagnostics.text();
  for (const char* word : {"/bodies/block/place/translate", "node 6 of the body \"block\" at (0, 5e+07, 0)",
                           "rounded to 1.1e-08 m", "move the scene to the origin"})
    EXPECT_NE(far.find(word), std::string::npos) << word << "\n" << far;
  const std::string start =
      placed(
          R"("initial": {"positions": {"affine": {"matrix": [[1,0,0],[0,1,0],[0,0,1]], "translate": [1e9,0,0]}}})")
          .diagnostics.text();
  EXPECT_NE(start.find("/bodies/block/initial/positions"), std::string::npos) << start;
  const std::string scaled =
      placed(R"("place": {"scale": 1e6, "translate": [0, 5e8, 0]})").diagnostics.text();
  EXPECT_EQ(scaled.find("rounded"), std::string::npos) << scaled;
}

TEST(Build, SelectionsAndTheirCombinations) {
  const std::pair<const char*, size_t> cases[] = {
      {R"({"box": [[0, 0, 0], [1, 1, 0]]})", 9},
      {R"({"sphere": {"centre": [0, 0, 0], "radius": 0.6}})", 4},
      {R"({"plane": {"point": [0, 0.5, 0], "normal": [0, 3, 0]}})", 9},
      {R"({"group": "xmin"})", 9},
      {R"({"all": true})", 27},
      {R"({"surface": true})", 26},
      {R"({"not": {"surface": true}})", 1},
      {R"({"union": [{"group": "xmin"}, {"group": "ymin"}]})", 15},
      {R"({"intersection": [{"group": "xmin"}, {"group": "ymin"}]})", 3},
  };
  for (const auto& [selection, count] : cases) {
    const Built built =
        built_of(head + R"(, "select": {"s": )" + selection + R"(}}}, "attach": [{"what": "b.s"}]})");
    ASSERT_EQ(built.model.attachments.size(), 1u);
    EXPECT_EQ(built.model.attachments[0].nodes.size(), count) << selection;
  }
}

TEST(Build, NearAgreesWithBruteForce) {
  const Built built = built_of(R"({"sinew": 1, "bodies": {
      "a": {"mesh": {"box": {"cells": [6, 6, 6], "size": [2, 2, 2]}}, "material": {"model": "linear", "young": 1, "poisson": 0},
            "select": {"s": {"near": {"body": "c", "distance": 0.45}}}},
      "c": {"mesh": {"ball": {"radius": 0.7, "cells": 5, "centre": [2.1, 1.2, 0.4]}},
            "material": {"model": "linear", "young": 1, "poisson": 0}}}, "attach": [{"what": "a.s"}]})");
  const auto& X = built.model.X;
  std::vector<int32_t> expected;
  for (int32_t i = 0; i < built.model.bodies[0].nodes.end; ++i) {
    double distance = 1e9;
    for (const auto& [a, b, c] : built.model.bodies[1].surface)
      distance =
          std::min(distance, std::sqrt(geometry::closest_on_triangle(X[i], X[a], X[b], X[c]).distance2));
    if (distance <= 0.45) expected.push_back(i);
  }
  EXPECT_GT(expected.size(), 5u);
  EXPECT_EQ(built.model.attachments[0].nodes, expected);
}

TEST(Build, NearTakesCollidersWhereTheyAreAtTheStart) {
  const auto selected = [](const std::string& collider, double distance) {
    const Built built =
        built_of(R"({"sinew": 1, "bodies": {
      "a": {"mesh": {"box": {"cells": [6, 6, 6], "size": [2, 2, 2]}}, "material": {"model": "linear", "young": 1, "poisson": 0},
            "select": {"s": {"near": {"collider": "c", "distance": )" +
                 std::to_string(distance) + R"(}}}}}, "attach": [{"what": "a.s"}], "colliders": {"c": )" +
                 collider + "}}");
    return std::pair(built.model.X, built.model.attachments.at(0).nodes);
  };
  const auto expect = [&](const std::string& collider, double distance, auto to_surface) {
    const auto [X, nodes] = selected(collider, distance);
    std::vector<int32_t> expected;
    for (size_t i = 0; i < X.size(); ++i)
      if (to_surface(X[i]) <= distance) expected.push_back(static_cast<int32_t>(i));
    EXPECT_GT(expected.size(), 5u);
    EXPECT_LT(expected.size(), X.size());
    EXPECT_EQ(nodes, expected) << collider;
  };
  expect(R"({"shape": {"plane": {"point": [0, 0.1, 0], "normal": [0, 1, 0]}}})", 0.3,
         [](const Vec3d& x) { return std::abs(x[1] - 0.1); });
  // From inside too, and where the motion begins.
  expect(R"({"shape": {"sphere": {"centre": [0, 0, 0], "radius": 0.8}},
             "motion": [{"time": 0, "translate": [1, 1, 0.5]}, {"time": 1, "translate": [9, 9, 9]}]})",
         0.25, [](const Vec3d& x) {
           return std::abs(norm(x - Vec3d{1, 1, 0.5}) - 0.8);
         });
}

// A curved mesh of second order with a vector on every tet, as a file in the folder.
mesh::TetMesh write_curved_mesh(const std::filesystem::path& folder, double bend) {
  mesh::TetMesh mesh = *mesh::make_box({.size = {1, 1, 1}, .cells = {1, 1, 1}, .split = mesh::Split::six});
  mesh::add_edge_nodes(mesh);
  for (size_t i = 8; i < mesh.vertices.size(); ++i) {
    Vec3d& X = mesh.vertices[i];
    X += Vec3d{X[1], -X[2], X[0]} * (bend * X[0] * (1 - X[0]) + bend * X[1] * (1 - X[1]));
  }
  mesh::Attribute& fibre = mesh.element_data["fibre"];
  fibre.width = 3;
  for (size_t t = 0; t < mesh.elements.size(); ++t) fibre.values.insert(fibre.values.end(), {1, 0, 0});
  EXPECT_TRUE(io::write_tet_mesh((folder / "curved.vtu").string(), mesh));
  return mesh;
}

const std::string curved_scene =
    R"({"sinew": 1, "bodies": {"b": {"mesh": {"file": "curved.vtu"}, "elements": "quadratic",
      "material": {"model": "guccione", "c": 1, "bulk": 10, "fibre": {"field": "fibre"}})";

TEST(Build, ProbesInCurvedTetsSitWhereTheyWereAsked) {
  const ScratchFolder scratch;
  write_curved_mesh(scratch.path(), 0.1);
  const Built built =
      built_of(curved_scene + R"(}}, "probes": {"p": {"body": "b", "point": [0.3, 0.55, 0.4]}}})",
               scratch.path().string());
  ASSERT_EQ(built.model.probes.size(), 1u);
  const model::Site& site = built.model.probes[0].site;
  EXPECT_EQ(site.count, 10);
  EXPECT_LT(norm(model::position(site, built.model.X, {}) - Vec3d{0.3, 0.55, 0.4}), 1e-13);
}

TEST(Build, VectorsOfTheFileTurnWithTheMesh) {
  const ScratchFolder scratch;
  write_curved_mesh(scratch.path(), 0);
  const Built built =
      built_of(curved_scene + R"(, "place": {"scale": 2, "rotate": {"axis": [0, 0, 1], "degrees": 90}}}}})",
               scratch.path().string());
  const auto& values = built.model.params.material[0];
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(values[5 + k].values[0], k == 1 ? 1 : 0, 1e-15);
}

TEST(Build, FoldedTetsAreRefused) {
  const ScratchFolder scratch;
  write_curved_mesh(scratch.path(), 2);
  const Outcome outcome = try_scene(curved_scene + "}}}", {}, scratch.path().string());
  EXPECT_FALSE(outcome.built);
  EXPECT_NE(outcome.diagnostics.text().find("curved edges fold it"), std::string::npos)
      << outcome.diagnostics.text();
}

TEST(Build, MaterialsByRegionTakeTheLastMatch) {
  const std::string text = changed(R"({"model": "linear", "young": 10, "poisson": 0.25})",
                                   R"([{"model": "linear", "young": 1, "poisson": 0},
                                       {"model": "stvk", "young": 2, "poisson": 0, "where": "half"}])",
                                   head);
  const Built built = built_of(text + R"(, "select": {"half": {"box": [[0, 0, 0], [0.5, 1, 1]]}}}}})");
  ASSERT_EQ(built.model.sets.size(), 2u);
  EXPECT_EQ(built.model.sets[0].elements.size(), 24u);
  EXPECT_EQ(built.model.sets[1].elements.size(), 24u);
  for (int32_t t : built.model.sets[1].elements)
    for (int32_t node : built.model.elements[t]) EXPECT_LE(built.model.X[node][0], 0.5);
}

TEST(Build, FieldsComeFromTheMeshFile) {
  const ScratchFolder scratch;
  const std::filesystem::path& folder = scratch.path();
  std::ofstream(folder / "m.mesh")
      << "MeshVersionFormatted 2\nDimension 3\nVertices\n6\n0 0 0 0\n1000 0 0 0\n"
         "0 1000 0 0\n0 0 1000 0\n1000 1000 1000 0\n9 9 9 0\nTetrahedra\n2\n1 2 3 4 5\n"
         "2 3 4 5 7\nEnd\n";
  const std::string text = changed("\"young\": 10", R"("young": {"field": "ref"})",
                                   changed(R"({"box": {"cells": [2, 2, 2], "split": "six"}})",
                                           R"({"file": "m.mesh", "unit": "mm", "up": "z"})", head));
  const Built built = built_of(text + R"(, "density": {"field": "ref"}, "select": {"s": {"group": "ref_7"}}}},
      "attach": [{"what": "b.s"}]})",
                               folder.string());
  ASSERT_EQ(built.model.X.size(), 5u);  // the unused vertex is left out
  EXPECT_EQ(built.notes.empty(), false);
  EXPECT_NEAR(built.model.X[3][1], 1, 1e-15);  // z of the file is up
  EXPECT_NEAR(built.model.X[2][2], -1, 1e-15);
  EXPECT_EQ(built.model.params.material[0][0].values, (std::vector<double>{5, 7}));
  EXPECT_EQ(built.model.params.density[0].values, (std::vector<double>{5, 7}));
  EXPECT_EQ(built.model.attachments[0].nodes, (std::vector<int32_t>{1, 2, 3, 4}));
}

TEST(Build, MotionTurnsAboutTheCentroid) {
  const Built built = with_scene(R"(, "attach": [{"what": "b.xmax",
      "motion": [{"time": 0}, {"time": 2, "rotate": {"axis": [2, 0, 0], "degrees": 720}}]}])");
  ASSERT_EQ(built.model.attachments.size(), 1u);
  EXPECT_EQ(built.model.attachments[0].name, "xmax");
  std::vector<double> inputs(built.model.inputs.size());
  built.model.inputs.evaluate(0.25, inputs);  // a quarter turn
  const model::Pose pose = model::pose_at(inputs, built.model.attachments[0].pose);
  const Vec3d x = pose({1, 1, 0.5});
  EXPECT_NEAR(norm(x - Vec3d{1, 0.5, 1}), 0, 1e-12);
}

TEST(Build, PosesFromAFile) {
  const ScratchFolder scratch;
  const std::filesystem::path& folder = scratch.path();
  std::ofstream(folder / "p.csv") << "time,tx,ty,tz,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n"
                                     "1,5,0,0,0.7071067811865476,0,0,0.7071067811865476\n";
  const Built built =
      built_of(head + R"(}}, "attach": [{"what": "b.xmin", "motion": {"file": "p.csv"}}]})", folder.string());
  std::vector<double> inputs(built.model.inputs.size());
  built.model.inputs.evaluate(1, inputs);
  EXPECT_NEAR(norm(model::pose_at(inputs, 0)({1, 0, 0}) - Vec3d{5, 1, 0}), 0, 1e-12);
}

TEST(Build, HoldsOfEveryKind) {
  const Built built = with_scene(R"(, "attach": [
      {"what": "b.xmin"}, {"what": "b.ymin"},
      {"what": "b.zmax", "hold": "plane", "normal": [0, 0, 5]},
      {"what": "b.xmax", "hold": "line", "direction": [3, 0, 0], "name": "rail"},
      {"what": "b.ymax", "hold": "soft", "stiffness": 4}])");
  ASSERT_EQ(built.model.attachments.size(), 4u);
  EXPECT_EQ(built.model.attachments[1].nodes.size(), 6u);  // three are already held the same way
  EXPECT_EQ(built.model.attachments[2].hold, model::Hold::plane);
  EXPECT_EQ(built.model.attachments[2].direction[2], 1);
  EXPECT_EQ(built.model.attachments[3].name, "rail");
  ASSERT_EQ(built.model.links.size(), 9u);
  EXPECT_EQ(built.model.params.link_normal, std::vector<double>(9, 4));
  EXPECT_EQ(norm(built.model.links[0].b.point - built.model.X[built.model.links[0].a.node[0]]), 0);
}

TEST(Build, LoadsAddUp) {
  const Built built = with_scene(R"(, "loads": [
      {"type": "force", "what": "b.xmax", "value": [1, 2, 3]},
      {"type": "traction", "what": "b.xmax", "value": [0, 0, 6], "ramp": [{"time": 0, "factor": 0}, {"time": 2, "factor": 1}]},
      {"type": "pressure", "what": "b.surface", "value": 5}, {"type": "pressure", "what": "b.zmin", "value": 5}])");
  Vec3d force = Vec3d::zero(), traction = Vec3d::zero();
  for (const Vec3d& f : built.model.nodal_loads[0].forces) force += f;
  for (const Vec3d& f : built.model.nodal_loads[1].forces) traction += f;
  EXPECT_NEAR(norm(force - Vec3d{1, 2, 3}), 0, 1e-12);
  EXPECT_NEAR(norm(traction - Vec3d{0, 0, 6}), 0, 1e-12);  // times an area of one
  EXPECT_TRUE(built.model.pressure_loads[0].closed);
  EXPECT_FALSE(built.model.pressure_loads[1].closed);
  EXPECT_EQ(built.model.pressure_loads[1].faces.size(), 8u);
  std::vector<double> inputs(built.model.inputs.size());
  built.model.inputs.evaluate(1, inputs);
  EXPECT_EQ(inputs[built.model.nodal_loads[1].factor], 0.5);
}

TEST(Build, ProbesAndSpringsSitWhereTheyAreTold) {
  const Built built = with_scene(R"(, "probes": {"corner": {"body": "b", "point": [1, 1, 1]},
        "inside": {"body": "b", "point": [0.31, 0.22, 0.77]}, "outside": {"body": "b", "point": [1.05, 0.5, 0.4]}},
      "springs": [{"from": {"body": "b", "point": [1, 0.5, 0.5]}, "to": {"point": [3, 0.5, 0.5]}, "stiffness": 8},
                  {"from": {"body": "b", "point": [0, 0, 0]}, "to": {"body": "b", "point": [0, 0, 1]}, "stiffness": 1, "rest_length": 0}])");
  const Vec3d expected[] = {{1, 1, 1}, {0.31, 0.22, 0.77}, {1.05, 0.5, 0.4}};
  for (int i = 0; i < 3; ++i) {
    Vec3d x = Vec3d::zero();
    const model::Site& site = built.model.probes[i].site;
    for (int k = 0; k < site.count; ++k) x += built.model.X[site.node[k]] * site.weight[k];
    EXPECT_NEAR(norm(x - expected[i]), 0, 1e-12);
  }
  EXPECT_EQ(built.model.probes[0].site.count, 1);
  EXPECT_EQ(built.model.links[0].rest_length, 2);
  EXPECT_EQ(built.model.params.link_tangent, (std::vector<double>{0, 1}));
}

TEST(Build, InitialPositionsAndVelocities) {
  const auto start = [](const std::string& initial) {
    const Built built = with_body(", \"initial\": " + initial);
    return initial_state(built, model::StateLayout());
  };
  const auto rest = with_body("").model.X;
  const model::State flat = start(R"({"positions": {"flat": {"axis": "y", "at": 3}}})");
  const model::State mirrored = start(R"({"positions": {"mirror": {"axis": "x", "at": 0}}})");
  const model::State point = start(R"({"positions": {"collapse": {"point": [1, 2, 3]}}})");
  const model::State affine = start(
      R"({"positions": {"affine": {"matrix": [[0, 2, 0], [1, 0, 0], [0, 0, 1]], "translate": [0, 0, 4]}}})");
  for (size_t i = 0; i < rest.size(); ++i) {
    EXPECT_EQ(norm(flat.x()[i] - Vec3d{rest[i][0], 3, rest[i][2]}), 0);
    EXPECT_EQ(norm(mirrored.x()[i] - Vec3d{-rest[i][0], rest[i][1], rest[i][2]}), 0);
    EXPECT_EQ(norm(point.x()[i] - Vec3d{1, 2, 3}), 0);
    EXPECT_EQ(norm(affine.x()[i] - Vec3d{2 * rest[i][1], rest[i][0], rest[i][2] + 4}), 0);
  }
  const model::State a = start(R"({"positions": {"scatter": {}}})"),
                     b = start(R"({"positions": {"scatter": {"seed": 2}}})");
  EXPECT_FALSE(a == b);
  const mesh::Bounds box = mesh::bounding_box(a.x());
  EXPECT_GT(box.high[0] - box.low[0], 5);
  for (const Vec3d& x : a.x())
    for (int k = 0; k < 3; ++k) EXPECT_LE(std::abs(x[k] - 0.5), 5);
  const model::State spun =
      start(R"({"velocity": [1, 0, 0], "spin": {"axis": [0, 0, 1], "degrees_per_second": 180}})");
  EXPECT_NEAR(norm(spun.v()[0] - Vec3d{1 + M_PI / 2, -M_PI / 2, 0}), 0, 1e-12);
}

TEST(Build, HeldNodesStartWhereTheyAreHeld) {
  const Built built = built_of(head + R"(, "initial": {"positions": {"scatter": {}}}}},
      "attach": [{"what": "b.xmin", "motion": [{"time": 0, "translate": [0, 0, 1]}]}]})");
  const model::State state = initial_state(built, model::StateLayout());
  for (int32_t node : built.model.attachments[0].nodes)
    EXPECT_EQ(norm(state.x()[node] - built.model.X[node] - Vec3d{0, 0, 1}), 0);
}

TEST(Build, SettingsTimeAndExpectations) {
  const Built built = with_scene(R"(, "solve": {"mode": "dynamic", "integrator": "bdf2", "tolerance": 1e-4},
      "time": {"fps": 10, "frames": 5, "substeps": 4}, "probes": {"p": {"body": "b", "point": [0, 0, 0]}},
      "expect": {"p.position.x": {"value": 1, "tolerance": 0.5}, "b.det_F.min": {"min": 0, "frame": 2}})");
  EXPECT_EQ(built.settings.mode, step::Mode::dynamic);
  EXPECT_EQ(built.settings.integrator, step::Integrator::bdf2);
  EXPECT_EQ(built.settings.tolerance, 1e-4);
  EXPECT_EQ(built.time.time_of(5), 0.5);
  EXPECT_DOUBLE_EQ(built.time.time_of(2, 1), 0.125);
  ASSERT_EQ(built.expect.size(), 2u);
  EXPECT_EQ(built.expect[0].min, 0.5);
  EXPECT_EQ(built.expect[0].max, 1.5);
  EXPECT_EQ(built.expect[0].frame, 5);
  EXPECT_EQ(built.expect[1].frame, 2);
}

TEST(Build, StepsAreAutomaticWhereBodiesMayTouch) {
  const std::string floor =
      R"(, "colliders": {"floor": {"shape": {"plane": {"point": [0, 0, -9], "normal": [0, 0, 1]}}}})";
  const auto automatic = [](const std::string& more, const std::string& mode = "dynamic",
                            const std::string& method = "newton") {
    const Built built =
        with_scene(R"(, "solve": {"mode": ")" + mode + R"(", "method": ")" + method + "\"}" + more);
    return built.settings.auto_steps && built.time.substeps == 1;
  };
  EXPECT_FALSE(automatic(""));
  EXPECT_TRUE(automatic(R"(, "time": {"substeps": "auto"})"));
  EXPECT_TRUE(automatic(floor));
  EXPECT_TRUE(automatic(R"(, "contact": {})", "dynamic", "hybrid"));
  EXPECT_FALSE(automatic(floor + R"(, "time": {"substeps": 1})"));
  EXPECT_FALSE(automatic(floor, "quasistatic"));
  EXPECT_FALSE(automatic(floor, "dynamic", "pbng"));
}

TEST(Build, MemoryIsWeighedBeforeMeshing) {
  const std::string text = changed("[2, 2, 2]", "[100, 100, 100]", head) + "}}}";
  const Outcome outcome = try_scene(text, {}, ".", int64_t{1} << 30);
  EXPECT_FALSE(outcome.built);
  EXPECT_NE(outcome.diagnostics.text().find("6,000,000 tets"), std::string::npos)
      << outcome.diagnostics.text();
  EXPECT_NE(outcome.diagnostics.text().find("6 GB"), std::string::npos);
  EXPECT_NE(outcome.diagnostics.text().find("1.1 GB that are available"), std::string::npos);
  EXPECT_GT(system_available_bytes(), 1 << 20);
}

}  // namespace
}  // namespace sinew::scene

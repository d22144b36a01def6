// Bodies that are made from surfaces, and the surfaces that they carry.
#include <gtest/gtest.h>
#include <numeric>

#include "io/file.h"
#include "io/mesh_file.h"
#include "io/skin_file.h"
#include "mesh/properties.h"
#include "mesh/surfaces.h"
#include "meshing/volume.h"
#include "model/contact_points.h"
#include "sample_scene.h"
#include "unit/scratch_folder.h"

namespace sinew::scene {
namespace {

using math::Vec3d;

// Two unit boxes that overlap, each a group.
class Skins : public testing::Test {
 protected:
  Skins() {
    const mesh::TriMesh one = mesh::box_surface({3, 3, 3});
    surface = mesh::joined(one, mesh::moved(one, [](const Vec3d& x) { return x + Vec3d{0.55, 0.35, 0.45}; }));
    const auto half = static_cast<int32_t>(one.elements.size());
    for (int32_t t = 0; t < 2 * half; ++t) surface.element_groups[t < half ? "low" : "high"].push_back(t);
    EXPECT_TRUE(io::write_tri_mesh((scratch.path() / "skin.obj").string(), surface));
  }
  static std::string scene_with(const std::string& mesh, const std::string& more = {}) {
    return R"({"sinew": 1, "bodies": {"block": {"mesh": )" + mesh + more +
           R"(, "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}}})";
  }
  Outcome build_with(const std::string& mesh, const std::string& more = {}) {
    return try_scene(scene_with(mesh, more), {}, scratch.path().string());
  }
  static std::vector<Vec3d> skin_at_rest(const Outcome& outcome) {
    return model::positions(outcome.built->skins->at(0), outcome.built->model.X);
  }
  static std::string said(const Outcome& outcome) { return outcome.diagnostics.text(); }

  ScratchFolder scratch;
  mesh::TriMesh surface;
};

// The boxes pass through each other at rest: that is left out of their contact, and all else touches with the skin.
TEST_F(Skins, BodiesTouchWithTheirSkins) {
  for (const bool skins : {true, false}) {
    const std::string text =
        R"({"sinew": 1, "bodies": {"block": {"mesh": {"surface": "skin.obj", "cell": 0.25},
        "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}}, "solve": {"mode": "dynamic"},
        "contact": {"skins": )" +
        std::string(skins ? "true" : "false") + "}}";
    const Outcome outcome = try_scene(text, {}, scratch.path().string());
    ASSERT_TRUE(outcome.built) << said(outcome);
    const model::Model& model = outcome.built->model;
    ASSERT_EQ(!model.contact.carried.empty(), skins);
    if (!skins) continue;
    mesh::TriMesh touching;
    touching.elements = model.touching_surface(0);
    std::vector<Vec3d> memory;
    const auto points = model::contact_points(model, model.X, memory);
    touching.vertices.assign(points.begin(), points.end());
    EXPECT_NEAR(mesh::enclosed_volume(touching), mesh::enclosed_volume(surface), 1e-10);
    EXPECT_FALSE(model.contact.ignored.empty());
    EXPECT_TRUE(model.contact.barrier);
    EXPECT_NE(outcome.built->notes.back().find("\"block\" passes through itself at rest"), std::string::npos);
  }
}

// A ball in a hollow one, a gap around it that is narrower than what a fine skin may be moved by: their skins stay as they are.
TEST_F(Skins, CloseBodiesKeepFineSkins) {
  const auto ball = [](double radius) {
    return mesh::moved(mesh::sphere_surface(24), [&](const Vec3d& x) { return x * radius; });
  };
  mesh::TriMesh inside = ball(0.7);
  for (auto& triangle : inside.elements) std::swap(triangle[1], triangle[2]);
  const std::string folder = scratch.path().string();
  ASSERT_TRUE(io::write_tri_mesh(folder + "/hollow.obj", mesh::joined(ball(1), inside)));
  for (const double gap : {0.004, 0.1}) {
    ASSERT_TRUE(io::write_tri_mesh(folder + "/ball.obj", ball(0.7 - gap)));
    const std::string material =
        R"("material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}})";
    const Outcome outcome = try_scene(R"({"sinew": 1, "bodies": {
        "hollow": {"mesh": {"surface": "hollow.obj", "cell": 0.3}, )" +
                                          material + R"(,
        "ball": {"mesh": {"surface": "ball.obj", "cell": 0.3}, )" +
                                          material + R"(},
        "contact": {}, "solve": {"mode": "dynamic"}})",
                                      {}, folder);
    ASSERT_TRUE(outcome.built) << said(outcome);
    const size_t fine = ball(1).elements.size();
    for (const int body : {0, 1}) {
      const size_t triangles = outcome.built->model.touching_surface(body).size();
      if (gap < 0.01)
        EXPECT_EQ(triangles, body == 0 ? 2 * fine : fine);
      else
        EXPECT_LT(triangles, fine);
    }
  }
}

// Of two tets one carries a skin, a smaller tet; the other one touches with its faces.
TEST_F(Skins, PartsWithoutSkinTouchWithTheirElements) {
  mesh::TetMesh tets;
  tets.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {3, 0, 0}, {4, 0, 0}, {3, 1, 0}, {3, 0, 1}};
  tets.elements = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  mesh::Skin skin;
  for (int k = 0; k < 4; ++k) {
    std::array<double, 4> weights = {0.1, 0.1, 0.1, 0.1};
    weights[k] = 0.7;
    skin.tet.push_back(0);
    skin.weights.push_back(weights);
  }
  skin.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const std::string folder = scratch.path().string();
  ASSERT_TRUE(io::write_tet_mesh(folder + "/two.vtu", tets));
  ASSERT_TRUE(io::write_skin(folder + "/two.npz", skin));
  const Outcome outcome =
      try_scene(R"({"sinew": 1, "bodies": {"two": {"mesh": {"file": "two.vtu", "skin": "two.npz"},
      "material": {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3}}}, "solve": {"mode": "dynamic"}, "contact": {}})",
                {}, folder);
  ASSERT_TRUE(outcome.built) << said(outcome);
  const model::Model& model = outcome.built->model;
  std::vector<Vec3d> memory;
  const auto points = model::contact_points(model, model.X, memory);
  double volume[2] = {0, 0};
  for (const auto& t : model.touching_surface(0))
    volume[points[t[0]][0] > 2] += dot(points[t[0]], cross(points[t[1]], points[t[2]])) / 6;
  EXPECT_NEAR(volume[1], 1.0 / 6, 1e-12);
  EXPECT_GT(volume[0], 0.01);
  EXPECT_LT(volume[0], 1.0 / 6 * 0.5);
}

TEST_F(Skins, TheBodyCarriesTheSurface) {
  for (const char* elements : {"linear", "averaged", "quadratic"}) {
    const Outcome outcome = build_with(R"({"surface": "skin.obj", "cell": 0.25})",
                                       R"(, "elements": ")" + std::string(elements) + "\"");
    ASSERT_TRUE(outcome.built) << said(outcome);
    const model::Model& model = outcome.built->model;
    const model::Skin& skin = outcome.built->skins->at(0);
    EXPECT_EQ(skin.triangles, surface.elements);
    const std::vector<Vec3d> points = skin_at_rest(outcome);
    ASSERT_EQ(points.size(), surface.vertices.size());
    for (size_t i = 0; i < points.size(); ++i) EXPECT_LT(norm(points[i] - surface.vertices[i]), 1e-12);
    // An affine map of the nodes is followed.
    std::vector<Vec3d> x = model.X;
    for (Vec3d& p : x) p = {2 * p[0] + p[2], p[1] - 3, 0.5 * p[2]};
    const std::vector<Vec3d> moved = model::positions(skin, x);
    for (size_t i = 0; i < points.size(); ++i) {
      const Vec3d& p = surface.vertices[i];
      EXPECT_LT(norm(moved[i] - Vec3d{2 * p[0] + p[2], p[1] - 3, 0.5 * p[2]}), 1e-11);
    }
    // Where the boxes overlap there are two layers.
    ASSERT_EQ(skin.layers.size(), model.elements.size());
    EXPECT_EQ(*std::max_element(skin.layers.begin(), skin.layers.end()), 2);
    EXPECT_EQ(*std::min_element(skin.layers.begin(), skin.layers.end()), 1);
  }
}

TEST_F(Skins, TheLargestPartTakesItsSurfaceAlong) {
  const mesh::TriMesh one = mesh::box_surface({3, 3, 3});
  const mesh::TriMesh small = mesh::moved(one, [](const Vec3d& x) { return x * 0.5 + Vec3d{3, 0, 0}; });
  ASSERT_TRUE(io::write_tri_mesh((scratch.path() / "two.obj").string(), mesh::joined(small, one)));
  const Outcome outcome = build_with(R"({"surface": "two.obj", "cell": 0.25})", R"(, "parts": "largest")");
  ASSERT_TRUE(outcome.built) << said(outcome);
  const model::Skin& skin = outcome.built->skins->at(0);
  EXPECT_EQ(skin.triangles, one.elements);
  const std::vector<Vec3d> points = skin_at_rest(outcome);
  ASSERT_EQ(points.size(), one.vertices.size());
  for (size_t i = 0; i < points.size(); ++i) EXPECT_LT(norm(points[i] - one.vertices[i]), 1e-12);
  for (const Vec3d& X : outcome.built->model.X) EXPECT_LT(X[0], 2);
  EXPECT_NE(outcome.built->notes.back().find("the largest of 2 parts is kept"), std::string::npos);
}

TEST_F(Skins, PlaceUnitAndAxesApplyToBoth) {
  const Outcome placed = build_with(R"({"surface": "skin.obj", "unit": "cm", "up": "z", "cell": 0.0025})",
                                    R"(, "place": {"scale": 100, "translate": [-0.5, 0, 0]})");
  ASSERT_TRUE(placed.built) << said(placed);
  const std::vector<Vec3d> points = skin_at_rest(placed);
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3d& p = surface.vertices[i];
    EXPECT_LT(norm(points[i] - Vec3d{p[0] - 0.5, p[2], -p[1]}), 1e-12);
  }
}

TEST_F(Skins, GroupsOfTheSurfaceAreSelections) {
  // Materials follow: half of the tets for each of two equal boxes. A pressure finds faces.
  const Outcome two = try_scene(
      R"({"sinew": 1, "bodies": {"block": {"mesh": {"surface": "skin.obj", "cell": 0.25}, "material": [
          {"model": "stable_neo_hookean", "young": 1e5, "poisson": 0.3},
          {"model": "linear", "young": 1, "poisson": 0, "where": "high"}]}},
        "loads": [{"type": "pressure", "what": "block.high", "value": 100}], "attach": [{"what": "block.low"}]})",
      {}, scratch.path().string());
  ASSERT_TRUE(two.built) << said(two);
  const model::Model& model = two.built->model;
  ASSERT_EQ(model.sets.size(), 2u);
  EXPECT_EQ(model.sets[0].elements.size(), model.sets[1].elements.size());
  EXPECT_EQ(model.sets[0].elements.size() + model.sets[1].elements.size(), model.elements.size());
  // All faces of the upper box, and no node of it is held by the lower one.
  EXPECT_EQ(2 * model.pressure_loads.at(0).faces.size(), model.bodies[0].surface.size());
  EXPECT_TRUE(model.pressure_loads.at(0).closed);
  std::vector<char> loaded(model.X.size());
  for (const model::Triangle& face : model.pressure_loads[0].faces)
    for (const int32_t node : face) loaded[node] = 1;
  for (const int32_t node : model.attachments.at(0).nodes) EXPECT_FALSE(loaded[node]);
}

TEST_F(Skins, WhatWasFoundIsNoted) {
  const Outcome outcome = build_with(R"({"surface": "skin.obj", "cell": 0.25})");
  ASSERT_TRUE(outcome.built) << said(outcome);
  std::string notes;
  for (const std::string& note : outcome.built->notes) notes += note + "\n";
  EXPECT_NE(notes.find("block: the surface passes through itself"), std::string::npos) << notes;
  EXPECT_NE(notes.find("several layers"), std::string::npos) << notes;
}

TEST_F(Skins, ASceneCanBeKeptWithItsSurface) {
  const Outcome outcome = build_with(R"({"surface": "skin.obj", "cell": 0.25})");
  ASSERT_TRUE(outcome.scene) << said(outcome);
  const PortableScene kept = portable(*outcome.scene, "files");
  ASSERT_EQ(kept.files.size(), 1u);
  EXPECT_EQ(kept.files[0].name, "files/0_skin.obj");
  EXPECT_EQ(kept.resolved["bodies"]["block"]["mesh"]["surface"].text(), "files/0_skin.obj");
  EXPECT_EQ(referenced_files(*outcome.scene).size(), 1u);
}

TEST_F(Skins, PartsAreJoinedWhereTheSceneSaysSo) {
  const auto parts = [&](const std::string& more) {
    const Outcome outcome = build_with(R"({"surface": "skin.obj", "cell": 0.2)" + more + "}");
    EXPECT_TRUE(outcome.built) << said(outcome);
    if (!outcome.built) return std::pair(0, std::string());
    mesh::TetMesh mesh;
    mesh.vertices = outcome.built->model.X;
    for (size_t e = 0; e < outcome.built->model.elements.size(); ++e)
      std::copy_n(outcome.built->model.elements[e].begin(), 4, mesh.elements.emplace_back().begin());
    std::string notes;
    for (const std::string& note : outcome.built->notes) notes += note + "\n";
    return std::pair(mesh::connected_components(mesh).count, notes);
  };
  const auto loose = parts("");
  EXPECT_EQ(loose.first, 2);
  EXPECT_NE(loose.second.find("2 parts, which come loose from each other: low, high"), std::string::npos)
      << loose.second;
  for (const char* joined : {R"(, "joined": "all")", R"(, "joined": [["high", "low"]])"}) {
    const auto held = parts(joined);
    EXPECT_EQ(held.first, 1);
    EXPECT_EQ(held.second.find("come loose"), std::string::npos) << held.second;
  }
}

TEST_F(Skins, AQuestionWhereABodyIsVeryLong) {
  const mesh::TriMesh large = mesh::moved(surface, [](const Vec3d& x) { return x * 200.0; });
  ASSERT_TRUE(io::write_tri_mesh((scratch.path() / "large.obj").string(), large));
  const auto asks = [&](const std::string& more) {
    const Outcome outcome = build_with(R"({"surface": "large.obj", "tets": 3000)" + more + "}");
    EXPECT_TRUE(outcome.built) << said(outcome);
    for (const std::string& note : outcome.built->notes)
      if (note.find("310 m long: is the file in millimetres?") != note.npos) return true;
    return false;
  };
  EXPECT_TRUE(asks(""));
  EXPECT_FALSE(asks(R"(, "unit": "mm")"));
  const Outcome refused = build_with(R"({"surface": "large.obj", "cell": 1000})");
  EXPECT_NE(said(refused).find("is the file in millimetres?"), std::string::npos) << said(refused);
}

TEST_F(Skins, TheMassIsThatOfWhatIsEnclosed) {
  for (const char* cell : {"0.25", "0.12", "0.06"})
    for (const char* elements : {"linear", "quadratic"}) {
      if (std::string(cell) == "0.06" && std::string(elements) == "quadratic") continue;
      const Outcome outcome = build_with(R"({"surface": "skin.obj", "cell": )" + std::string(cell) + "}",
                                         R"(, "density": 500, "elements": ")" + std::string(elements) + "\"");
      ASSERT_TRUE(outcome.built) << said(outcome);
      const model::Model& model = outcome.built->model;
      for (const std::vector<double>& mass : {model.lumped_mass(model.params), model.load_mass(model.params)})
        EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), 2 * 500, 1e-3) << cell;
      EXPECT_GT(model.volumes(0).mesh, 2.2);
      EXPECT_GE(*std::min_element(model.coverage.begin(), model.coverage.end()), 0.02);
    }
}

// A file keeps the coverage of the mesh.
TEST_F(Skins, CoverageOfAMeshFile) {
  const std::string folder = scratch.path().string();
  const Outcome made = build_with(R"({"surface": "skin.obj", "cell": 0.25})");
  ASSERT_TRUE(made.built) << said(made);
  const auto volume = meshing::volume_of(surface, {.cell = 0.25}, "skin.obj", Control());
  ASSERT_TRUE(volume) << volume.error().text();
  for (const char* file : {"body.vtu", "body.msh"}) {
    ASSERT_TRUE(io::write_tet_mesh(folder + "/" + file, volume->tets));
    const Outcome read = build_with(R"({"file": ")" + std::string(file) + "\"}");
    ASSERT_TRUE(read.built) << said(read);
    EXPECT_EQ(read.built->model.coverage, made.built->model.coverage) << file;
  }
  mesh::TetMesh odd = volume->tets;
  const auto refused = [&](const char* part) {
    ASSERT_TRUE(io::write_tet_mesh(folder + "/odd.vtu", odd));
    const Outcome outcome = build_with(R"({"file": "odd.vtu"})");
    EXPECT_FALSE(outcome.built);
    EXPECT_NE(said(outcome).find(part), std::string::npos) << said(outcome);
  };
  odd.element_data["coverage"].values[3] = 1.5;
  refused("found coverage 1.5 of tet 3 (counted from 0), expected 0 to 1");
  odd.element_data["coverage"].values.assign(odd.elements.size(), 0.0);
  refused("found coverage 0 of all tets");
}

TEST_F(Skins, RefusedInTheirPlace) {
  const auto refused = [&](const std::string& mesh, const char* part,
                           const char* path = "/bodies/block/mesh/surface",
                           ErrorKind kind = ErrorKind::input) {
    const Outcome outcome = build_with(mesh);
    EXPECT_FALSE(outcome.built) << mesh;
    ASSERT_EQ(outcome.diagnostics.count(), 1u) << said(outcome);
    EXPECT_EQ(outcome.diagnostics.list()[0].path, path);
    EXPECT_EQ(outcome.diagnostics.list()[0].kind, kind);
    EXPECT_NE(said(outcome).find(part), std::string::npos) << said(outcome);
  };
  refused(R"({"surface": "skin.obj", "cell": 0.2, "joined": "some"})", "expected one of all",
          "/bodies/block/mesh/joined");
  refused(R"({"surface": "skin.obj", "cell": 0.2, "joined": [["low"]]})", "2", "/bodies/block/mesh/joined/0");
  refused(R"({"surface": "skin.obj", "cell": 0.2, "joined": [["low", "eye"]]})",
          "the part 'eye' to join, expected a group of the surface: high, low");
  refused(R"({"surface": "skin.obj", "cell": 0.2, "tets": 7})", "found 2 of cell, cells and tets");
  refused(R"({"surface": "skin.obj", "cell": 3})", "larger than the body");
  refused(R"({"surface": "skin.obj", "cell": 0.001})", "smallest cell that fits");
  refused(R"({"surface": "lost.obj", "cell": 0.2})", "lost.obj", "/bodies/block/mesh/surface", ErrorKind::io);
  refused(R"({"surface": "skin.obj", "cell": -1})", "greater than 0", "/bodies/block/mesh/cell");
  refused(R"({"surface": "skin.obj", "cell": 0.2, "coarsen": 9})", "8", "/bodies/block/mesh/coarsen");
  mesh::TriMesh torn = surface;
  torn.elements.resize(20);
  torn.element_groups.clear();
  ASSERT_TRUE(io::write_tri_mesh((scratch.path() / "torn.obj").string(), torn));
  refused(R"({"surface": "torn.obj", "cell": 0.2, "repair": false})", "torn.obj");
}

TEST_F(Skins, OfAMeshFileAndOfArrays) {
  const std::string folder = scratch.path().string();
  const mesh::TetMesh tet = {{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}, {}, {}, {}, {}},
                             {}};
  const mesh::Skin skin = {
      {0, 0, 0}, {{0.25, 0.25, 0.25, 0.25}, {0, 1, 0, 0}, {0, 0, 0.5, 0.5}}, {{0, 1, 2}}};
  ASSERT_TRUE(io::write_tet_mesh(folder + "/tet.vtu", tet));
  ASSERT_TRUE(io::write_skin(folder + "/skin.npz", skin));
  const Outcome file = build_with(R"({"file": "tet.vtu", "skin": "skin.npz"})");
  ASSERT_TRUE(file.built) << said(file);
  const std::vector<Vec3d> points = skin_at_rest(file);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_LT(norm(points[0] - Vec3d{0.25, 0.25, 0.25}) + norm(points[2] - Vec3d{0, 0.5, 0.5}), 1e-15);
  EXPECT_EQ(portable(*file.scene, "f").files.size(), 2u);

  Diagnostics diagnostics;
  auto scene = parse_scene(scene_with(R"({"memory": "flesh"})"), "scene.json", ".", {}, diagnostics);
  ASSERT_TRUE(scene) << diagnostics.text();
  scene->memory.solids["flesh"] = std::make_shared<const mesh::TetMesh>(tet);
  const Result<std::string> bare = scene_hash(*scene);
  scene->memory.skins["flesh"] = std::make_shared<const mesh::Skin>(skin);
  EXPECT_NE(*bare, *scene_hash(*scene));
  const auto built = build(*scene, diagnostics);
  ASSERT_TRUE(built) << diagnostics.text();
  EXPECT_EQ(built->skins->at(0).triangles, skin.triangles);
}

}  // namespace
}  // namespace sinew::scene

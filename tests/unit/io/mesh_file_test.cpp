#include "io/mesh_file.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

#include "io/file.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;
using mesh::TriMesh;

TEST(MeshFile, EveryTetFormatComesBackBitForBit) {
  Scratch scratch;
  const TetMesh mesh = sample_tets();
  for (const MeshFormat* format : mesh_formats()) {
    if (!format->write_tets || !format->read_tets) continue;
    const std::string path =
        scratch.path("a." + std::string(format->extensions.substr(0, format->extensions.find(' '))));
    ASSERT_TRUE(write_tet_mesh(path, mesh)) << format->name;
    Notes notes;
    const auto back = read_tet_mesh(path, &notes);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_TRUE(notes.empty()) << notes[0];
    expect_same_geometry(mesh, *back);
    // Reading and writing again changes nothing.
    const std::string first = *read_text(path);
    ASSERT_TRUE(write_tet_mesh(path, *back));
    EXPECT_EQ(*read_text(path), first) << format->name;
  }
}

// Triangle by triangle, at float precision and whatever the numbers of the vertices.
void expect_same_corners(const TriMesh& a, const TriMesh& b) {
  ASSERT_EQ(a.elements.size(), b.elements.size());
  EXPECT_EQ(a.vertices.size(), b.vertices.size());
  for (size_t t = 0; t < a.elements.size(); ++t)
    for (int c = 0; c < 3; ++c)
      for (int k = 0; k < 3; ++k)
        EXPECT_EQ(static_cast<float>(a.vertices[a.elements[t][c]][k]), b.vertices[b.elements[t][c]][k]);
}

TEST(MeshFile, EveryTriangleFormatComesBackBitForBit) {
  Scratch scratch;
  const TriMesh mesh = sample_triangles();
  for (const MeshFormat* format : mesh_formats()) {
    if (!format->write_triangles || !format->read_triangles) continue;
    const std::string path = scratch.path("a." + std::string(format->extensions));
    ASSERT_TRUE(write_tri_mesh(path, mesh)) << format->name;
    const auto back = read_tri_mesh(path);
    ASSERT_TRUE(back) << back.error().text();
    if (format->corners_as_float) {
      expect_same_corners(mesh, *back);
    } else {
      expect_same_geometry(mesh, *back);
    }
    const std::string first = *read_text(path);
    ASSERT_TRUE(write_tri_mesh(path, *back));
    EXPECT_TRUE(*read_text(path) == first) << format->name;
  }
}

// Attributes and groups that only some formats hold.
template <class Mesh>
Mesh decorated(Mesh mesh) {
  const auto decorate = [](size_t count, mesh::Attributes& data, mesh::Groups& groups) {
    data.clear();
    for (const char* name : {"color", "wide"}) data[name] = {3, std::vector<double>(3 * count, 0.5)};
    for (size_t i = 0; i < count; ++i) {
      data["half"].values.push_back(static_cast<double>(i) + 0.5);
      for (const char* name : {"ref", "attribute", "marker"})
        data[name].values.push_back(static_cast<double>(i % 3));
    }
    groups = {{"some", {0, 2, 3}}, {"ref_1", {}}, {"ref_2", {1, 2}}};
    for (size_t i = 1; i < count; i += 3) groups["ref_1"].push_back(static_cast<int32_t>(i));
  };
  decorate(mesh.vertices.size(), mesh.vertex_data, mesh.vertex_groups);
  decorate(mesh.elements.size(), mesh.element_data, mesh.element_groups);
  return mesh;
}

bool says_dropped(const Notes& notes, const std::string& what, const std::string& name) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
    return note.starts_with("dropped: " + what + " ") && note.find("'" + name + "'") != std::string::npos;
  });
}

void expect_held(const std::string& what, const mesh::Attributes& all, const mesh::Attributes& back,
                 KeepsData keeps, const Notes& notes) {
  for (const auto& [name, data] : all) {
    const bool kept = keeps && keeps(name, data);
    EXPECT_EQ(says_dropped(notes, what, name), !kept) << name;
    ASSERT_EQ(back.count(name), kept) << what << ' ' << name;
    if (kept) expect_same_data({{name, data}}, {{name, back.at(name)}});
  }
}

// `refs`: groups that come back from the attribute "ref". That ref_2 has other members than it says is no loss
// where groups are stored, and a loss where they are made from "ref".
void expect_held(const std::string& what, const mesh::Groups& all, const mesh::Groups& back, bool holds,
                 bool refs, const Notes& notes) {
  for (const auto& [name, ids] : all) {
    const bool kept = holds || (refs && name == "ref_1");
    EXPECT_EQ(says_dropped(notes, what, name), !kept) << name;
    EXPECT_EQ(back.count(name) && back.at(name) == ids, kept) << what << ' ' << name;
  }
}

template <class Mesh>
void expect_held(const MeshFormat& format, const Mesh& mesh, const Mesh& back, const Notes& notes) {
  SCOPED_TRACE(format.name);
  const Holds& holds = format.holds;
  expect_held("vertex data", mesh.vertex_data, back.vertex_data, holds.vertex_data, notes);
  expect_held("element data", mesh.element_data, back.element_data, holds.element_data, notes);
  expect_held("vertex groups", mesh.vertex_groups, back.vertex_groups, holds.vertex_groups, holds.ref_groups,
              notes);
  expect_held("element groups", mesh.element_groups, back.element_groups, holds.element_groups,
              holds.ref_groups, notes);
}

TEST(MeshFile, WhatAFormatHoldsComesBackAndTheRestIsNamed) {
  Scratch scratch;
  const TetMesh first = decorated(sample_tets()), second = decorated(second_order(sample_tets()));
  TriMesh surface = decorated(sample_triangles());
  surface.element_data["texture"] = {6, std::vector<double>(6 * surface.elements.size(), 0.25)};
  for (const MeshFormat* format : mesh_formats()) {
    const std::string path =
        scratch.path("a." + std::string(format->extensions.substr(0, format->extensions.find(' '))));
    if (format->write_tets) {
      for (const TetMesh* mesh : {&first, &second}) {
        Notes notes;
        const auto ok = write_tet_mesh(path, *mesh, &notes);
        const bool fits = mesh->edge_nodes.empty() || format->holds.second_order;
        ASSERT_EQ(bool(ok), fits) << format->name;
        if (!fits) {
          EXPECT_NE(ok.error().text().find("second order: .msh .inp .node .ele .vtk .vtu"), std::string::npos)
              << ok.error().text();
          continue;
        }
        const auto back = read_tet_mesh(path);
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(mesh->edge_nodes, back->edge_nodes) << format->name;
        expect_held(*format, *mesh, *back, notes);
      }
    }
    if (format->write_triangles) {
      Notes notes;
      ASSERT_TRUE(write_tri_mesh(path, surface, &notes)) << format->name;
      const auto back = read_tri_mesh(path);
      ASSERT_TRUE(back) << back.error().text();
      expect_held(*format, surface, *back, notes);
    }
  }
}

TEST(MeshFile, LongListsOfDroppedNamesAreCut) {
  TriMesh mesh;
  for (int i = 0; i < 25; ++i) mesh.vertex_groups[std::to_string(100 + i)] = {};
  Notes notes;
  note_dropped({}, mesh, &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("'109' and 15 more"), std::string::npos) << notes[0];
}

TEST(MeshFile, UnknownExtensionsListTheKnownOnes) {
  const auto expect_listed = [](const Error& error, std::initializer_list<const char*> endings) {
    EXPECT_EQ(error.kind, ErrorKind::usage);
    for (const char* ending : endings)
      EXPECT_NE(error.text().find(ending), std::string::npos) << error.text();
  };
  expect_listed(read_tet_mesh("a.xyz").error(), {"'.xyz'", ".mesh", ".msh", ".node .ele", ".vtu"});
  expect_listed(read_tet_mesh("dir.mesh/a").error(), {".mesh", ".msh", ".node .ele", ".vtu"});
  expect_listed(read_tet_mesh("a.obj").error(), {".mesh", ".msh", ".node .ele", ".vtu"});
  expect_listed(read_tri_mesh("a.node").error(), {".mesh", ".msh", ".vtu", ".obj", ".off", ".ply", ".stl"});
  expect_listed(write_tri_mesh("a", {}).error(), {".obj"});
  expect_listed(write_tet_mesh("a.DWG", {}).error(), {"'.dwg'"});
  EXPECT_EQ(read_tet_mesh("no_such_file.MESH").error().kind, ErrorKind::io);
  EXPECT_EQ(read_tet_mesh("no_such_file.ele").error().kind, ErrorKind::io);
  EXPECT_EQ(read_tri_mesh("no_such_file.obj").error().kind, ErrorKind::io);
}

struct Real {
  const char* file;
  size_t vertices, elements;
};

std::string shared_data() {
#ifdef SINEW_SHARED_DATA
  return SINEW_SHARED_DATA;
#else
  return std::string(SINEW_SOURCE_DIR) + "/../shared/data";
#endif
}

TEST(MeshFile, RealTetMeshes) {
  if (!std::filesystem::is_directory(shared_data())) GTEST_SKIP() << "there is no folder " << shared_data();
  for (const Real& real : {Real{"bunny_small.mesh", 1839, 5891}, Real{"longbar2.mesh", 3472, 10199},
                           Real{"liver_small.mesh", 1227, 4283}, Real{"armadillo_4k.node", 1180, 3717},
                           Real{"armadillo_15k.ele", 15228, 62770}}) {
    Notes notes;
    const auto mesh = read_tet_mesh(shared_data() + "/tets/" + real.file, &notes);
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->vertices.size(), real.vertices) << real.file;
    EXPECT_EQ(mesh->elements.size(), real.elements) << real.file;
    EXPECT_EQ(mesh::quality(*mesh).inverted, 0) << real.file;
    EXPECT_NEAR(mesh::enclosed_volume(mesh::boundary_surface(*mesh).mesh), mesh::total_volume(*mesh),
                1e-9 * mesh::total_volume(*mesh))
        << real.file;
  }
  const auto bar = read_tet_mesh(shared_data() + "/tets/longbar2.mesh");
  EXPECT_NEAR(mesh::total_volume(*bar), 40 * 5 * 5, 1e-6);
}

// What other programs read of them is compared in tests/cli/mesh.py.
TEST(MeshFile, HexahedraWhereTheFormatHasThem) {
  Scratch scratch;
  mesh::HexMesh cube;
  for (int k = 0; k < 8; ++k)
    cube.vertices.push_back({double(k % 4 == 1 || k % 4 == 2), double(k % 4 > 1), double(k > 3)});
  cube.elements = {{0, 1, 2, 3, 4, 5, 6, 7}};
  cube.element_data["layers"] = {1, {2}};
  int formats = 0;
  for (const MeshFormat* format : mesh_formats()) {
    const std::string path =
        scratch.path("a." + std::string(format->extensions.substr(0, format->extensions.find(' '))));
    Notes notes;
    const auto written = write_hex_mesh(path, cube, &notes);
    EXPECT_EQ(bool(written), format->write_hexes != nullptr) << format->name;
    formats += bool(written);
    EXPECT_EQ(std::filesystem::exists(path), bool(written)) << format->name;
    if (!written) {
      EXPECT_NE(written.error().text().find("hold hexahedra: .msh"), std::string::npos)
          << written.error().text();
    } else if (!format->holds.element_data) {
      EXPECT_EQ(notes, Notes{"dropped: element data 'layers'"});
    }
  }
  EXPECT_EQ(formats, 5);
}

TEST(MeshFile, RealSurfaces) {
  if (!std::filesystem::is_directory(shared_data())) GTEST_SKIP() << "there is no folder " << shared_data();
  for (const Real& real :
       {Real{"surfaces/bunny_10k.obj", 5002, 10000}, Real{"surfaces/bunny_2k.obj", 2503, 4968},
        Real{"cloth/cloth100.obj", 10201, 20000}, Real{"anatomy/FMA23130.stl", 8136, 16268},
        Real{"anatomy/FMA37684.stl", 13926, 27840}, Real{"anatomy/FMA37686.stl", 16137, 32266}}) {
    const auto mesh = read_tri_mesh(shared_data() + "/" + real.file);
    ASSERT_TRUE(mesh) << mesh.error().text();
    EXPECT_EQ(mesh->vertices.size(), real.vertices) << real.file;
    EXPECT_EQ(mesh->elements.size(), real.elements) << real.file;
  }
  Notes notes;
  EXPECT_TRUE(read_tri_mesh(shared_data() + "/surfaces/turtle.obj", &notes));
  EXPECT_NE(notes[0].find("polygons"), std::string::npos);
}

}  // namespace
}  // namespace sinew::io

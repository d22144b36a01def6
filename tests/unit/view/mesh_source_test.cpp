#include "view/mesh_source.h"

#include <fstream>
#include <gtest/gtest.h>
#include <numeric>

#include "../scratch_folder.h"
#include "io/mesh_file.h"
#include "mesh/properties.h"
#include "mesh/second_order.h"
#include "mesh/shapes.h"

namespace sinew::view {
namespace {

mesh::TetMesh box() {
  mesh::TetMesh mesh = *mesh::make_box({.cells = {2, 2, 2}});
  mesh.vertex_data["heat"].values.assign(mesh.vertices.size(), 0);
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    mesh.vertex_data["heat"].values[i] = 10 * mesh.vertices[i][0];
  mesh::Attribute flow{3, {}};
  for (size_t t = 0; t < mesh.elements.size(); ++t)
    for (double value : {3.0, 4.0, 12.0}) flow.values.push_back(value);
  mesh.element_data["flow"] = flow;
  return mesh;
}

std::vector<float> values(Moment& moment, const std::string& field, const std::string& component = {}) {
  const auto found = moment.values(field, component);
  if (!found) {
    ADD_FAILURE() << found.error().text();
    return {};
  }
  return {found->begin(), found->end()};
}

double sum(const std::vector<float>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

TEST(MeshSource, attributes_are_fields) {
  const mesh::TetMesh mesh = box();
  const auto source = show_mesh("box", mesh);
  const auto moment = *source->at(0);
  EXPECT_EQ(moment->positions().size(), mesh.vertices.size());
  const std::vector<float> heat = values(*moment, "heat");
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    EXPECT_FLOAT_EQ(heat.at(i), static_cast<float>(10 * mesh.vertices[i][0]));
  EXPECT_FLOAT_EQ(values(*moment, "flow").at(3), 13);
  EXPECT_FLOAT_EQ(values(*moment, "flow", "y").at(3), 4);
  EXPECT_NEAR(sum(values(*moment, "volume")), 1, 1e-6);
  EXPECT_FALSE(source->at(1));
  const Json pane = source->describe();
  EXPECT_EQ(pane["frames"].size(), 1u);
  EXPECT_EQ(pane["bodies"].item(0)["tets"].number(), static_cast<double>(mesh.elements.size()));
}

TEST(MeshSource, second_order) {
  mesh::TetMesh mesh = box();
  mesh::add_edge_nodes(mesh);
  const auto source = show_mesh("box", mesh);
  EXPECT_EQ(source->stage()->surface.whole().triangles.size(), 4 * 48u);
}

TEST(MeshSource, files) {
  const ScratchFolder folder;
  const std::string tets = (folder.path() / "box.vtu").string(),
                    surface = (folder.path() / "box.obj").string();
  const mesh::TetMesh mesh = box();
  ASSERT_TRUE(io::write_tet_mesh(tets, mesh));
  ASSERT_TRUE(io::write_tri_mesh(surface, mesh::boundary_surface(mesh).mesh));
  const auto volume = open_mesh(tets), triangles = open_mesh(surface);
  ASSERT_TRUE(volume);
  EXPECT_EQ(values(**(*volume)->at(0), "heat").size(), mesh.vertices.size());
  ASSERT_TRUE(triangles);
  EXPECT_NEAR(sum(values(**(*triangles)->at(0), "area")), 6, 1e-5);
  EXPECT_NEAR(sum(values(**(*open_mesh(surface, 1e-3))->at(0), "area")), 6e-6, 1e-11);
  std::ofstream(folder.path() / "broken.obj") << "v 1 2\nf 1 2 3\n";
  const auto broken = open_mesh((folder.path() / "broken.obj").string());
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().text().find("line 1"), std::string::npos) << broken.error().text();
  EXPECT_FALSE(open_mesh((folder.path() / "missing.obj").string()));
  EXPECT_FALSE(open_mesh((folder.path() / "what.xyz").string()));
}

}  // namespace
}  // namespace sinew::view

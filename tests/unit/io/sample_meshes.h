#pragma once
// Meshes and a scratch folder that the tests of this folder share.
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <unistd.h>

#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::io {

// A folder of its own for each test, removed afterwards.
class Scratch {
 public:
  Scratch() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::temp_directory_path() / ("sinew_" + std::string(test->test_suite_name()) + "_" +
                                                  test->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  size_t file_count() const {
    return std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator());
  }

 private:
  std::filesystem::path folder_;
};

// Coordinates that no short decimal can hold, attributes of two widths, overlapping groups.
inline mesh::TetMesh sample_tets() {
  mesh::TetMesh mesh = *mesh::make_ball({.radius = 1.0 / 3, .cells = 4});
  for (size_t i = 0; i < mesh.vertices.size(); ++i) {
    mesh.vertex_data["ref"].values.push_back(static_cast<double>(i % 3));
    mesh.vertex_data["wide"].width = 3;
    for (int k = 0; k < 3; ++k) mesh.vertex_data["wide"].values.push_back(mesh.vertices[i][k] * 7.1);
  }
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto id = static_cast<int32_t>(t);
    mesh.element_data["ref"].values.push_back(t < 40 ? 5 : 2);
    if (t % 2) mesh.element_groups["odd"].push_back(id);
    if (t < 50) mesh.element_groups["first half"].push_back(id);
  }
  return mesh;
}

// With a node on every edge, off its middle so that no two edges can be mistaken for each other.
inline mesh::TetMesh second_order(mesh::TetMesh mesh) {
  std::map<std::pair<int32_t, int32_t>, int32_t> node_of;
  for (const auto& tet : mesh.elements) {
    auto& edges = mesh.edge_nodes.emplace_back();
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = std::minmax(tet[mesh::tet_edges[k][0]], tet[mesh::tet_edges[k][1]]);
      const auto [place, added] =
          node_of.emplace(std::pair(a, b), static_cast<int32_t>(mesh.vertices.size()));
      if (added) {
        mesh.vertices.push_back(0.51 * mesh.vertices[a] + 0.49 * mesh.vertices[b]);
        for (auto& [name, data] : mesh.vertex_data)
          data.values.resize(data.values.size() + data.width, mesh.vertices.back()[0]);
      }
      edges[k] = place->second;
    }
  }
  return mesh;
}

inline mesh::TriMesh sample_triangles() { return mesh::boundary_surface(sample_tets()).mesh; }

template <int corners>
void expect_same_geometry(const mesh::Mesh<corners>& a, const mesh::Mesh<corners>& b) {
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  for (size_t i = 0; i < a.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(a.vertices[i][k], b.vertices[i][k]);
  EXPECT_EQ(a.elements, b.elements);
}

inline void expect_same_data(const mesh::Attributes& a, const mesh::Attributes& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, data] : a) {
    ASSERT_TRUE(b.count(name)) << name;
    EXPECT_EQ(b.at(name).width, data.width);
    EXPECT_EQ(b.at(name).values, data.values);
  }
}

}  // namespace sinew::io

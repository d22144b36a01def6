#include "element/node_star.h"

#include <gtest/gtest.h>

#include "mesh/adjacency.h"
#include "mesh/properties.h"
#include "mesh/shapes.h"

namespace sinew::element {
namespace {

using math::PackD;
using Rest = material::NodeTets<PackD>;

// Every node of a box, in blocks of as many as there are lanes, and one that has no tets.
template <int lanes>
struct Sample {
  mesh::TetMesh mesh = *mesh::make_box({.size = {1, 2, 3}, .cells = {2, 3, 2}, .split = mesh::Split::six});
  mesh::Csr around;
  std::vector<int32_t> order, nodes;

  Sample() {
    mesh.vertices.push_back({7, 7, 7});
    const auto count = static_cast<int32_t>(mesh.vertices.size());
    around = mesh::node_elements(mesh.elements, count);
    for (int32_t e = 0; e < static_cast<int32_t>(mesh.elements.size()); ++e) order.push_back(-e);
    for (int32_t i = 0; i < (count + lanes - 1) / lanes * lanes; ++i) nodes.push_back(std::min(i, count - 1));
  }
  NodeStars<Tet4, lanes> stars() const {
    return {mesh.vertices, mesh.elements, order, nodes, [&](int32_t node, std::vector<int32_t>& list) {
              list.insert(list.end(), around.row(node).begin(), around.row(node).end());
            }};
  }
};

template <int lanes>
void expect_every_element_around_its_nodes() {
  const Sample<lanes> sample;
  const NodeStars<Tet4, lanes> stars = sample.stars();
  for (size_t b = 0; b + 1 < stars.begin.size(); ++b)
    for (int l = 0; l < lanes; ++l) {
      const int32_t node = sample.nodes[b * lanes + l];
      std::vector<int32_t> found;
      for (int64_t k = stars.begin[b]; k < stars.begin[b + 1]; ++k) {
        const auto& tet = sample.mesh.elements[stars.id(k, l)];
        const int own = stars.own(k, l);
        for (int j = 0; j < 3; ++j) EXPECT_EQ(stars.others[(3 * k + j) * lanes + l], tet[j + (j >= own)]);
        if (stars.padding(k, l)) continue;
        found.push_back(stars.id(k, l));
        EXPECT_EQ(tet[own], node);
      }
      const auto row = sample.around.row(node);
      EXPECT_EQ(found, std::vector<int32_t>(row.rbegin(), row.rend()));  // by the given order
    }
}

TEST(NodeStars, HoldEveryElementAroundItsNodes) {
  expect_every_element_around_its_nodes<8>();
  expect_every_element_around_its_nodes<16>();
}

// The six numbers are g in a turned frame: lengths and angles of the edges' dual basis, and the volume.
TEST(NodeStars, RestShapesAreThoseOfTheElements) {
  const Sample<8> sample;
  const NodeStars<Tet4, 8> stars = sample.stars();
  for (int64_t k = 0; k < stars.packs(); ++k) {
    math::Vec3<PackD> e[3];
    PackD rest[node_rest_size];
    stars.rest_edges(k, 0, e);
    node_rest(e, rest);
    for (int l = 0; l < 8; ++l) {
      const auto& tet = sample.mesh.elements[stars.id(k, l)];
      const auto shape = shape_gradients<Tet4>(positions(sample.mesh.vertices, tet), tet_centre);
      EXPECT_NEAR(rest[Rest::triangle][l], mesh::tet_volume(sample.mesh.vertices, tet), 1e-14);
      // g_j = Q r_j, r_j the rows of the triangle.
      const double r[3][3] = {
          {rest[0][l], 0, 0}, {rest[1][l], rest[2][l], 0}, {rest[3][l], rest[4][l], rest[5][l]}};
      const int own = stars.own(k, l);
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          double g = 0;
          for (int c = 0; c < 3; ++c) g += rest[Rest::rotated_size + 3 * c + i][l] * r[j][c];
          EXPECT_NEAR(g, shape.g[j + (j >= own)][i], 1e-13);
        }
    }
  }
}

}  // namespace
}  // namespace sinew::element

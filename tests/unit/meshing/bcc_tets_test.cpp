#include "meshing/bcc_tets.h"

#include <gtest/gtest.h>

#include "hand_grids.h"
#include "meshing/topology.h"

namespace sinew::meshing {
namespace {

double volume(const mesh::TetMesh& mesh, size_t tet) {
  const auto& t = mesh.elements[tet];
  const auto& x = mesh.vertices;
  const mesh::Vec3d a = x[t[1]] - x[t[0]], b = x[t[2]] - x[t[0]], c = x[t[3]] - x[t[0]];
  return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
          a[2] * (b[0] * c[1] - b[1] * c[0])) /
         6;
}

// All tets are positive; returns the sum of their volumes over that of a cell.
double cells_filled(const GridMesh<3>& grid, const GridTets& tets) {
  double sum = 0;
  const double cell = std::pow(grid.lattice.spacing(), 3);
  for (size_t t = 0; t < tets.mesh.elements.size(); ++t) {
    const double v = volume(tets.mesh, t) / cell;
    EXPECT_GT(v, 0.99 / 24);
    sum += v;
  }
  return sum;
}

TEST(BccTets, OfBlocks) {
  for (int32_t n : {1, 2, 3, 6}) {
    const GridMesh<3> grid = block<3>(-1, n - 1);
    const GridTets tets = bcc_tets(grid);
    EXPECT_EQ(static_cast<int32_t>(tets.mesh.elements.size()), 12 * n * n * (n + 1));
    EXPECT_EQ(bcc_tet_count(grid), 12 * n * n * (n + 1));
    EXPECT_NEAR(cells_filled(grid, tets), n * n * n, 1e-12 * n * n * n);
    EXPECT_EQ(tets.crowded_faces, 0);
  }
}

TEST(BccTets, LayersShareNothing) {
  HandGrid<3> two;
  add_block<3>(two, {0, 0, 0}, {4, 4, 4});
  add_block<3>(two, {1, 2, 1}, {5, 6, 5});
  const GridMesh<3> grid = two.mesh();
  const GridTets tets = bcc_tets(grid);
  EXPECT_EQ(tets.mesh.elements.size(), 2u * 960u);
  EXPECT_NEAR(cells_filled(grid, tets), 128, 1e-11);
  // Each vertex belongs to the tets of one block: those of the first element list come first.
  std::vector<int> block_of(tets.mesh.vertices.size(), -1);
  for (int32_t t = 0; t < static_cast<int32_t>(tets.mesh.elements.size()); ++t) {
    const int which = t >= tets.first[64];
    for (int32_t v : tets.mesh.elements[t]) {
      EXPECT_TRUE(block_of[v] < 0 || block_of[v] == which);
      block_of[v] = which;
    }
    const double layers = tets.mesh.element_data.at("layers").values[t];
    EXPECT_TRUE(layers == 1 || layers == 2);
  }
}

// Tets as sets of vertices, from the faces as sets of vertices; -1 stands for the centre of a face.
std::multiset<std::multiset<int32_t>> tets_by_the_rules(const GridMesh<3>& grid) {
  struct Side {
    int32_t element;
    int side;
  };
  std::map<std::set<int32_t>, std::vector<Side>> faces;
  std::map<std::set<int32_t>, std::set<std::set<int32_t>>> edges;
  for (size_t e = 0; e < grid.elements.size(); ++e)
    for (int a = 0; a < 3; ++a)
      for (int side : {0, 1}) {
        std::set<int32_t> face;
        std::set<std::set<int32_t>> around;
        for (int k = 0; k < 8; ++k) {
          if ((k >> a & 1) != side) continue;
          face.insert(grid.elements[e][k]);
          for (int b = 0; b < 3; ++b)
            if (b != a) around.insert({grid.elements[e][k], grid.elements[e][k ^ 1 << b]});
        }
        faces[face].push_back({static_cast<int32_t>(e), side});
        edges[face] = around;
      }
  const auto centre = [&](const Side& s) { return static_cast<int32_t>(grid.nodes.size()) + s.element; };
  std::multiset<std::multiset<int32_t>> tets;
  for (const auto& entry : faces) {
    const auto& face = entry.first;
    const auto& sides = entry.second;
    const auto add = [&](int32_t from, int32_t to) {
      for (const auto& edge : edges[face]) {
        std::multiset<int32_t> tet(edge.begin(), edge.end());
        tet.insert({from, to});
        tets.insert(tet);
      }
    };
    bool pairs = false;
    for (size_t i = 0; i < sides.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (sides[i].side != sides[j].side) {
          add(centre(sides[i]), centre(sides[j]));
          pairs = true;
        }
    if (!pairs)
      for (const Side& side : sides) add(centre(side), -1);
  }
  return tets;
}

TEST(BccTets, FollowTheRulesOnRandomGrids) {
  int64_t crowded = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    GridMesh<3> grid = random_grid<3>(seed, 3, 2 + static_cast<int>(seed % 40));
    for (size_t e = 0; e < grid.elements.size(); ++e) grid.coverage.push_back(static_cast<float>(e % 5) / 4);
    const GridTets tets = bcc_tets(grid);
    const auto past_centres = static_cast<int32_t>(grid.nodes.size() + grid.elements.size());
    std::multiset<std::multiset<int32_t>> found;
    for (const auto& tet : tets.mesh.elements) {
      std::multiset<int32_t> vertices;
      for (int32_t v : tet) vertices.insert(v < past_centres ? v : -1);
      found.insert(vertices);
    }
    EXPECT_EQ(found, tets_by_the_rules(grid));
    EXPECT_EQ(bcc_tet_count(grid), static_cast<int64_t>(tets.mesh.elements.size()));
    EXPECT_EQ(tets.crowded_faces, topology(grid).crowded_faces);
    const double filled = cells_filled(grid, tets);
    if (tets.crowded_faces == 0) {
      EXPECT_NEAR(filled, static_cast<double>(grid.elements.size()), 1e-9);
    }
    crowded += tets.crowded_faces;
    // What is covered of tets is what is covered of elements, also where their tets overlap.
    double covered = 0, expected = 0;
    for (size_t t = 0; t < tets.mesh.elements.size(); ++t)
      covered += tets.mesh.element_data.at("coverage").values[t] * volume(tets.mesh, t);
    for (float c : grid.coverage) expected += c * std::pow(grid.lattice.spacing(), 3);
    EXPECT_NEAR(covered, expected, 1e-9 * (1 + expected));
  }
  EXPECT_GT(crowded, 0);
}

TEST(BccTets, FirstAndOverFace) {
  const GridMesh<3> grid = random_grid<3>(3, 3, 40);
  const GridTets tets = bcc_tets(grid);
  const auto centres = static_cast<int32_t>(grid.nodes.size());
  const auto has = [&](int32_t t, int32_t v) {
    const auto& tet = tets.mesh.elements[t];
    return std::count(tet.begin(), tet.end(), v) == 1;
  };
  for (int32_t e = 0; e < static_cast<int32_t>(grid.elements.size()); ++e) {
    for (int32_t t = tets.first[e]; t < tets.first[e + 1]; ++t) EXPECT_TRUE(has(t, centres + e));
    for (int axis = 0; axis < 3; ++axis)
      for (int side : {0, 1})
        for (int i : {0, 1})
          for (int s : {0, 1}) {
            const int32_t t = tets.over_face[e][2 * axis + side] + 2 * i + s;
            EXPECT_TRUE(has(t, centres + e));
            const int across = (axis + 1 + i) % 3;
            const int corner = side << axis | s << across;
            EXPECT_TRUE(has(t, grid.elements[e][corner]));
            EXPECT_TRUE(has(t, grid.elements[e][corner | 1 << (3 - axis - across)]));
          }
  }
}

TEST(Hexes, HaveTheOrderOfVtk) {
  GridMesh<3> grid = block<3>(0, 2);
  grid.coverage.assign(8, 0.5f);
  const mesh::HexMesh mesh = hexes(grid);
  const int steps[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                           {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  ASSERT_EQ(mesh.elements.size(), 8u);
  for (const auto& hex : mesh.elements)
    for (int k = 0; k < 8; ++k)
      for (int a = 0; a < 3; ++a)
        EXPECT_NEAR(mesh.vertices[hex[k]][a] - mesh.vertices[hex[0]][a], 0.125 * steps[k][a], 1e-15);
  EXPECT_EQ(mesh.element_data.at("coverage").values, std::vector<double>(8, 0.5));
  EXPECT_EQ(mesh.element_data.at("layers").values, std::vector<double>(8, 1));
}

}  // namespace
}  // namespace sinew::meshing

#include "meshing/coverage.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "meshing/facet_tests.h"
#include "unit/meshing/sample_surfaces.h"

using namespace sinew;
using namespace sinew::meshing;

namespace {

// How often the surface winds around each node, and the share of each cell, over a block of the lattice
// around the surface.
template <int dim>
struct Shares {
  Index<dim> first;
  std::array<int64_t, dim> count;
  std::vector<int> winding;   // of nodes
  std::vector<double> share;  // of cells
  int64_t at(const Index<dim>& i) const {
    int64_t k = 0;
    for (int a = dim - 1; a >= 0; --a) k = k * count[a] + i[a] - first[a];
    return k;
  }
};

template <int dim>
Shares<dim> shares_of(const samples::Surface<dim>& s, const Lattice<dim>& lattice) {
  Shares<dim> r;
  int64_t total = 1;
  for (int a = 0; a < dim; ++a) {
    double low = s.points[0][a], high = low;
    for (const auto& x : s.points) low = std::min(low, x[a]), high = std::max(high, x[a]);
    r.first[a] = static_cast<int32_t>(lattice.below(a, low)) - 2;
    r.count[a] = lattice.below(a, high) + 3 - r.first[a];
    total *= r.count[a];
  }
  const auto view = s.view();
  r.winding.assign(total, 0);
  r.share.assign(total, 0);
  for (size_t f = 0; f < s.facets.size(); ++f) {
    const auto corners = view.corners(static_cast<int32_t>(f));
    const FacetTests<dim> tests(corners);
    tests.for_each_cut(lattice, [&](Index<dim> i, int axis, int deeper) {
      if (axis != 0) return;
      while (++i[0] < r.first[0] + r.count[0]) r.winding[r.at(i)] += deeper;
    });
    tests.for_each_cell(lattice, [&](const Index<dim>& i) {
      Index<dim> j = i;
      for (int32_t& k : j) ++k;
      r.share[r.at(i)] += share_below<dim>(corners, lattice.position(i), lattice.position(j));
    });
  }
  int64_t diagonal = 0;
  for (int a = dim - 1; a >= 0; --a) diagonal = diagonal * r.count[a] + 1;
  for (int64_t k = 0; k + diagonal < total; ++k) r.share[k] += r.winding[k + diagonal];
  return r;
}

template <int dim>
double total(const Shares<dim>& r, double cell) {
  double sum = 0;
  for (const double share : r.share) sum += share;
  return sum * std::pow(cell, dim);
}

TEST(Coverage, SharesAddUpToTheVolume) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto s = samples::rough_ball(seed % 3, seed);
    const auto r = shares_of<3>(s, {0.17, {0.137, 0.0711, 0.0373}, 0});
    EXPECT_NEAR(total(r, 0.17), samples::volume(s), 1e-12);
    for (const double share : r.share) EXPECT_TRUE(share > -1e-12 && share < 1 + 1e-12) << share;
  }
}

TEST(Coverage, PolygonsAddUpToTheArea) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const math::Random random(seed);
    std::vector<Point<2>> points;
    for (int i = 0; i < 15; ++i) {
      const double angle = 2 * 3.14159265358979 * i / 15, r = random.uniform(i, 0.2, 1);
      points.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    const auto s = samples::polygon(points);
    const auto r = shares_of<2>(s, {0.11, {0.137, 0.0711}, 0});
    EXPECT_NEAR(total(r, 0.11), samples::volume(s), 1e-12);
    for (const double share : r.share) EXPECT_TRUE(share > -1e-12 && share < 1 + 1e-12) << share;
  }
}

// Layers that overlap count twice; a box on the nodes of the lattice fills its cells and no others.
TEST(Coverage, BoxesOnNodes) {
  auto s = samples::box({0, 0, 0}, {4, 3, 2});
  s.add(samples::box({2, 1, 0}, {6, 5, 1}));
  const auto r = shares_of<3>(s, {1, {0, 0, 0}, 0});
  for (int k = -1; k < 3; ++k)
    for (int j = -1; j < 6; ++j)
      for (int i = -1; i < 7; ++i) {
        const bool in_first = i >= 0 && i < 4 && j >= 0 && j < 3 && k >= 0 && k < 2;
        const bool in_second = i >= 2 && i < 6 && j >= 1 && j < 5 && k == 0;
        EXPECT_NEAR(r.share[r.at({i, j, k})], in_first + in_second, 1e-14) << i << " " << j << " " << k;
      }
}

// Corners on nodes or some units in the last place off: where a facet passes a face or an edge of a cell is a matter of
// rounding, and must be the same for all facets.
TEST(Coverage, CornersOnNodesAndBesideThem) {
  for (uint64_t seed = 0; seed < 24; ++seed) {
    Lattice<3> lattice;
    if (seed % 2) lattice = {0.1, {0.137, 0.0711, 0.0373}, 0};
    auto s = samples::rough_ball(seed % 3, seed);
    const math::Random random(seed);
    for (size_t i = 0; i < s.points.size(); ++i)
      for (int a = 0; a < 3; ++a) {
        double& c = s.points[i][a];
        c = lattice.coordinate(a, std::lround(16 * c));
        const uint64_t move = random.bits(3 * i + a) % 3;
        if (seed % 4 > 1 && c != 0 && move > 0) c = std::nextafter(c, move == 1 ? 1e9 : -1e9);
      }
    const auto r = shares_of<3>(s, lattice);
    EXPECT_NEAR(total(r, lattice.cell) / samples::volume(s), 1, 1e-12) << seed;
    for (const double share : r.share) EXPECT_TRUE(share > -1e-12 && share < 1 + 1e-12) << share;
  }
}

// Below the plane x + y + z = c the unit cube has c^3/6, less (c-1)^3/2 where c > 1, more (c-2)^3/2 where c >
// 2.
TEST(Coverage, PlaneThroughACube) {
  const Point<3> low = {0, 0, 0}, high = {1, 1, 1};
  for (const double c : {0.2, 0.7, 1.0, 1.3, 1.9, 2.0, 2.4, 2.95}) {
    const std::array<Point<3>, 3> facet = {
        Point<3>{c + 20, -10, -10}, {-10, c + 20, -10}, {-10, -10, c + 20}};
    const auto cube = [](double x) { return x > 0 ? x * x * x : 0; };
    const double share = cube(c) / 6 - cube(c - 1) / 2 + cube(c - 2) / 2;
    const double corner = FacetTests<3>(facet).side(high) < 0 ? 1 : 0;
    EXPECT_NEAR(corner + share_below<3>(facet, low, high), share, 1e-13) << c;
    // Turned round, what is above is material.
    const std::array<Point<3>, 3> turned = {facet[0], facet[2], facet[1]};
    const double turned_corner = FacetTests<3>(turned).side(high) < 0 ? 1 : 0;
    EXPECT_NEAR(turned_corner + share_below<3>(turned, low, high), 1 - share, 1e-13) << c;
  }
}

// Counted at points: 30^3 in each cell.
TEST(Coverage, CellsAsCountedAtPoints) {
  const auto s =
      samples::prism({{0, 0}, {2.2, 0.3}, {0.8, 0.7}, {0.4, 1.9}}, {{0, 1, 2}, {0, 2, 3}}, 0.15, 0.8);
  const Lattice<3> lattice = {0.5, {0.137, 0.0711, 0.0373}, 0};
  const auto r = shares_of<3>(s, lattice);
  const auto inside = [](double x, double y, double z) {
    const auto left = [&](double ax, double ay, double bx, double by) {
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
    };
    const bool first = left(0, 0, 2.2, 0.3) && left(2.2, 0.3, 0.8, 0.7) && left(0.8, 0.7, 0, 0);
    const bool second = left(0, 0, 0.8, 0.7) && left(0.8, 0.7, 0.4, 1.9) && left(0.4, 1.9, 0, 0);
    return (first || second) && z > 0.15 && z < 0.8;
  };
  constexpr int n = 30;
  for (int k = -1; k < 3; ++k)
    for (int j = -1; j < 5; ++j)
      for (int i = -1; i < 5; ++i) {
        int count = 0;
        const Point<3> low = lattice.position({i, j, k});
        for (int q = 0; q < n * n * n; ++q)
          count += inside(low[0] + 0.5 * (q % n + 0.5) / n, low[1] + 0.5 * (q / n % n + 0.5) / n,
                          low[2] + 0.5 * (q / n / n + 0.5) / n);
        EXPECT_NEAR(r.share[r.at({i, j, k})], double(count) / (n * n * n), 0.02) << i << " " << j << " " << k;
      }
}

TEST(MatchVolume, CellsCoveredInPartGiveOrTake) {
  GridMesh<3> grid;
  grid.lattice = {0.5, {0, 0, 0}, 1};  // cells of 1 m
  grid.coverage = {0, 0.25f, 0.5f, 0.75f, 1, 1};
  for (const double volume : {3.6, 3.5, 3.2}) {
    GridMesh<3> matched = grid;
    match_volume(matched, volume);
    double sum = 0;
    for (const float c : matched.coverage) sum += c;
    EXPECT_NEAR(sum, volume, 1e-6);
    EXPECT_EQ(matched.coverage[0], 0);
    EXPECT_EQ(matched.coverage[5], 1);
    EXPECT_TRUE(std::is_sorted(matched.coverage.begin(), matched.coverage.end()));
  }
  // As near as shares between 0 and 1 come.
  for (const double volume : {0.1, 100.0}) {
    GridMesh<3> matched = grid;
    match_volume(matched, volume);
    for (const float c : matched.coverage) EXPECT_TRUE(c >= 0 && c <= 1) << c;
  }
}

}  // namespace

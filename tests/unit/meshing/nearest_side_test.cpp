#include "meshing/nearest_side.h"

#include <gtest/gtest.h>
#include <map>

#include "math/predicates.h"
#include "meshing/facet_tests.h"
#include "unit/meshing/sample_surfaces.h"

using namespace sinew;
using namespace sinew::meshing;

namespace {

// A ray to +x from a point that is in general position.
bool inside_by_ray(const samples::Surface<3>& s, const Point<3>& p) {
  bool inside = false;
  const Point<3> q = p + Point<3>{100, 0.0123, 0.0377};
  for (const auto& f : s.facets) {
    const Point<3>&a = s.points[f[0]], &b = s.points[f[1]], &c = s.points[f[2]];
    if (math::orient3d(a, b, c, p) == math::orient3d(a, b, c, q)) continue;
    const int t = math::orient3d(p, q, a, b);
    inside ^= t == math::orient3d(p, q, b, c) && t == math::orient3d(p, q, c, a);
  }
  return inside;
}

Point<3> anywhere(const math::Random& random, uint64_t n, double low, double high) {
  return {random.uniform(3 * n, low, high), random.uniform(3 * n + 1, low, high),
          random.uniform(3 * n + 2, low, high)};
}

TEST(NearestSide, Cube) {
  const auto s = samples::box({-1, -1, -1}, {1, 1, 1});
  const auto view = s.view();
  const math::Random random(1);
  for (uint64_t n = 0; n < 3000; ++n) {
    Point<3> x = anywhere(random, n, -2, 2);
    if (n % 3 == 0)  // over an edge or a corner
      for (int a = 0; a < 3; ++a)
        if (random.bits(n) >> a & 1) x[a] = x[a] > 0 ? 1 + 1e-9 : -1 - 1e-9;
    const bool inside = std::abs(x[0]) < 1 && std::abs(x[1]) < 1 && std::abs(x[2]) < 1;
    EXPECT_EQ(nearest_side<3>(view, s.all(), x), inside ? -1 : 1) << n;
  }
}

TEST(NearestSide, LShapeWithItsGroove) {
  const auto s = samples::prism({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},
                                {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 0, 1);
  const auto view = s.view();
  const math::Random random(2);
  for (uint64_t n = 0; n < 3000; ++n) {
    Point<3> x = anywhere(random, n, -0.5, 2.5);
    if (n % 2) x = {1 + random.uniform(3 * n, -1e-3, 1e-3), 1 + random.uniform(3 * n + 1, -1e-3, 1e-3), x[2]};
    const auto in = [&](double w, double h) { return x[0] > 0 && x[0] < w && x[1] > 0 && x[1] < h; };
    const bool inside = x[2] > 0 && x[2] < 1 && (in(2, 1) || in(1, 2));
    EXPECT_EQ(nearest_side<3>(view, s.all(), x), inside ? -1 : 1) << n;
  }
}

// From one facet the search goes on along the surface to the nearest.
TEST(NearestSide, SphereFromOneFacet) {
  const auto s = samples::sphere(4);
  const auto view = s.view();
  const math::Random random(3);
  for (uint64_t n = 0; n < 2000; ++n) {
    const int32_t facet = static_cast<int32_t>(random.bits(10 * n) % s.facets.size());
    const auto x = view.corners(facet);
    const double r = random.uniform(10 * n + 1) < 0.5 ? random.uniform(10 * n + 2, 0.9, 0.985)
                                                      : random.uniform(10 * n + 3, 1.005, 1.2);
    const Point<3> off = anywhere(random.stream(1), n, -0.1, 0.1);
    const Point<3> p = normalized(x[0] + x[1] + x[2] + off) * r;
    EXPECT_EQ(nearest_side<3>(view, std::array{facet}, p), r < 1 ? -1 : 1) << n;
  }
}

TEST(NearestSide, RoughBallsAsByARay) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const auto s = samples::rough_ball(2, seed);
    const auto view = s.view();
    for (uint64_t n = 0; n < 300; ++n) {
      const Point<3> x = anywhere(math::Random(seed), n, -1.3, 1.3);
      EXPECT_EQ(nearest_side<3>(view, s.all(), x), inside_by_ray(s, x) ? -1 : 1) << seed << " " << n;
    }
  }
}

// Beyond the tip the plane of a facet at the back says "inside"; the facets around the tip must join first. A
// pit is the same turned inside out.
TEST(NearestSide, SpikeAndPit) {
  constexpr int n = 12;
  samples::Surface<3> s;
  for (int i = 0; i < n; ++i)
    s.points.push_back(
        {0.1 * std::cos(2 * 3.14159265358979 * i / n), 0.1 * std::sin(2 * 3.14159265358979 * i / n), 0});
  s.points.push_back({0, 0, 1});
  s.points.push_back({0, 0, 0});
  for (int32_t i = 0; i < n; ++i) {
    s.facets.push_back({i, (i + 1) % n, n});
    s.facets.push_back({(i + 1) % n, i, n + 1});
  }
  const Point<3> beyond = {0.004, 0.001, 1.0001};
  const auto view = s.view();
  auto turned = s;
  for (auto& f : turned.facets) std::swap(f[1], f[2]);
  const auto turned_view = turned.view();
  int misled = 0;
  for (int32_t f = 0; f < 2 * n; f += 2) {
    misled += FacetTests<3>(view.corners(f)).side(beyond) < 0;
    EXPECT_EQ(nearest_side<3>(view, std::array{f}, beyond), 1);
    EXPECT_EQ(nearest_side<3>(turned_view, std::array{f}, beyond), -1);
  }
  EXPECT_GT(misled, 3);
}

// Corners on nodes of the lattice, or some units in the last place off: nodes on corners, edges and facets are told as
// the cuts of lattice edges tell them.
TEST(NearestSide, FitsTheCutsWhereCornersLieOnNodes) {
  std::vector<samples::Surface<3>> bodies = {samples::box({-3, -2, -1}, {4, 3, 2})};
  bodies.push_back(samples::prism({{0, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 4}, {0, 4}},
                                  {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, -1, 2));
  for (uint64_t seed = 0; seed < 5; ++seed) {
    bodies.push_back(samples::rough_ball(1, seed));
    for (auto& x : bodies.back().points) x *= 8;
  }
  int on_corners = 0;
  for (int kind = 0; kind < 3; ++kind)
    for (auto s : bodies) {
      Lattice<3> lattice;
      if (kind > 0) lattice = {0.1, {0.137, 0.0711, 0.0373}, 0};
      for (size_t i = 0; i < s.points.size(); ++i)
        for (int a = 0; a < 3; ++a) {
          double& c = s.points[i][a];
          c = lattice.coordinate(a, std::lround(c));
          if (kind == 2 && (i + a) % 3) c = std::nextafter(c, (i + a) % 3 == 1 ? 9 : -9);
        }
      const auto view = s.view();
      const auto all = s.all();
      std::map<Index<3>, int> entered;  // by the lattice edge to +x
      for (const int32_t f : all)
        FacetTests<3>(view.corners(f)).for_each_cut(lattice, [&](const auto& i, int axis, int deeper) {
          if (axis == 0) entered[i] += deeper;
        });
      for (int32_t k = -12; k <= 12; ++k)
        for (int32_t j = -12; j <= 12; ++j)
          for (int32_t i = -12, winding = 0; i <= 12; ++i) {
            const auto cut = entered.find({i - 1, j, k});
            if (cut != entered.end()) winding += cut->second;
            const Point<3> x = lattice.position({i, j, k});
            for (const auto& p : s.points) on_corners += norm2(p - x) == 0;
            ASSERT_EQ(nearest_side<3>(view, all, x), winding > 0 ? -1 : 1)
                << kind << ", " << s.facets.size() << " facets: " << i << " " << j << " " << k;
          }
    }
  EXPECT_GT(on_corners, 200);
}

// What is near in space and far along the surface is left alone.
TEST(NearestSide, OtherLayersDoNotMatter) {
  auto s = samples::box({0, 0, 0}, {1, 1, 1});
  const auto first = static_cast<int32_t>(s.facets.size());
  s.add(samples::box({0.9, 0.2, 0.2}, {2, 0.8, 0.8}));
  const auto view = s.view();
  std::vector<int32_t> of_first(first), of_second(first);
  std::iota(of_first.begin(), of_first.end(), 0);
  std::iota(of_second.begin(), of_second.end(), first);
  const Point<3> x = {0.89, 0.5, 0.5};  // inside the first, just outside the second
  EXPECT_EQ(nearest_side<3>(view, of_first, x), -1);
  EXPECT_EQ(nearest_side<3>(view, of_second, x), 1);
}

TEST(NearestSide, PolygonsAsByCrossings) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const math::Random random(seed);
    std::vector<Point<2>> points;
    for (int i = 0; i < 12; ++i) {
      const double angle = 2 * 3.14159265358979 * i / 12, r = random.uniform(i, 0.2, 1);
      points.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    const auto s = samples::polygon(points);
    const auto view = s.view();
    for (uint64_t n = 0; n < 200; ++n) {
      const Point<2> x = {random.uniform(100 + 2 * n, -1, 1), random.uniform(101 + 2 * n, -1, 1)};
      bool inside = false;
      for (const auto& f : s.facets) {
        const Point<2>&a = points[f[0]], &b = points[f[1]];
        if ((a[1] > x[1]) == (b[1] > x[1])) continue;
        inside ^= (b[1] > a[1]) == (math::orient2d(a, b, x) > 0);
      }
      EXPECT_EQ(nearest_side<2>(view, s.all(), x), inside ? -1 : 1) << seed << " " << n;
    }
  }
}

}  // namespace

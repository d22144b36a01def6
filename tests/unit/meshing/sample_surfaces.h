#pragma once
// Closed surfaces for tests of the parts of the mesher.
#include <array>
#include <map>
#include <numeric>
#include <vector>

#include "math/random.h"
#include "meshing/surface_view.h"

namespace sinew::meshing::samples {

template <int dim>
struct Surface {
  std::vector<Point<dim>> points;
  std::vector<Facet<dim>> facets;

  SurfaceView<dim> view() const { return view_surface<dim>(points, facets); }
  std::vector<int32_t> all() const {
    std::vector<int32_t> ids(facets.size());
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
  }
  void add(const Surface& other) {
    const auto first = static_cast<int32_t>(points.size());
    points.insert(points.end(), other.points.begin(), other.points.end());
    for (Facet<dim> f : other.facets) {
      for (int32_t& p : f) p += first;
      facets.push_back(f);
    }
  }
};

// A closed polygon, counterclockwise: the outside is on the right of its segments.
inline Surface<2> polygon(std::vector<Point<2>> points) {
  Surface<2> s;
  const auto n = static_cast<int32_t>(points.size());
  s.points = std::move(points);
  for (int32_t i = 0; i < n; ++i) s.facets.push_back({i, (i + 1) % n});
  return s;
}

// A counterclockwise polygon between two heights; `fan` lists triangles that fill it.
inline Surface<3> prism(const std::vector<Point<2>>& base, const std::vector<std::array<int32_t, 3>>& fan,
                        double low, double high) {
  Surface<3> s;
  const auto n = static_cast<int32_t>(base.size());
  for (const double z : {low, high})
    for (const Point<2>& p : base) s.points.push_back({p[0], p[1], z});
  for (const auto& t : fan) {
    s.facets.push_back({t[0], t[2], t[1]});
    s.facets.push_back({t[0] + n, t[1] + n, t[2] + n});
  }
  for (int32_t i = 0; i < n; ++i) {
    const int32_t j = (i + 1) % n;
    s.facets.push_back({i, j, j + n});
    s.facets.push_back({i, j + n, i + n});
  }
  return s;
}

inline Surface<3> box(const Point<3>& low, const Point<3>& high) {
  return prism({{low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}},
               {{0, 1, 2}, {0, 2, 3}}, low[2], high[2]);
}

// An octahedron, each triangle split into four `levels` times, points moved out to the unit sphere.
inline Surface<3> sphere(int levels) {
  Surface<3> s;
  s.points = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  s.facets = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int l = 0; l < levels; ++l) {
    std::map<std::array<int32_t, 2>, int32_t> middles;
    const auto middle = [&](int32_t a, int32_t b) {
      const auto [at, fresh] =
          middles.insert({{std::min(a, b), std::max(a, b)}, static_cast<int32_t>(s.points.size())});
      if (fresh) s.points.push_back(normalized(s.points[a] + s.points[b]));
      return at->second;
    };
    std::vector<Facet<3>> finer;
    for (const auto& f : s.facets) {
      const int32_t m[3] = {middle(f[0], f[1]), middle(f[1], f[2]), middle(f[2], f[0])};
      finer.insert(finer.end(),
                   {{f[0], m[0], m[2]}, {f[1], m[1], m[0]}, {f[2], m[2], m[1]}, {m[0], m[1], m[2]}});
    }
    s.facets = std::move(finer);
  }
  return s;
}

// A sphere with every point at its own distance from the origin: star-shaped, so it never passes through
// itself.
inline Surface<3> rough_ball(int levels, uint64_t seed) {
  Surface<3> s = sphere(levels);
  const math::Random random(seed);
  for (size_t i = 0; i < s.points.size(); ++i) s.points[i] *= random.uniform(i, 0.6, 1.3);
  return s;
}

// Sum of the signed tets from the origin.
inline double volume(const Surface<3>& s) {
  double sum = 0;
  for (const auto& f : s.facets) sum += dot(s.points[f[0]], cross(s.points[f[1]], s.points[f[2]])) / 6;
  return sum;
}
inline double volume(const Surface<2>& s) {
  double sum = 0;
  for (const auto& f : s.facets)
    sum += (s.points[f[0]][0] * s.points[f[1]][1] - s.points[f[0]][1] * s.points[f[1]][0]) / 2;
  return sum;
}

}  // namespace sinew::meshing::samples

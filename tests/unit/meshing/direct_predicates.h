#pragma once
// A facet against the lattice, and the side of a patch that a point is on, in plain double precision: for surfaces in general position.
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "meshing/lattice.h"

namespace sinew::meshing::direct {

inline Point<2> normal_of(const std::array<Point<2>, 2>& x) {
  return math::normalized(Point<2>{x[1][1] - x[0][1], x[0][0] - x[1][0]});
}
inline Point<3> normal_of(const std::array<Point<3>, 3>& x) {
  return math::normalized(math::cross(x[1] - x[0], x[2] - x[0]));
}

template <int dim>
int side_of(const std::array<Point<dim>, dim>& x, const Point<dim>& p) {
  return math::dot(normal_of(x), p - x[0]) >= 0 ? 1 : -1;
}

// By separating axes; touching counts.
template <int dim>
bool facet_meets_box(const std::array<Point<dim>, dim>& x, const Point<dim>& low, const Point<dim>& high) {
  std::vector<Point<dim>> axes = {normal_of(x)};
  for (int a = 0; a < dim; ++a) {
    axes.push_back(Point<dim>::unit(a));
    if constexpr (dim == 3)
      for (int k = 0; k < 3; ++k) axes.push_back(math::cross(Point<3>::unit(a), x[(k + 1) % 3] - x[k]));
  }
  const Point<dim> centre = (low + high) * 0.5, half = (high - low) * 0.5;
  for (const Point<dim>& n : axes) {
    double least = 1e300, most = -1e300, reach = 0;
    for (const auto& p : x) {
      const double d = math::dot(n, p - centre);
      least = std::min(least, d), most = std::max(most, d);
    }
    for (int a = 0; a < dim; ++a) reach += std::abs(n[a]) * half[a];
    if (least > reach || most < -reach) return false;
  }
  return true;
}

template <int dim>
bool facet_cuts_edge(const std::array<Point<dim>, dim>& x, const Point<dim>& p, int axis, double end) {
  Point<dim> q = p;
  q[axis] = end;
  if (side_of<dim>(x, p) == side_of<dim>(x, q)) return false;
  if constexpr (dim == 2) {
    const int u = 1 - axis;
    return (x[0][u] <= p[u]) != (x[1][u] <= p[u]);
  } else {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int left = 0, right = 0;
    for (int k = 0; k < 3; ++k) {
      const auto &a = x[k], &b = x[(k + 1) % 3];
      const double turn = (b[u] - a[u]) * (p[v] - a[v]) - (b[v] - a[v]) * (p[u] - a[u]);
      left += turn >= 0, right += turn <= 0;
    }
    return left == 3 || right == 3;
  }
}

template <int dim>
struct DirectSurface {
  const std::vector<Point<dim>>& points;
  const std::vector<Facet<dim>>& facets;

  std::array<Point<dim>, dim> corners(size_t f) const {
    std::array<Point<dim>, dim> x;
    for (int k = 0; k < dim; ++k) x[k] = points[facets[f][k]];
    return x;
  }
  std::vector<std::vector<int32_t>> incident() const {
    std::vector<std::vector<int32_t>> list(points.size());
    for (size_t f = 0; f < facets.size(); ++f)
      for (int32_t p : facets[f]) list[p].push_back(static_cast<int32_t>(f));
    return list;
  }

  struct Nearest {
    Point<dim> at;
    std::set<int32_t> feature;  // the points that span it
  };
  Nearest nearest(int32_t f, const Point<dim>& p) const {
    const auto x = corners(f);
    const auto& id = facets[f];
    if constexpr (dim == 3) {
      const Point<3> n = normal_of(x);
      bool inside = true;
      for (int k = 0; k < 3; ++k) inside &= math::dot(math::cross(x[(k + 1) % 3] - x[k], p - x[k]), n) > 0;
      if (inside) return {p - n * math::dot(n, p - x[0]), {id[0], id[1], id[2]}};
    }
    Nearest best;
    double least = 1e300;
    for (int k = 0; k < (dim == 3 ? 3 : 1); ++k) {
      const auto &a = x[k], &b = x[(k + 1) % dim];
      const double s = math::dot(p - a, b - a) / math::norm2(b - a);
      Nearest one = {a + (b - a) * std::min(1.0, std::max(0.0, s)), {id[k], id[(k + 1) % dim]}};
      if (s <= 0) one.feature = {id[k]};
      if (s >= 1) one.feature = {id[(k + 1) % dim]};
      if (const double d = math::norm2(p - one.at); d < least) least = d, best = one;
    }
    return best;
  }
  double angle(int32_t f, int32_t point) const {
    if constexpr (dim == 2) return 1;
    const auto& id = facets[f];
    int k = 0;
    while (id[k] != point) ++k;
    const auto u = math::normalized(points[id[(k + 1) % dim]] - points[point]);
    const auto v = math::normalized(points[id[(k + 2) % dim]] - points[point]);
    return std::acos(std::min(1.0, std::max(-1.0, math::dot(u, v))));
  }
  int nearest_side(std::set<int32_t> patch, const Point<dim>& p) const {
    const auto around = incident();
    for (;;) {
      Nearest best;
      double least = 1e300;
      int32_t facet = 0;
      for (int32_t f : patch) {
        const Nearest one = nearest(f, p);
        if (const double d = math::norm(p - one.at); d < least * (1 - 1e-12))
          least = d, best = one, facet = f;
      }
      const size_t before = patch.size();
      if (best.feature.size() < dim)
        for (int32_t point : best.feature) patch.insert(around[point].begin(), around[point].end());
      if (patch.size() > before) continue;
      Point<dim> n = Point<dim>::zero();
      if (best.feature.size() == dim)
        n = normal_of(corners(facet));
      else if (best.feature.size() == 1)
        for (int32_t f : around[*best.feature.begin()])
          n += normal_of(corners(f)) * angle(f, *best.feature.begin());
      else
        for (int32_t f : around[*best.feature.begin()])
          if (std::count(facets[f].begin(), facets[f].end(), *best.feature.rbegin()))
            n += normal_of(corners(f));
      return math::dot(n, p - best.at) >= 0 ? 1 : -1;
    }
  }
};

}  // namespace sinew::meshing::direct

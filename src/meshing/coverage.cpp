#include "meshing/coverage.h"

#include <algorithm>
#include <cmath>

#include "meshing/facet_tests.h"

namespace sinew::meshing {
namespace {

// Everything here is in units of the box, which is [0, 1] along each axis.

// Integral of u dv along the part of the segment that lies in the unit square.
double under_segment(const Point<2>& p, const Point<2>& q) {
  const Point<2> d = q - p;
  double begin = 0, end = 1;
  for (int a = 0; a < 2; ++a) {
    if (d[a] == 0) {
      if (p[a] < 0 || p[a] > 1) return 0;
      continue;
    }
    const double at_0 = -p[a] / d[a], at_1 = (1 - p[a]) / d[a];
    begin = std::max(begin, std::min(at_0, at_1));
    end = std::min(end, std::max(at_0, at_1));
  }
  if (begin >= end) return 0;
  return (p[0] + d[0] * (begin + end) / 2) * d[1] * (end - begin);
}

// v where the segment passes u = 1, within [0, 1]. That it does so has been decided exactly: where rounding
// says otherwise, the nearer end is the place.
double where_passed(Point<2> p, Point<2> q) {
  if (p[0] > q[0]) std::swap(p, q);
  const double t = q[0] > p[0] ? std::clamp((1 - p[0]) / (q[0] - p[0]), 0.0, 1.0) : 0.0;
  return std::clamp(p[1] + t * (q[1] - p[1]), 0.0, 1.0);
}

struct Polygon {
  std::array<Point<3>, 9> x;  // a triangle, cut by six planes
  int count = 0;
};

Polygon cut_below(const Polygon& given, int axis, double bound, double sign) {
  Polygon rest;
  for (int k = 0; k < given.count; ++k) {
    const Point<3>&p = given.x[k], &q = given.x[k + 1 == given.count ? 0 : k + 1];
    const double hp = sign * (p[axis] - bound), hq = sign * (q[axis] - bound);
    if (hp <= 0) rest.x[rest.count++] = p;
    if ((hp < 0 && hq > 0) || (hp > 0 && hq < 0)) {
      rest.x[rest.count] = p + (q - p) * (hp / (hp - hq));
      rest.x[rest.count++][axis] = bound;
    }
  }
  return rest;
}

// Integral of x n_x dA over the part of the triangle that lies in the unit cube.
double under_triangle(const std::array<Point<3>, 3>& facet) {
  Polygon part;
  for (const Point<3>& x : facet) part.x[part.count++] = x;
  for (int a = 0; a < 3; ++a) {
    const auto [low, high] = std::minmax({facet[0][a], facet[1][a], facet[2][a]});
    if (high > 1) part = cut_below(part, a, 1, 1);
    if (low < 0) part = cut_below(part, a, 0, -1);
    if (part.count < 3) return 0;
  }
  double sum = 0;
  const Point<3>& o = part.x[0];
  for (int k = 2; k < part.count; ++k) {
    const Point<3>&p = part.x[k - 1], &q = part.x[k];
    const double twice_area = (p[1] - o[1]) * (q[2] - o[2]) - (p[2] - o[2]) * (q[1] - o[1]);
    sum += (o[0] + p[0] + q[0]) / 6 * twice_area;
  }
  return sum;
}

template <int dim>
std::array<Point<dim>, dim> in_units_of_box(const std::array<Point<dim>, dim>& facet, const Point<dim>& low,
                                            const Point<dim>& high) {
  std::array<Point<dim>, dim> r;
  for (int k = 0; k < dim; ++k)
    for (int a = 0; a < dim; ++a) r[k][a] = (facet[k][a] - low[a]) / (high[a] - low[a]);
  return r;
}

// 1 where the last edge of the box, along the last axis to the high corner, goes out of the material at the
// facet.
template <int dim>
int out_along_last_edge(const std::array<Point<dim>, dim>& facet, const Point<dim>& low,
                        const Point<dim>& high) {
  for (int a = 0; a < dim - 1; ++a) {
    const auto within = [&](const Point<dim>& x) { return x[a] <= high[a]; };
    const auto below = std::count_if(facet.begin(), facet.end(), within);
    if (below == 0 || below == dim) return 0;
  }
  Point<dim> p = high;
  p[dim - 1] = low[dim - 1];
  return -FacetTests<dim>(facet).cut(p, dim - 1, high[dim - 1]);
}

}  // namespace

template <>
double share_below<2>(const std::array<Point<2>, 2>& facet, const Point<2>& low, const Point<2>& high) {
  const auto x = in_units_of_box<2>(facet, low, high);
  double share = under_segment(x[0], x[1]);
  if (const int out = out_along_last_edge<2>(facet, low, high)) share += out * where_passed(x[0], x[1]);
  return share;
}

template <>
double share_below<3>(const std::array<Point<3>, 3>& facet, const Point<3>& low, const Point<3>& high) {
  const auto x = in_units_of_box<3>(facet, low, high);
  double share = under_triangle(x);
  // The trace on the far face: the material is on its left, seen against +x.
  Point<2> trace[2];
  int ends = 0;
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    const bool from_inside = facet[k][0] <= high[0], to_inside = facet[next][0] <= high[0];
    if (from_inside == to_inside) continue;
    // From the inner end in both facets of the edge, so that both find the same point.
    const Point<3>&p = x[from_inside ? k : next], &q = x[from_inside ? next : k];
    const double t = q[0] > p[0] ? std::clamp((1 - p[0]) / (q[0] - p[0]), 0.0, 1.0) : 0.0;
    trace[from_inside ? 1 : 0] = {p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])};
    ++ends;
  }
  if (ends != 2) return share;
  share += under_segment(trace[0], trace[1]);
  if (const int out = out_along_last_edge<3>(facet, low, high))
    share += out * where_passed(trace[0], trace[1]);
  return share;
}

}  // namespace sinew::meshing

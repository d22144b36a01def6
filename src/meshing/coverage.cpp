#include "meshing/coverage.h"

#include <algorithm>
#include <cmath>

#include "meshing/facet_tests.h"

// Lengths are in units of the box, which is [0, 1] along each axis. The share jumps where a facet passes the far face, and
// the far edge of that: there signs are exact, and the rounded coordinates give way to them.
namespace sinew::meshing {
namespace {

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

// The place where the line of the last edge of the box, along the last axis to the high corner, passes a facet.
struct Passage {
  int place;  // -1 before the edge, 0 on it, 1 beyond
  int out;    // where on it: 1 if the edge goes out of the material there, -1 if it comes in
};

// `up` is the sign of the last component of the normal.
template <int dim>
Passage pass(const FacetTests<dim>& facet, int up, const Point<dim>& low, const Point<dim>& high) {
  Point<dim> begin = high;
  begin[dim - 1] = low[dim - 1];
  const int side = facet.side(high);
  if (facet.side(begin) != side) return {0, side};
  return {side == up ? -1 : 1, 0};
}

struct TraceEnd {
  Point<2> x;    // u and v
  bool is_near;  // u <= 1, exactly
};

// The integral of u dv along the trace as far as u <= 1 and, where it goes on beyond, the part that the last edge sees.
template <class PassLastEdge>
double under_trace(TraceEnd from, TraceEnd to, PassLastEdge&& pass_last_edge) {
  for (TraceEnd* end : {&from, &to})
    end->x[0] = end->is_near ? std::min(end->x[0], 1.0) : std::max(end->x[0], 1.0);
  if (from.is_near && to.is_near) return under_segment(from.x, to.x);
  if (!from.is_near && !to.is_near) return 0;
  const Point<2>&near = from.is_near ? from.x : to.x, &far = from.is_near ? to.x : from.x;
  const double t = far[0] > near[0] ? (1 - near[0]) / (far[0] - near[0]) : 0;
  double v = near[1] + t * (far[1] - near[1]);
  const Passage passage = pass_last_edge();
  if (passage.place == 0) v = std::clamp(v, 0.0, 1.0);
  if (passage.place < 0) v = std::min(v, 0.0);
  if (passage.place > 0) v = std::max(v, 1.0);
  const Point<2> end = {1, v};
  const double share = from.is_near ? under_segment(near, end) : under_segment(end, near);
  return share + passage.out * v;
}

struct Polygon {
  std::array<Point<3>, 9> x;  // a triangle, cut by six planes
  int count = 0;
};

Polygon cut_off(const Polygon& given, int axis, double bound, double sign) {
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

// Integral of x n_x dA over the part that lies in the unit cube, of a polygon with x <= 1.
double under_polygon(Polygon part) {
  for (int a = 0; a < 3; ++a) {
    const auto reaches = [&](double bound, double sign) {
      for (int k = 0; k < part.count; ++k)
        if (sign * (part.x[k][a] - bound) > 0) return true;
      return false;
    };
    if (reaches(1, 1)) part = cut_off(part, a, 1, 1);
    if (reaches(0, -1)) part = cut_off(part, a, 0, -1);
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

}  // namespace

template <>
double share_below<2>(const std::array<Point<2>, 2>& facet, const Point<2>& low, const Point<2>& high) {
  const auto x = in_units_of_box<2>(facet, low, high);
  const bool near[2] = {facet[0][0] <= high[0], facet[1][0] <= high[0]};
  return under_trace({x[0], near[0]}, {x[1], near[1]},
                     [&] { return pass(FacetTests<2>(facet), near[0] ? -1 : 1, low, high); });
}

template <>
double share_below<3>(const std::array<Point<3>, 3>& facet, const Point<3>& low, const Point<3>& high) {
  const auto x = in_units_of_box<3>(facet, low, high);
  bool near[3];
  int near_y = 0;
  for (int k = 0; k < 3; ++k) {
    near[k] = facet[k][0] <= high[0];
    near_y += facet[k][1] <= high[1];
  }
  // Up to the far face, and the trace on it: from where the rim of the facet comes in to where it goes out.
  Polygon part;
  TraceEnd trace[2];
  int trace_edge[2] = {-1, -1};
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    if (near[k]) part.x[part.count++] = x[k];
    if (near[k] == near[next]) continue;
    // From the near end in both facets of the edge, so that both find the same point; by the given coordinates, whose
    // differences are good to the last place also where the edge nearly lies in the face.
    const int from = near[k] ? k : next, to = near[k] ? next : k;
    const Point<3>&p = x[from], &q = x[to];
    const double t = (high[0] - facet[from][0]) / (facet[to][0] - facet[from][0]);
    const Point<3> passed = {1, p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])};
    part.x[part.count++] = passed;
    const int end = near[k] ? 1 : 0;
    trace[end] = {{passed[1], passed[2]}, near_y == 3};
    trace_edge[end] = k;
  }
  if (part.count == 0) return 0;
  const double share = under_polygon(part);
  if (trace_edge[0] < 0 || near_y == 0) return share;
  if (near_y == 3) return share + under_segment(trace[0].x, trace[1].x);
  const FacetTests<3> tests(facet);
  const int turn_in = tests.turn(2, trace_edge[0], high), turn_out = tests.turn(2, trace_edge[1], high);
  trace[0].is_near = turn_in < 0;
  trace[1].is_near = turn_out > 0;
  return share + under_trace(trace[0], trace[1], [&] { return pass(tests, turn_in, low, high); });
}

void match_volume(GridMesh<3>& grid, double volume) {
  double covered = 0, room = 0;
  for (const float c : grid.coverage) {
    covered += c;
    room += c * (1 - c);
  }
  const double missing = volume / std::pow(grid.lattice.spacing(), 3) - covered;
  constexpr double rounding = 1e-6;
  if (std::abs(missing) <= rounding * covered || room == 0) return;
  const double factor = std::clamp(missing / room, -1.0, 1.0);
  for (float& c : grid.coverage) c = static_cast<float>(c + factor * c * (1 - c));
}

}  // namespace sinew::meshing

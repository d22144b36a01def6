// Crossings: the part of Narrow that follows motions.
#include <algorithm>
#include <cmath>

#include "contact/ccd.h"
#include "contact/narrow.h"

namespace sinew::contact {

namespace {

// A pair nearer than this at x0, as a fraction of the size of the primitives, touches already.
constexpr double touching = 1e-9;
// Motions this close to the plane of a triangle have no side.
constexpr double no_side = 1e-9;

// The first `split` corners and the rest can be told apart throughout: by how far they move, or by a plane across `axis`,
// which points from the closest point of the rest at x1 to that of the first. Both with a margin far above rounding.
bool apart(const Corners& x0, const Corners& x1, int split, const Vec3d& axis) {
  double moved2 = 0;
  for (int i = 0; i < split; ++i)
    for (int j = split; j < 4; ++j) moved2 = std::max(moved2, norm2((x1[i] - x0[i]) - (x1[j] - x0[j])));
  const double distance2 = norm2(axis);
  double size2 = distance2;
  for (int i = 1; i < 4; ++i) size2 = std::max(size2, norm2(x1[i] - x1[0]));
  if (distance2 > moved2 * (1 + 1e-6) && distance2 > size2 * touching * touching) return true;
  const double margin = touching * std::sqrt(distance2 * size2);
  for (const Corners* x : {&x0, &x1}) {
    double low = dot(axis, (*x)[0] - (*x)[3]), high = 0;
    for (int i = 1; i < split; ++i) low = std::min(low, dot(axis, (*x)[i] - (*x)[3]));
    for (int j = split; j < 3; ++j) high = std::max(high, dot(axis, (*x)[j] - (*x)[3]));
    if (!(low > high + margin)) return false;
  }
  return true;
}

Corners at_time(const Corners& x0, const Corners& x1, double time) {
  Corners x;
  for (int i = 0; i < 4; ++i) x[i] = x0[i] * (1 - time) + x1[i] * time;
  return x;
}

double size_of(const Corners& x) {
  double size2 = 0;
  for (int i = 1; i < 4; ++i) size2 = std::max(size2, norm2(x[i] - x[0]));
  return std::sqrt(size2);
}

// True if the pair found at `time` only passed by: after it the two are well apart again, on the side they came from (gap at x1),
// and do not touch any more.
template <class Touch>
bool passed_by(const Corners& x0, const Corners& x1, double time, double gap, const Touch& first_touch) {
  return gap > 4 * touching * size_of(x1) && !first_touch(at_time(x0, x1, time + 0.01 * (1 - time)), x1);
}

// n turned to the side where d was; along d where that has no side.
Vec3d towards(const Vec3d& n, const Vec3d& d) {
  const double along = dot(n, d);
  if (std::abs(along) <= no_side * norm(d)) return normalized(d);
  return along > 0 ? n : -n;
}

}  // namespace

bool Narrow::inside(int32_t node, int32_t body, std::span<const Vec3d> x) const {
  const Closest found = closest(x[node], body, x);
  return found.triangle >= 0 &&
         found.distance < -touching * surface_.edge_length[surface_.vertex_of_point[node]];
}

void Narrow::touch_solid(int32_t vertex, int32_t triangle, const Vec3d& axis,
                         std::vector<Pair>& pairs) const {
  const auto& corners = surface_.triangles[triangle];
  const std::array<int32_t, 4> node = {surface_.vertices[vertex], corners[0], corners[1], corners[2]};
  Corners x0, x1;
  for (int k = 0; k < 4; ++k) {
    x0[k] = motion_.x0[node[k]];
    x1[k] = motion_.x1[node[k]];
  }
  if (apart(x0, x1, 1, axis)) return;
  const auto time = first_touch_point_triangle(x0, x1);
  if (!time) return;

  const Corners x = at_time(x0, x1, *time);
  Pair pair = vertex_pair(node[0], triangle, closest_on_triangle(x[0], x[1], x[2], x[3]).weight);
  if (skipped(pair)) return;
  const bool self = pair.body[0] == pair.body[1];
  const Vec3d across = cross(x[2] - x[1], x[3] - x[1]);
  const double area = norm(across);
  const Vec3d outward = area > 0 ? across / area : Vec3d::zero();
  Vec3d normal;
  if (norm(pair.start) <= touching * size_of(x0)) {
    normal = area > 0 ? outward : surface_.vertex_normal(vertex, motion_.x0) * -1.0;
    if (self && dot(normal, surface_.vertex_normal(vertex, motion_.x0)) > 0) normal = -normal;
    if (dot(normal, offset(pair, motion_.x1)) >= -touching * size_of(x0)) return;
    // On the rim of a face a vertex may pass behind it beside the body.
    if (!self && !inside(node[0], pair.body[1], motion_.x1)) return;
  } else {
    normal = towards(outward, pair.start);
    // From the back: it leaves a body that it was in, or passes through a thin one.
    if (!self && dot(normal, outward) < 0 && inside(node[0], pair.body[1], motion_.x0)) return;
  }
  finish(pair, normal);
  if (passed_by(x0, x1, *time, pair.gap, first_touch_point_triangle)) return;
  if (self) pair.thickness = std::min(pair.thickness, rest_distance(pair));
  pairs.push_back(pair);
}

void Narrow::touch_edges_of_solids(int32_t a, int32_t b, const Vec3d& axis, std::vector<Pair>& pairs) const {
  const std::array<int32_t, 4> node = {surface_.edges[a][0], surface_.edges[a][1], surface_.edges[b][0],
                                       surface_.edges[b][1]};
  Corners x0, x1;
  for (int k = 0; k < 4; ++k) {
    x0[k] = motion_.x0[node[k]];
    x1[k] = motion_.x1[node[k]];
  }
  if (apart(x0, x1, 2, axis)) return;
  const auto time = first_touch_edges(x0, x1);
  if (!time) return;

  const Corners x = at_time(x0, x1, *time);
  const OnEdges on = closest_on_edges(x[0], x[1], x[2], x[3]);
  Pair pair = edge_pair(a, b, on.s, on.t);
  if (skipped(pair)) return;
  const bool self = pair.body[0] == pair.body[1];
  const Vec3d across = cross(x[1] - x[0], x[3] - x[2]);
  const double area = norm(across), lengths = norm(x[1] - x[0]) * norm(x[3] - x[2]);
  const bool parallel = area <= no_side * lengths;
  const Vec3d between = surface_.edge_normal(b, motion_.x0) - surface_.edge_normal(a, motion_.x0);
  Vec3d normal;
  if (norm(pair.start) <= touching * size_of(x0)) {
    if (parallel && norm2(between) == 0) return;
    normal = parallel ? normalized(between) : across / area;
    if (dot(normal, between) < 0) normal = -normal;
    if (dot(normal, offset(pair, motion_.x1)) >= -touching * size_of(x0)) return;
    if (!edges_penetrate(a, b, motion_.x1)) return;
  } else {
    normal = towards(parallel ? Vec3d::zero() : across / area, pair.start);
    // From within: they crossed before, and leave each other.
    if (dot(normal, between) < 0) {
      if (edges_penetrate(a, b, motion_.x0)) return;
      if (!self && (inside(node[0], pair.body[1], motion_.x0) || inside(node[1], pair.body[1], motion_.x0) ||
                    inside(node[2], pair.body[0], motion_.x0) || inside(node[3], pair.body[0], motion_.x0)))
        return;
    }
  }
  finish(pair, normal);
  if (passed_by(x0, x1, *time, pair.gap, first_touch_edges)) return;
  if (self) pair.thickness = std::min(pair.thickness, rest_distance(pair));
  pairs.push_back(pair);
}

// A sheet keeps what meets it on the side on which that was. What has touched it all the time has none.
void Narrow::touch_sheet(int32_t vertex, int32_t triangle, const Vec3d& axis,
                         std::vector<Pair>& pairs) const {
  const auto& corners = surface_.triangles[triangle];
  const std::array<int32_t, 4> node = {surface_.vertices[vertex], corners[0], corners[1], corners[2]};
  Corners x0, x1;
  for (int k = 0; k < 4; ++k) {
    x0[k] = motion_.x0[node[k]];
    x1[k] = motion_.x1[node[k]];
  }
  if (apart(x0, x1, 1, axis)) return;
  const auto time = first_touch_point_triangle(x0, x1);
  if (!time) return;

  const Corners x = at_time(x0, x1, *time);
  Pair pair = vertex_pair(node[0], triangle, closest_on_triangle(x[0], x[1], x[2], x[3]).weight);
  if (norm(pair.start) <= touching * size_of(x0) || skipped(pair)) return;
  const Vec3d across = cross(x[2] - x[1], x[3] - x[1]);
  finish(pair, towards(norm2(across) > 0 ? normalized(across) : Vec3d::zero(), pair.start));
  if (passed_by(x0, x1, *time, pair.gap, first_touch_point_triangle)) return;
  if (pair.body[0] == pair.body[1]) pair.thickness = std::min(pair.thickness, rest_distance(pair));
  pairs.push_back(pair);
}

void Narrow::touch_edges_of_sheets(int32_t a, int32_t b, const Vec3d& axis, std::vector<Pair>& pairs) const {
  const std::array<int32_t, 4> node = {surface_.edges[a][0], surface_.edges[a][1], surface_.edges[b][0],
                                       surface_.edges[b][1]};
  Corners x0, x1;
  for (int k = 0; k < 4; ++k) {
    x0[k] = motion_.x0[node[k]];
    x1[k] = motion_.x1[node[k]];
  }
  if (apart(x0, x1, 2, axis)) return;
  const auto time = first_touch_edges(x0, x1);
  if (!time) return;

  const Corners x = at_time(x0, x1, *time);
  const OnEdges on = closest_on_edges(x[0], x[1], x[2], x[3]);
  Pair pair = edge_pair(a, b, on.s, on.t);
  if (norm(pair.start) <= touching * size_of(x0) || skipped(pair)) return;
  // They crossed before, and leave each other.
  if (edges_penetrate(a, b, motion_.x0)) return;
  const Vec3d across = cross(x[1] - x[0], x[3] - x[2]);
  const bool parallel = norm(across) <= no_side * (norm(x[1] - x[0]) * norm(x[3] - x[2]));
  const Vec3d normal = towards(parallel ? Vec3d::zero() : normalized(across), pair.start);
  // From within the one that is a solid.
  for (const int side : {0, 1}) {
    const int32_t body = pair.body[1 - side];
    const Vec3d outward = surface_.edge_normal(side == 0 ? b : a, motion_.x0) * (side == 0 ? 1.0 : -1.0);
    if (!is_sheet(body) && dot(normal, outward) < 0 &&
        (inside(node[2 * side], body, motion_.x0) || inside(node[2 * side + 1], body, motion_.x0)))
      return;
  }
  finish(pair, normal);
  if (passed_by(x0, x1, *time, pair.gap, first_touch_edges)) return;
  if (pair.body[0] == pair.body[1]) pair.thickness = std::min(pair.thickness, rest_distance(pair));
  pairs.push_back(pair);
}

void Narrow::vertex_crossings(int32_t vertex, int32_t body, Found& found) const {
  const int32_t node = surface_.vertices[vertex], first = surface_.parts[body].triangles.begin;
  const bool self = surface_.vertex_body[vertex] == body;
  const Vec3d& p = motion_.x1[node];
  Box box;
  box.add(motion_.x0[node]);
  box.add(p);
  if (!box.meets(moving_.swept(body))) return;
  moving_.triangles(body).query(box, [&](int32_t i) {
    const auto& t = surface_.triangles[first + i];
    if (self && (t[0] == node || t[1] == node || t[2] == node)) return;
    const Vec3d &a = motion_.x1[t[0]], &b = motion_.x1[t[1]], &c = motion_.x1[t[2]];
    const Vec3d weight = closest_on_triangle(p, a, b, c).weight;
    const Vec3d axis = p - a * weight[0] - b * weight[1] - c * weight[2];
    touch(vertex, first + i, axis, found.crossing);
  });
}

void Narrow::edge_crossings(int32_t edge, int32_t body, Found& found) const {
  const int32_t first = surface_.parts[body].edges.begin;
  const bool self = surface_.edge_body[edge] == body;
  const int32_t i = surface_.edges[edge][0], j = surface_.edges[edge][1];
  const Vec3d &a0 = motion_.x1[i], &a1 = motion_.x1[j];
  Box box;
  for (const auto& x : {motion_.x0, motion_.x1}) {
    box.add(x[i]);
    box.add(x[j]);
  }
  if (!box.meets(moving_.swept(body))) return;
  moving_.edges(body).query(box, [&](int32_t k) {
    const auto [l, m] = surface_.edges[first + k];
    if (self && (first + k <= edge || i == l || i == m || j == l || j == m)) return;
    const Vec3d &b0 = motion_.x1[l], &b1 = motion_.x1[m];
    const OnEdges on = closest_on_edges(a0, a1, b0, b1);
    const Vec3d axis = a0 + (a1 - a0) * on.s - b0 - (b1 - b0) * on.t;
    touch_edges(edge, first + k, axis, found.crossing);
  });
}

}  // namespace sinew::contact

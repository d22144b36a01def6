#include "contact/narrow.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew::contact {

namespace {

// A pair enters when its gap at x1 is below its thickness plus what the two moved, but at least a tenth and at most half
// of an edge: so that few pairs are found too late, and few in vain.
constexpr double min_reach = 0.1, max_reach = 0.5;
// Below this fraction of an edge a distance has no direction.
constexpr double no_direction = 1e-8;
// Closest points nearer than this fraction of an edge are one and the same contact.
constexpr double same_point = 1e-6;
// Directions may be off the range of an edge by about 3 degrees.
constexpr double slack = 0.05;

bool has(const model::Triangle& triangle, int32_t node) {
  return triangle[0] == node || triangle[1] == node || triangle[2] == node;
}

OnTriangle closest_to(const Vec3d& p, const model::Triangle& t, std::span<const Vec3d> x) {
  return closest_on_triangle(p, x[t[0]], x[t[1]], x[t[2]]);
}

Vec3d point_of(const OnTriangle& on, const model::Triangle& t, std::span<const Vec3d> x) {
  return x[t[0]] * on.weight[0] + x[t[1]] * on.weight[1] + x[t[2]] * on.weight[2];
}

// The distance to the surface from a point of an edge, in direction n, has a minimum there that no vertex shares.
bool convex_towards(const Surface& surface, int32_t edge, const Vec3d& n, std::span<const Vec3d> x) {
  return surface.edge_towards(edge, n, x) >= Surface::Towards::sharp;
}

// Whether two edges, one of them of a sheet, meet along n, from b to a. A sheet lies over a sharp edge with flat ones; where flat
// edges meet others of their kind, or run below a border, vertices and triangles meet as well.
bool sheets_meet(Surface::Towards a, Surface::Towards b) {
  using enum Surface::Towards;
  if (a == concave || b == concave) return false;
  return a == sharp || b == sharp || (a == border && b == border);
}

// No edge of a vertex leads clearly against n, which points to it: the vertex is not beside what it would meet, but before
// it. Rounder than for edges, since on curved surfaces several vertices share what one smooth point would carry.
bool lowest_along(const Surface& surface, int32_t vertex, const Vec3d& n, std::span<const Vec3d> x) {
  for (int32_t e : surface.edges_around.row(vertex)) {
    const auto [i, j] = surface.edges[e];
    const Vec3d along = i == surface.vertices[vertex] ? x[j] - x[i] : x[i] - x[j];
    if (dot(n, along) < -4 * slack * norm(along)) return false;
  }
  return true;
}

}  // namespace

bool pierces(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c,
             double tolerance) {
  const Vec3d across = cross(b - a, c - a);
  const double length = norm(across);
  if (length == 0) return false;
  const double hp = dot(across, p - a) / length, hq = dot(across, q - a) / length;
  if (!(std::min(hp, hq) < -tolerance && std::max(hp, hq) > tolerance)) return false;
  const Vec3d at = p + (q - p) * (hp / (hp - hq));
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
    if (dot(cross(to - from, at - from), across) < 0) return false;
  return true;
}

double Narrow::vertex_radius(int32_t vertex, int32_t body) const {
  const auto& x0 = motion_.x0;
  const auto& x1 = motion_.x1;
  const int32_t node = surface_.vertices[vertex], own = surface_.vertex_body[vertex];
  const double edge = surface_.edge_length[vertex];
  const double moved = norm(x1[node] - x0[node]) + moving_.displacement(body);
  const double radius =
      model_.contact_rule(own, body).thickness + std::clamp(moved, min_reach * edge, max_reach * edge);
  if (own == body || is_sheet(body)) return radius;
  // Half of the longest edge at the vertex: of two neighbours that are both farther from a surface than this, neither is
  // on the other side of it (Detector::look_inside).
  double longest2 = 0;
  for (int32_t e : surface_.edges_around.row(vertex))
    longest2 = std::max(longest2, norm2(x1[surface_.edges[e][1]] - x1[surface_.edges[e][0]]));
  return std::max(radius, 0.5001 * std::sqrt(longest2));
}

double Narrow::edge_radius(int32_t edge, int32_t body) const {
  const auto [i, j] = surface_.edges[edge];
  const double length = (surface_.edge_length[surface_.vertex_of_point[i]] +
                         surface_.edge_length[surface_.vertex_of_point[j]]) /
                        2;
  const double moved =
      std::sqrt(std::max(norm2(motion_.x1[i] - motion_.x0[i]), norm2(motion_.x1[j] - motion_.x0[j]))) +
      moving_.displacement(body);
  return model_.contact_rule(surface_.edge_body[edge], body).thickness +
         std::clamp(moved, min_reach * length, max_reach * length);
}

Pair Narrow::vertex_pair(int32_t node, int32_t triangle, const Vec3d& weight) const {
  const auto& corners = surface_.triangles[triangle];
  const int32_t vertex = surface_.vertex_of_point[node];
  Pair pair;
  pair.node = {node, corners[0], corners[1], corners[2]};
  pair.weight = {1, -weight[0], -weight[1], -weight[2]};
  pair.body = {vertex < 0 ? model_.body_of_point(node) : surface_.vertex_body[vertex],
               surface_.triangle_body[triangle]};
  pair.start = offset(pair, motion_.x0);
  return pair;
}

Pair Narrow::edge_pair(int32_t a, int32_t b, double s, double t) const {
  Pair pair;
  pair.edges = true;
  pair.node = {surface_.edges[a][0], surface_.edges[a][1], surface_.edges[b][0], surface_.edges[b][1]};
  pair.weight = {1 - s, s, t - 1, -t};
  pair.body = {surface_.edge_body[a], surface_.edge_body[b]};
  pair.start = offset(pair, motion_.x0);
  return pair;
}

Vec3d Narrow::offset(const Pair& pair, std::span<const Vec3d> x) const {
  Vec3d d = Vec3d::zero();
  for (int k = 0; k < 4; ++k) d += x[pair.node[k]] * pair.weight[k];
  return d;
}

bool Narrow::skipped(const Pair& pair) const {
  if (held_[pair.node[0]] && held_[pair.node[1]] && held_[pair.node[2]] && held_[pair.node[3]]) return true;
  const auto& ignored = model_.contact.ignored;
  if (ignored.empty()) return false;
  for (int k = 0; k < 4; ++k) {
    const bool side_b = pair.edges ? k >= 2 : k >= 1;
    if (std::binary_search(ignored.begin(), ignored.end(),
                           std::array<int32_t, 2>{pair.node[k], pair.body[!side_b]}))
      return true;
  }
  return false;
}

double Narrow::local_edge(const Pair& pair, bool side_b) const {
  double sum = 0, weights = 0;
  for (int k = 0; k < 4; ++k) {
    if ((pair.edges ? k >= 2 : k >= 1) != side_b) continue;
    const double weight = std::abs(pair.weight[k]);
    sum += weight * surface_.edge_length[surface_.vertex_of_point[pair.node[k]]];
    weights += weight;
  }
  return sum / weights;
}

double Narrow::reach(const Pair& pair, const Vec3d& d1) const {
  const double edge = std::min(local_edge(pair, false), local_edge(pair, true));
  return std::clamp(norm(d1 - pair.start), min_reach * edge, max_reach * edge);
}

double Narrow::rest_distance(const Pair& pair) const {
  const Vec3d &a = surface_.X[pair.node[0]], &b = surface_.X[pair.node[1]], &c = surface_.X[pair.node[2]],
              &d = surface_.X[pair.node[3]];
  return std::sqrt(pair.edges ? closest_on_edges(a, b, c, d).distance2
                              : closest_on_triangle(a, b, c, d).distance2);
}

void Narrow::finish(Pair& pair, const Vec3d& normal) const {
  const model::ContactRule& rule = model_.contact_rule(pair.body[0], pair.body[1]);
  pair.normal = normal;
  pair.gap = dot(normal, offset(pair, motion_.x1));
  pair.friction = rule.friction;
  pair.thickness = rule.thickness;
  pair.stiffness = rule.stiffness > 0 ? rule.stiffness : stiffness_(pair, motion_.dt);
}

Narrow::Closest Narrow::closest(const Vec3d& p, int32_t body, std::span<const Vec3d> x) const {
  const int32_t first = surface_.parts[body].triangles.begin;
  Closest found;
  const int32_t nearest = moving_.triangles(body).nearest(
      p, std::numeric_limits<double>::infinity(),
      [&](int32_t i) { return closest_to(p, surface_.triangles[first + i], x).distance2; });
  if (nearest < 0) return found;
  found.triangle = first + nearest;
  const auto& corners = surface_.triangles[found.triangle];
  found.on = closest_to(p, corners, x);
  found.to = p - point_of(found.on, corners, x);
  found.normal = surface_.normal(found.triangle, found.on.feature, x);
  found.distance = std::copysign(std::sqrt(found.on.distance2), dot(found.to, found.normal));
  return found;
}

void Narrow::inside(int32_t vertex, const Closest& closest, std::vector<Pair>& pairs) const {
  Pair pair = vertex_pair(surface_.vertices[vertex], closest.triangle, closest.on.weight);
  if (skipped(pair)) return;
  const double depth = std::abs(closest.distance);
  const bool clear = depth > no_direction * surface_.edge_length[vertex];
  finish(pair, clear ? -normalized(closest.to) : closest.normal);
  pairs.push_back(pair);
}

Narrow::Where Narrow::vertex(int32_t vertex, int32_t body, Found& found) const {
  const Vec3d& p = motion_.x1[surface_.vertices[vertex]];
  const bool self = surface_.vertex_body[vertex] == body, continuous = model_.contact.continuous;
  const double radius = vertex_radius(vertex, body);
  const int32_t node = surface_.vertices[vertex], first = surface_.parts[body].triangles.begin;
  Box box;
  box.add(p);
  box = box.grown(radius);
  const Where otherwise = box.meets(moving_.end(body)) ? Where::far : Where::beyond;
  if (continuous) box.add(motion_.x0[node]);
  if (!box.meets(moving_.swept(body))) return Where::beyond;
  found.candidates.clear();
  moving_.triangles(body).query(box, [&](int32_t i) {
    const auto& corners = surface_.triangles[first + i];
    if (self && has(corners, node)) return;
    const OnTriangle on = closest_to(p, corners, motion_.x1);
    if (on.distance2 <= radius * radius) found.candidates.push_back({first + i, on});
    if (!continuous) return;
    const Vec3d axis = p - point_of(on, corners, motion_.x1);
    touch(vertex, first + i, axis, found.crossing);
  });
  if (found.candidates.empty()) return otherwise;
  std::sort(found.candidates.begin(), found.candidates.end(),
            [](const auto& a, const auto& b) { return a.triangle < b.triangle; });
  if (!self && !is_sheet(body)) {
    const auto& best =
        *std::min_element(found.candidates.begin(), found.candidates.end(),
                          [](const auto& a, const auto& b) { return a.on.distance2 < b.on.distance2; });
    const auto& corners = surface_.triangles[best.triangle];
    const Vec3d to = p - point_of(best.on, corners, motion_.x1);
    const Vec3d normal = surface_.normal(best.triangle, best.on.feature, motion_.x1);
    if (dot(to, normal) < 0 && best.on.distance2 > 0) {
      inside(vertex, {best.triangle, best.on, to, normal, -std::sqrt(best.on.distance2)}, found.near);
      return Where::near;
    }
  }
  near_features(vertex, body, radius, found);
  return Where::near;
}

// No triangle around the feature where the candidate is closest comes nearer.
bool Narrow::lowest_around(const Vec3d& p, const Found::Candidate& candidate) const {
  const auto& corners = surface_.triangles[candidate.triangle];
  const double least = candidate.on.distance2 * (1 - 1e-9);
  const auto nearer = [&](int32_t triangle) {
    return triangle >= 0 && triangle != candidate.triangle &&
           closest_to(p, surface_.triangles[triangle], motion_.x1).distance2 < least;
  };
  const int32_t feature = candidate.on.feature;
  if (feature == 7) return true;
  if (feature == 1 || feature == 2 || feature == 4) {
    const auto around = surface_.triangles_around.row(surface_.vertex_of_point[corners[feature / 2]]);
    return std::none_of(around.begin(), around.end(), nearer);
  }
  const int32_t edge = surface_.edge_between(corners[feature == 6], corners[feature == 3 ? 1 : 2]);
  const auto& beside = surface_.edge_triangles[edge];
  return std::none_of(beside.begin(), beside.end(), nearer);
}

// The corners of the pair lie the other way round at the end of the motion than at its start: one side has become the other.
bool Narrow::turned_over(const Pair& pair) const {
  const auto volume = [&](std::span<const Vec3d> x) {
    const Vec3d &o = x[pair.node[0]], &a = x[pair.node[1]], &b = x[pair.node[2]], &c = x[pair.node[3]];
    return dot(cross(a - o, b - o), c - o);
  };
  return volume(motion_.x0) * volume(motion_.x1) < 0;
}

// A body without inside keeps what meets it on the side on which that was at x0. Where motions are followed, what has changed sides
// is among the crossings, which come first; all else is where it was.
Vec3d Narrow::side_of_start(const Pair& pair, const Vec3d& n) const {
  return !model_.contact.continuous && turned_over(pair) ? -n : n;
}

void Narrow::near_features(int32_t vertex, int32_t body, double radius, Found& found) const {
  const auto& x1 = motion_.x1;
  const Vec3d& p = x1[surface_.vertices[vertex]];
  const bool self = surface_.vertex_body[vertex] == body, solid = !is_sheet(body);
  const double edge = surface_.edge_length[vertex];
  const double thickness = model_.contact_rule(surface_.vertex_body[vertex], body).thickness;
  const size_t before = found.near.size();
  for (const Found::Candidate& candidate : found.candidates) {
    const double distance = std::sqrt(candidate.on.distance2);
    const auto& corners = surface_.triangles[candidate.triangle];
    if (distance > std::min(radius, thickness + max_reach * edge)) continue;
    Pair pair = vertex_pair(surface_.vertices[vertex], candidate.triangle, candidate.on.weight);
    const Vec3d d = p - point_of(candidate.on, corners, x1);
    if (distance >= thickness + reach(pair, d) || skipped(pair) || !lowest_around(p, candidate)) continue;
    Vec3d normal = surface_.normal(candidate.triangle, candidate.on.feature, x1);
    if (distance > no_direction * edge) {
      if (solid && dot(normal, d) <= 0) continue;  // the back of something thin
      if (solid && self && dot(normal, surface_.vertex_normal(vertex, x1)) >= 0) continue;
      normal = solid ? normalized(d) : side_of_start(pair, normalized(d));
      if (candidate.on.feature != 7 && !lowest_along(surface_, vertex, normal, x1)) continue;
    } else if (!solid) {
      if (norm(pair.start) <= no_direction * edge) continue;  // it has touched all the time, and has no side
      normal = normalized(pair.start);
    } else if (candidate.on.feature != 7 && !is_sheet(surface_.vertex_body[vertex])) {
      // Corners and edges that touch: the plane between the two.
      const Vec3d between = normal - surface_.vertex_normal(vertex, x1);
      if (norm(between) > slack) normal = normalized(between);
    }
    if (self && rest_distance(pair) < thickness) continue;
    // The same point through a neighbouring triangle, by rounding.
    const bool again =
        std::any_of(found.near.begin() + static_cast<int64_t>(before), found.near.end(),
                    [&](const Pair& other) { return norm(offset(other, x1) - d) <= same_point * edge; });
    if (again) continue;
    finish(pair, normal);
    found.near.push_back(pair);
  }
}

void Narrow::edge(int32_t edge, int32_t body, Found& found) const {
  const bool self = surface_.edge_body[edge] == body, continuous = model_.contact.continuous;
  const int32_t first = surface_.parts[body].edges.begin;
  const int32_t i = surface_.edges[edge][0], j = surface_.edges[edge][1];
  const Vec3d &a0 = motion_.x1[i], &a1 = motion_.x1[j];
  Box box;
  box.add(a0);
  box.add(a1);
  box = box.grown(edge_radius(edge, body));
  if (continuous) {
    box.add(motion_.x0[i]);
    box.add(motion_.x0[j]);
  }
  if (!box.meets(moving_.swept(body))) return;
  moving_.edges(body).query(box, [&](int32_t k) {
    const int32_t other = first + k;
    const auto [l, m] = surface_.edges[other];
    if (self && (other <= edge || i == l || i == m || j == l || j == m)) return;
    const Vec3d &b0 = motion_.x1[l], &b1 = motion_.x1[m];
    const OnEdges on = closest_on_edges(a0, a1, b0, b1);
    if (on.inside) near_edges(edge, other, on, found.near);
    if (!continuous) return;
    const Vec3d axis = a0 + (a1 - a0) * on.s - b0 - (b1 - b0) * on.t;
    touch_edges(edge, other, axis, found.crossing);
  });
}

void Narrow::near_edges(int32_t a, int32_t b, const OnEdges& on, std::vector<Pair>& pairs) const {
  const auto& x1 = motion_.x1;
  const double thickness = model_.contact_rule(surface_.edge_body[a], surface_.edge_body[b]).thickness;
  const double distance = std::sqrt(on.distance2);
  Pair pair = edge_pair(a, b, on.s, on.t);
  const double edge = std::min(local_edge(pair, false), local_edge(pair, true));
  if (distance >= thickness + max_reach * edge) return;
  const Vec3d d = offset(pair, x1);
  if (distance >= thickness + reach(pair, d) || skipped(pair)) return;
  if (is_sheet(pair.body[0]) || is_sheet(pair.body[1])) {
    near_edges_of_sheets(a, b, pair, d, pairs);
    return;
  }
  Vec3d normal;
  if (distance > no_direction * edge) {
    normal = normalized(d);
  } else {
    normal = cross(x1[pair.node[1]] - x1[pair.node[0]], x1[pair.node[3]] - x1[pair.node[2]]);
    if (norm2(normal) == 0) return;
    normal = normalized(normal);
    if (dot(normal, surface_.edge_normal(b, x1) - surface_.edge_normal(a, x1)) < 0) normal = -normal;
  }
  if (!convex_towards(surface_, b, normal, x1) || !convex_towards(surface_, a, -normal, x1)) {
    // Edges that have passed each other look backwards.
    normal = -normal;
    if (!convex_towards(surface_, b, normal, x1) || !convex_towards(surface_, a, -normal, x1) ||
        !edges_penetrate(a, b, x1))
      return;
  }
  if (pair.body[0] == pair.body[1] && rest_distance(pair) < thickness) return;
  finish(pair, normal);
  pairs.push_back(pair);
}

void Narrow::near_edges_of_sheets(int32_t a, int32_t b, Pair& pair, const Vec3d& d,
                                  std::vector<Pair>& pairs) const {
  const double least = no_direction * std::min(local_edge(pair, false), local_edge(pair, true));
  if (norm(d) <= least && norm(pair.start) <= least) return;
  const Vec3d normal = norm(d) > least ? side_of_start(pair, normalized(d)) : normalized(pair.start);
  if (!sheets_meet(surface_.edge_towards(a, -normal, motion_.x1),
                   surface_.edge_towards(b, normal, motion_.x1)))
    return;
  if (pair.body[0] == pair.body[1] &&
      rest_distance(pair) < model_.contact_rule(pair.body[0], pair.body[1]).thickness)
    return;
  finish(pair, normal);
  pairs.push_back(pair);
}

// One of them passes through a triangle of the other.
bool Narrow::edges_penetrate(int32_t a, int32_t b, std::span<const Vec3d> x) const {
  const auto through = [&](int32_t edge, int32_t other) {
    const auto [i, j] = surface_.edges[edge];
    for (int32_t triangle : surface_.edge_triangles[other]) {
      if (triangle < 0) continue;
      const auto& t = surface_.triangles[triangle];
      if (!has(t, i) && !has(t, j) && pierces(x[i], x[j], x[t[0]], x[t[1]], x[t[2]], 0)) return true;
    }
    return false;
  };
  return through(a, b) || through(b, a);
}

}  // namespace sinew::contact

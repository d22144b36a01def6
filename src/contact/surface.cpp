#include "contact/surface.h"

#include <algorithm>
#include <cmath>

namespace sinew::contact {

namespace {

// Edges that bend less than about 3 degrees are flat; directions may be off the range of an edge by as much.
constexpr double flat = 0.9986, slack = 0.05;

Vec3d unit_or_zero(const Vec3d& a) {
  const double length = norm(a);
  return length > 0 ? a / length : Vec3d::zero();
}

struct Side {
  std::array<int32_t, 2> nodes;
  int32_t triangle;
  auto operator<=>(const Side&) const = default;
};

// Sides of the triangles of one body, sorted: those of one edge follow each other.
std::vector<Side> sorted_sides(const std::vector<model::Triangle>& triangles, model::Range range) {
  std::vector<Side> sides;
  sides.reserve(3 * static_cast<size_t>(range.size()));
  for (int32_t t = range.begin; t < range.end; ++t)
    for (int k = 0; k < 3; ++k) {
      const int32_t i = triangles[t][k], j = triangles[t][(k + 1) % 3];
      sides.push_back({{std::min(i, j), std::max(i, j)}, t});
    }
  std::sort(sides.begin(), sides.end());
  return sides;
}

}  // namespace

Surface::Surface(const model::Model& model) {
  std::vector<Vec3d> memory;
  const std::span<const Vec3d> rest = model::contact_points(model, model.X, memory);
  X.assign(rest.begin(), rest.end());
  vertex_of_point.assign(X.size(), -1);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const auto body = static_cast<int32_t>(b);
    Part part;
    part.triangles.begin = static_cast<int32_t>(triangles.size());
    const std::vector<model::Triangle>& touching = model.touching_surface(b);
    triangles.insert(triangles.end(), touching.begin(), touching.end());
    part.triangles.end = static_cast<int32_t>(triangles.size());

    part.vertices.begin = static_cast<int32_t>(vertices.size());
    for (const auto& triangle : touching) vertices.insert(vertices.end(), triangle.begin(), triangle.end());
    const auto own = vertices.begin() + part.vertices.begin;
    std::sort(own, vertices.end());
    vertices.erase(std::unique(own, vertices.end()), vertices.end());
    part.vertices.end = static_cast<int32_t>(vertices.size());
    for (int32_t v = part.vertices.begin; v < part.vertices.end; ++v) vertex_of_point[vertices[v]] = v;

    part.edges.begin = static_cast<int32_t>(edges.size());
    const std::vector<Side> sides = sorted_sides(triangles, part.triangles);
    for (size_t i = 0; i < sides.size(); ++i) {
      if (i == 0 || sides[i].nodes != sides[i - 1].nodes) {
        edges.push_back(sides[i].nodes);
        edge_triangles.push_back({sides[i].triangle, -1});
      } else if (edge_triangles.back()[1] < 0) {
        edge_triangles.back()[1] = sides[i].triangle;
      }
    }
    part.edges.end = static_cast<int32_t>(edges.size());
    parts.push_back(part);
    solid.push_back(!model.bodies[b].kind->is_triangle());
    vertex_body.resize(vertices.size(), body);
    edge_body.resize(edges.size(), body);
    triangle_body.resize(triangles.size(), body);
  }

  std::vector<std::array<int32_t, 3>> corners(triangles.size());
  for (size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) corners[t][k] = vertex_of_point[triangles[t][k]];
  std::vector<std::array<int32_t, 2>> ends(edges.size());
  for (size_t e = 0; e < edges.size(); ++e)
    for (int k = 0; k < 2; ++k) ends[e][k] = vertex_of_point[edges[e][k]];
  const auto count = static_cast<int64_t>(vertices.size());
  triangles_around = mesh::node_elements(corners, count);
  edges_around = mesh::node_elements(ends, count);

  area.assign(vertices.size(), 0);
  edge_length.assign(vertices.size(), 0);
  for (size_t t = 0; t < triangles.size(); ++t) {
    const auto& [i, j, k] = triangles[t];
    const double third = norm(cross(X[j] - X[i], X[k] - X[i])) / 6;
    for (int32_t vertex : corners[t]) area[vertex] += third;
  }
  for (size_t v = 0; v < vertices.size(); ++v) {
    const auto around = edges_around.row(static_cast<int64_t>(v));
    for (int32_t e : around) edge_length[v] += norm(X[edges[e][1]] - X[edges[e][0]]);
    if (!around.empty()) edge_length[v] /= static_cast<double>(around.size());
  }
}

int32_t Surface::edge_between(int32_t a, int32_t b) const {
  if (vertex_of_point[a] < 0) return -1;
  for (int32_t e : edges_around.row(vertex_of_point[a]))
    if (edges[e][0] == b || edges[e][1] == b) return e;
  return -1;
}

Vec3d Surface::face_normal(int32_t triangle, std::span<const Vec3d> x) const {
  const auto& [a, b, c] = triangles[triangle];
  return unit_or_zero(cross(x[b] - x[a], x[c] - x[a]));
}

Vec3d Surface::edge_normal(int32_t edge, std::span<const Vec3d> x) const {
  Vec3d sum = Vec3d::zero();
  for (int32_t triangle : edge_triangles[edge])
    if (triangle >= 0) sum += face_normal(triangle, x);
  return unit_or_zero(sum);
}

int32_t Surface::borders_of_triangle(int32_t triangle) const {
  const auto& t = triangles[triangle];
  int32_t borders = 0;
  for (int k = 0; k < 3; ++k) {
    if (edge_triangles[edge_between(t[(k + 1) % 3], t[(k + 2) % 3])][1] < 0) borders |= 1 << k;
    for (int32_t e : edges_around.row(vertex_of_point[t[k]]))
      if (edge_triangles[e][1] < 0) borders |= 8 << k;
  }
  return borders;
}

int32_t Surface::borders_of_edge(int32_t edge) const {
  int32_t borders = 0;
  for (int k = 0; k < 2; ++k)
    for (int32_t e : edges_around.row(vertex_of_point[edges[edge][k]]))
      if (edge_triangles[e][1] < 0) borders |= 8 << k;
  return borders;
}

Surface::Towards Surface::edge_towards(int32_t edge, const Vec3d& n, std::span<const Vec3d> x) const {
  const auto [t0, t1] = edge_triangles[edge];
  const Vec3d n0 = face_normal(t0, x), n1 = t1 < 0 ? n0 : face_normal(t1, x);
  if (solid[edge_body[edge]]) {
    if (t1 < 0) return Towards::border;
    if (dot(n, n0 + n1) <= 0) return Towards::concave;
  }
  const auto [i, j] = edges[edge];
  for (const auto& [triangle, normal] : {std::pair{t0, n0}, std::pair{t1, n1}}) {
    if (triangle < 0) continue;
    const auto& corners = triangles[triangle];
    const int32_t opposite = corners[0] + corners[1] + corners[2] - i - j;
    Vec3d into = cross(normal, x[j] - x[i]);
    if (dot(into, x[opposite] - x[i]) < 0) into = -into;
    if (dot(n, into) > slack * norm(into)) return Towards::concave;
  }
  return t1 < 0 ? Towards::border : dot(n0, n1) > flat ? Towards::flat : Towards::sharp;
}

Vec3d Surface::vertex_normal(int32_t vertex, std::span<const Vec3d> x) const {
  Vec3d sum = Vec3d::zero();
  const int32_t node = vertices[vertex];
  for (int32_t triangle : triangles_around.row(vertex)) {
    const auto& corners = triangles[triangle];
    const int k = corners[0] == node ? 0 : corners[1] == node ? 1 : 2;
    const Vec3d u = x[corners[(k + 1) % 3]] - x[node], w = x[corners[(k + 2) % 3]] - x[node];
    const Vec3d across = cross(u, w);
    sum += unit_or_zero(across) * std::atan2(norm(across), dot(u, w));
  }
  return unit_or_zero(sum);
}

Vec3d Surface::normal(int32_t triangle, int32_t feature, std::span<const Vec3d> x) const {
  const auto& corners = triangles[triangle];
  switch (feature) {
    case 1:
      return vertex_normal(vertex_of_point[corners[0]], x);
    case 2:
      return vertex_normal(vertex_of_point[corners[1]], x);
    case 4:
      return vertex_normal(vertex_of_point[corners[2]], x);
    case 3:
      return edge_normal(edge_between(corners[0], corners[1]), x);
    case 5:
      return edge_normal(edge_between(corners[0], corners[2]), x);
    case 6:
      return edge_normal(edge_between(corners[1], corners[2]), x);
    default:
      return face_normal(triangle, x);
  }
}

std::vector<char> rigidly_held(const model::Model& model) {
  std::vector<char> held(model.point_count(), 0);
  for (const model::Attachment& attachment : model.attachments)
    if (attachment.hold == model::Hold::rigid)
      for (int32_t node : attachment.nodes) held[node] = 1;
  for (auto point = static_cast<int32_t>(model.X.size()); point < model.point_count(); ++point) {
    held[point] = 1;
    model::for_each_carrier(model, point, [&](int32_t node, double) { held[point] &= held[node]; });
  }
  return held;
}

}  // namespace sinew::contact

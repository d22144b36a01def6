#pragma once
// Closed surfaces with known volumes, and the count that says whether one is closed and oriented.
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::meshing {

using math::Vec3d;

// [low, high], two triangles a face, facing outwards.
inline mesh::TriMesh box_surface(const Vec3d& low, const Vec3d& high) {
  mesh::TriMesh mesh;
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back({k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]});
  mesh.elements = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// A sphere of around x across quads.
inline mesh::TriMesh sphere_surface(double radius, int around, int across, const Vec3d& centre = {0, 0, 0}) {
  constexpr double pi = 3.14159265358979323846;
  mesh::TriMesh mesh;
  mesh.vertices.push_back(centre - Vec3d{0, 0, radius});
  for (int j = 1; j < across; ++j)
    for (int i = 0; i < around; ++i) {
      const double u = 2 * pi * i / around, v = pi * j / across;
      mesh.vertices.push_back(
          centre + radius * Vec3d{std::cos(u) * std::sin(v), std::sin(u) * std::sin(v), -std::cos(v)});
    }
  mesh.vertices.push_back(centre + Vec3d{0, 0, radius});
  const auto at = [&](int i, int j) { return 1 + (j - 1) * around + i % around; };
  const auto last = static_cast<int32_t>(mesh.vertices.size()) - 1;
  for (int i = 0; i < around; ++i) {
    mesh.elements.push_back({0, at(i + 1, 1), at(i, 1)});
    for (int j = 1; j < across - 1; ++j) {
      mesh.elements.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.elements.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
    mesh.elements.push_back({last, at(i, across - 1), at(i + 1, across - 1)});
  }
  return mesh;
}

inline mesh::TriMesh turned(mesh::TriMesh mesh) {
  for (auto& t : mesh.elements) std::swap(t[1], t[2]);
  return mesh;
}

inline mesh::TriMesh both(const mesh::TriMesh& a, const mesh::TriMesh& b) {
  mesh::TriMesh mesh = a;
  const auto shift = static_cast<int32_t>(a.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& t : b.elements) mesh.elements.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  return mesh;
}

// Every triangle with points of its own, as STL has them.
inline mesh::TriMesh soup(const mesh::TriMesh& mesh) {
  mesh::TriMesh apart;
  for (const auto& t : mesh.elements) {
    const auto first = static_cast<int32_t>(apart.vertices.size());
    for (const int32_t v : t) apart.vertices.push_back(mesh.vertices[v]);
    apart.elements.push_back({first, first + 1, first + 2});
  }
  return apart;
}

// Points at one place become one.
inline mesh::TriMesh welded(const mesh::TriMesh& mesh) {
  mesh::TriMesh one;
  std::map<std::array<double, 3>, int32_t> at;
  std::vector<int32_t> id;
  for (const Vec3d& x : mesh.vertices) {
    const auto [found, fresh] =
        at.emplace(std::array{x[0], x[1], x[2]}, static_cast<int32_t>(one.vertices.size()));
    if (fresh) one.vertices.push_back(x);
    id.push_back(found->second);
  }
  for (const auto& t : mesh.elements) one.elements.push_back({id[t[0]], id[t[1]], id[t[2]]});
  return one;
}

// Every directed edge once, and its opposite too.
inline bool closed_and_oriented(const mesh::TriMesh& mesh) {
  std::map<std::pair<int32_t, int32_t>, int> edges;
  for (const auto& t : mesh.elements)
    for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : edges)
    if (count != 1 || edge.first == edge.second || !edges.count({edge.second, edge.first})) return false;
  return !mesh.elements.empty();
}

// The triangles at every point form one ring.
inline bool one_fan_a_point(const mesh::TriMesh& mesh) {
  std::map<std::pair<int32_t, int32_t>, int32_t> after;  // (point, neighbour) -> the neighbour after it
  std::map<int32_t, int> count;
  for (const auto& t : mesh.elements)
    for (int k = 0; k < 3; ++k) {
      after[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
      ++count[t[k]];
    }
  for (const auto& [point, triangles] : count) {
    const int32_t first = after.lower_bound({point, 0})->first.second;
    int32_t at = first;
    int steps = 0;
    do {
      const auto next = after.find({point, at});
      if (next == after.end() || ++steps > triangles) return false;
      at = next->second;
    } while (at != first);
    if (steps != triangles) return false;
  }
  return true;
}

}  // namespace sinew::meshing

#include "mesh/properties.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "mesh/faces.h"
#include "mesh/second_order.h"

namespace sinew::mesh {
namespace {

using Tet = std::array<int32_t, 4>;

// Partial sums of 1024 terms: a million tets still sum to the last digits.
template <class F>
double sum_of(size_t count, F&& term) {
  double sum = 0;
  for (size_t begin = 0; begin < count; begin += 1024) {
    double part = 0;
    for (size_t i = begin; i < std::min(begin + 1024, count); ++i) part += term(i);
    sum += part;
  }
  return sum;
}

template <int corners>
Components components_of(const Mesh<corners>& mesh) {
  std::vector<int32_t> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const auto& element : mesh.elements)
    for (int k = 1; k < corners; ++k) {
      const int32_t a = root(element[0]), b = root(element[k]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  Components result;
  std::vector<int32_t> number(mesh.vertices.size(), -1);
  result.of_element.reserve(mesh.elements.size());
  for (const auto& element : mesh.elements) {
    int32_t& n = number[root(element[0])];
    if (n < 0) n = result.count++;
    result.of_element.push_back(n);
  }
  return result;
}

}  // namespace

std::vector<double> tet_volumes(const TetMesh& mesh) {
  std::vector<double> volumes;
  volumes.reserve(mesh.elements.size());
  for (const Tet& tet : mesh.elements) volumes.push_back(tet_volume(mesh.vertices, tet));
  return volumes;
}

double total_volume(const TetMesh& mesh) {
  return sum_of(mesh.elements.size(), [&](size_t t) { return tet_volume(mesh.vertices, mesh.elements[t]); });
}

double mean_edge(const TetMesh& mesh) {
  const double sum = sum_of(mesh.elements.size(), [&](size_t t) {
    double edges = 0;
    for (const auto& [a, b] : tet_edges)
      edges += norm(mesh.vertices[mesh.elements[t][a]] - mesh.vertices[mesh.elements[t][b]]);
    return edges / 6;
  });
  return mesh.elements.empty() ? 0 : sum / static_cast<double>(mesh.elements.size());
}

std::span<const double> coverage(const TetMesh& mesh) {
  const auto found = mesh.element_data.find("coverage");
  if (found == mesh.element_data.end() || found->second.width != 1) return {};
  return found->second.values;
}

double covered_volume(const TetMesh& mesh) {
  const std::span<const double> shares = coverage(mesh);
  if (shares.empty()) return total_volume(mesh);
  return sum_of(mesh.elements.size(),
                [&](size_t t) { return shares[t] * tet_volume(mesh.vertices, mesh.elements[t]); });
}

std::vector<double> triangle_areas(const TriMesh& mesh) {
  std::vector<double> areas;
  areas.reserve(mesh.elements.size());
  for (const auto& triangle : mesh.elements) areas.push_back(triangle_area(mesh.vertices, triangle));
  return areas;
}

double total_area(const TriMesh& mesh) {
  return sum_of(mesh.elements.size(),
                [&](size_t t) { return triangle_area(mesh.vertices, mesh.elements[t]); });
}

double enclosed_volume(const TriMesh& mesh) {
  if (mesh.vertices.empty()) return 0;
  // Measured from a point of the mesh: a far origin would cost digits.
  const Vec3d o = mesh.vertices[0];
  return sum_of(mesh.elements.size(), [&](size_t i) {
    const auto& t = mesh.elements[i];
    return tet_volume(o, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  });
}

int64_t orient(TetMesh& mesh) {
  int64_t swapped = 0;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    Tet& tet = mesh.elements[t];
    if (!(tet_volume(mesh.vertices, tet) < 0)) continue;
    std::swap(tet[2], tet[3]);
    ++swapped;
    if (mesh.edge_nodes.empty()) continue;
    auto& edges = mesh.edge_nodes[t];
    std::swap(edges[1], edges[4]);  // 1-2 and 1-3
    std::swap(edges[2], edges[3]);  // 2-0 and 0-3
  }
  return swapped;
}

Bounds bounding_box(std::span<const Vec3d> points) {
  if (points.empty()) return {};
  Bounds b{points[0], points[0]};
  for (const Vec3d& p : points)
    for (int k = 0; k < 3; ++k) {
      b.low[k] = std::min(b.low[k], p[k]);
      b.high[k] = std::max(b.high[k], p[k]);
    }
  return b;
}

TriBoundary boundary(const TetMesh& mesh) {
  TriBoundary result;
  const auto partner = face_partners<4>(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
  for (size_t i = 0; i < partner.size(); ++i) {
    if (partner[i] != no_partner) continue;
    result.triangles.push_back(face_of<4>(mesh.elements[i / 4], static_cast<int>(i % 4)));
    result.tet.push_back(static_cast<int32_t>(i / 4));
  }
  if (mesh.edge_nodes.empty()) return result;
  // Faces of second order: their edge nodes are found by the corners.
  TriBoundary split;
  for (size_t i = 0; i < result.triangles.size(); ++i) {
    const int32_t t = result.tet[i];
    for (int f = 0; f < 4; ++f) {
      if (face_of<4>(mesh.elements[t], f) != result.triangles[i]) continue;
      for (const auto& triangle : split_face(face_nodes(mesh.elements[t], mesh.edge_nodes[t], f))) {
        split.triangles.push_back(triangle);
        split.tet.push_back(t);
      }
    }
  }
  return split;
}

Surface boundary_surface(const TetMesh& mesh) {
  Surface surface;
  TriBoundary faces = boundary(mesh);
  std::vector<int32_t> compact(mesh.vertices.size(), -1);
  for (const auto& triangle : faces.triangles)
    for (int32_t node : triangle) compact[node] = 0;
  for (size_t i = 0; i < compact.size(); ++i) {
    if (compact[i] < 0) continue;
    compact[i] = static_cast<int32_t>(surface.vertex.size());
    surface.vertex.push_back(static_cast<int32_t>(i));
    surface.mesh.vertices.push_back(mesh.vertices[i]);
  }
  surface.mesh.elements = std::move(faces.triangles);
  for (auto& triangle : surface.mesh.elements)
    for (int32_t& node : triangle) node = compact[node];

  for (const auto& [name, ids] : mesh.vertex_groups)
    for (int32_t id : ids)
      if (compact[id] >= 0) surface.mesh.vertex_groups[name].push_back(compact[id]);
  for (const auto& [name, data] : mesh.vertex_data) {
    Attribute& out = surface.mesh.vertex_data[name];
    out.width = data.width;
    for (int32_t id : surface.vertex) {
      const auto from = data.values.begin() + int64_t{id} * data.width;
      out.values.insert(out.values.end(), from, from + data.width);
    }
  }
  return surface;
}

Components connected_components(const TetMesh& mesh) { return components_of<4>(mesh); }
Components connected_components(const TriMesh& mesh) { return components_of<3>(mesh); }

double mean_ratio(std::span<const Vec3d> x, const Tet& tet) {
  const double volume = tet_volume(x, tet);
  if (!(volume > 0)) return 0;
  double squares = 0;
  for (const auto& edge : tet_edges) squares += norm2(x[tet[edge[0]]] - x[tet[edge[1]]]);
  const double root = std::cbrt(3 * volume);
  return 12 * root * root / squares;
}

double radius_ratio(std::span<const Vec3d> x, const Tet& tet) {
  const double volume = tet_volume(x, tet);
  if (!(volume > 0)) return 0;
  double area = 0;
  for (int f = 0; f < 4; ++f) area += triangle_area(x, face_of<4>(tet, f));
  const Vec3d a = x[tet[1]] - x[tet[0]], b = x[tet[2]] - x[tet[0]], c = x[tet[3]] - x[tet[0]];
  // Circumcentre from x0: (|a|^2 b x c + |b|^2 c x a + |c|^2 a x b) / (12 V).
  const Vec3d centre = cross(b, c) * norm2(a) + cross(c, a) * norm2(b) + cross(a, b) * norm2(c);
  const double r_out = norm(centre) / (12 * volume), r_in = 3 * volume / area;
  return 3 * r_in / r_out;
}

double min_dihedral_degrees(std::span<const Vec3d> x, const Tet& tet) {
  Vec3d normal[4];
  for (int f = 0; f < 4; ++f) {
    const auto face = face_of<4>(tet, f);
    normal[f] = cross(x[face[1]] - x[face[0]], x[face[2]] - x[face[0]]);
  }
  double least = std::numbers::pi;
  for (const auto& pair : tet_edges) {
    const Vec3d &n = normal[pair[0]], &m = normal[pair[1]];
    least = std::min(least, std::atan2(norm(cross(n, m)), -dot(n, m)));
  }
  return least * 180 / std::numbers::pi;
}

Quality quality(const TetMesh& mesh) {
  Quality q;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const Tet& tet = mesh.elements[t];
    const double volume = tet_volume(mesh.vertices, tet);
    const double shape = mean_ratio(mesh.vertices, tet), radii = radius_ratio(mesh.vertices, tet);
    const double angle = min_dihedral_degrees(mesh.vertices, tet);
    const bool first = t == 0;
    if (first || shape < q.min_mean_ratio) {
      q.min_mean_ratio = shape;
      q.worst_tet = static_cast<int32_t>(t);
    }
    q.min_volume = first ? volume : std::min(q.min_volume, volume);
    q.max_volume = first ? volume : std::max(q.max_volume, volume);
    q.min_radius_ratio = first ? radii : std::min(q.min_radius_ratio, radii);
    q.min_dihedral_degrees = first ? angle : std::min(q.min_dihedral_degrees, angle);
    q.average_mean_ratio += shape;
    if (!(volume > 0)) ++q.inverted;
  }
  if (!mesh.elements.empty()) q.average_mean_ratio /= static_cast<double>(mesh.elements.size());
  return q;
}

}  // namespace sinew::mesh

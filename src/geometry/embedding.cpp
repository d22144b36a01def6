#include "geometry/embedding.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/parallel.h"
#include "element/shape.h"
#include "geometry/bvh.h"
#include "geometry/closest.h"
#include "mesh/properties.h"

namespace sinew::geometry {
namespace {

constexpr double on_face = -1e-12;  // a weight that counts as inside
constexpr int64_t block = 256;

int32_t node_of(const mesh::TetMesh& mesh, int32_t t, int a) {
  return a < 4 ? mesh.elements[t][a] : mesh.edge_nodes[t][a - 4];
}

std::array<Vec3d, 10> nodes_of(const mesh::TetMesh& mesh, int32_t t) {
  std::array<Vec3d, 10> X;
  for (int a = 0; a < 10; ++a) X[a] = mesh.vertices[node_of(mesh, t, a)];
  return X;
}

// Barycentric coordinates of p in a curved tet of second order, by Newton's method from those of its corners.
element::Barycentric locate(const Vec3d& p, const std::array<Vec3d, 10>& X, element::Barycentric L) {
  for (int iteration = 0; iteration < 20; ++iteration) {
    const auto N = element::Tet10::values(L);
    Vec3d error = p;
    for (int a = 0; a < 10; ++a) error -= X[a] * N[a];
    const Vec3d step = element::barycentric_step<element::Tet10>(X, L, error);
    for (int k = 0; k < 3; ++k) L[k + 1] += step[k];
    L[0] = 1 - L[1] - L[2] - L[3];
    if (norm(step) < 1e-14) break;
  }
  return L;
}

class Carrier {
 public:
  explicit Carrier(const mesh::TetMesh& mesh) : mesh_(mesh), boundary_(mesh::boundary(mesh)) {
    tets_.build(boxes_of(mesh.elements));
    faces_.build(boxes_of(boundary_.triangles));
  }

  struct Found {
    int32_t tet = -1;
    double distance = 0;  // [m]; 0 inside
    Vec3d point;          // p, or the nearest one of the surface
  };
  // The lowest tet that contains p, or the one behind the nearest face.
  Found find(const Vec3d& p) const {
    int32_t found = std::numeric_limits<int32_t>::max();
    tets_.query({p, p}, [&](int32_t t) {
      if (t >= found) return;
      const auto L = element::barycentric(p, mesh_.vertices, mesh_.elements[t]);
      if (*std::min_element(L.begin(), L.end()) >= on_face) found = t;
    });
    if (found != std::numeric_limits<int32_t>::max()) return {found, 0, p};
    const auto& X = mesh_.vertices;
    const auto closest = [&](int32_t i) {
      const auto& [a, b, c] = boundary_.triangles[i];
      return closest_on_triangle(p, X[a], X[b], X[c]);
    };
    const int32_t face = faces_.nearest(p, std::numeric_limits<double>::infinity(),
                                        [&](int32_t i) { return closest(i).distance2; });
    if (face < 0) return {-1, std::numeric_limits<double>::infinity(), p};
    const OnTriangle on = closest(face);
    const auto& [a, b, c] = boundary_.triangles[face];
    return {boundary_.tet[face], std::sqrt(on.distance2),
            on.weight[0] * X[a] + on.weight[1] * X[b] + on.weight[2] * X[c]};
  }

 private:
  template <size_t corners>
  std::vector<Box> boxes_of(const std::vector<std::array<int32_t, corners>>& elements) const {
    std::vector<Box> boxes(elements.size());
    for (size_t i = 0; i < elements.size(); ++i)
      for (int32_t node : elements[i]) boxes[i].add(mesh_.vertices[node]);
    return boxes;
  }

  const mesh::TetMesh& mesh_;
  mesh::TriBoundary boundary_;
  Bvh tets_, faces_;
};

double longest_edge(const mesh::TetMesh& mesh, int32_t t) {
  double longest = 0;
  for (const auto& edge : mesh::tet_edges)
    longest = std::max(
        longest, norm(mesh.vertices[mesh.elements[t][edge[0]]] - mesh.vertices[mesh.elements[t][edge[1]]]));
  return longest;
}

// Outside a tet of second order, by the tangent of its map at the nearest point q: the shape functions themselves grow
// with the square of the distance.
EmbeddedPoint beside_tet(const mesh::TetMesh& mesh, int32_t t, const Vec3d& q, const Vec3d& p) {
  const std::array<Vec3d, 10> X = nodes_of(mesh, t);
  const element::Barycentric L = locate(q, X, element::barycentric(q, mesh.vertices, mesh.elements[t]));
  const auto N = element::Tet10::values(L);
  const auto gradient = element::shape_gradients<element::Tet10>(X, L).g;
  EmbeddedPoint out;
  out.count = 10;
  for (int a = 0; a < 10; ++a) {
    out.node[a] = node_of(mesh, t, a);
    out.weight[a] = N[a] + dot(gradient[a], p - q);
  }
  return out;
}

}  // namespace

EmbeddedPoint embed_in_tet(const mesh::TetMesh& mesh, int32_t t, const Vec3d& p) {
  const element::Barycentric corners = element::barycentric(p, mesh.vertices, mesh.elements[t]);
  EmbeddedPoint out;
  out.count = 4;
  for (int k = 0; k < 4; ++k) {
    out.node[k] = mesh.elements[t][k];
    out.weight[k] = corners[k];
  }
  if (!mesh.edge_nodes.empty()) {
    const auto N = element::Tet10::values(locate(p, nodes_of(mesh, t), corners));
    out.count = 10;
    for (int a = 0; a < 10; ++a) {
      out.node[a] = node_of(mesh, t, a);
      out.weight[a] = N[a];
    }
  }
  // Outside its tet a point may have a weight of 1 and others beside it.
  double sum = 0;
  for (int k = 0; k < out.count; ++k) sum += std::abs(out.weight[k]);
  for (int k = 0; k < out.count; ++k)
    if (std::abs(out.weight[k] - 1) < 1e-12 && sum < 1 + 1e-11) return {1, {out.node[k]}, {1}};
  return out;
}

Result<std::vector<EmbeddedPoint>> embed(const mesh::TetMesh& mesh, std::span<const Vec3d> points,
                                         const std::string& name) {
  if (mesh.elements.empty()) return input_error(name, "the body has no tets that could carry points");
  const Carrier carrier(mesh);
  std::vector<EmbeddedPoint> embedded(points.size());
  std::vector<double> distances(points.size());
  std::vector<uint8_t> too_far(points.size());
  for_each_block(static_cast<int64_t>(points.size()), block, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Carrier::Found found = carrier.find(points[i]);
      distances[i] = found.distance;
      too_far[i] = found.tet < 0 || !(found.distance <= longest_edge(mesh, found.tet));
      if (too_far[i]) continue;
      const bool beside = found.distance > 0 && !mesh.edge_nodes.empty();
      embedded[i] = beside ? beside_tet(mesh, found.tet, found.point, points[i])
                           : embed_in_tet(mesh, found.tet, points[i]);
    }
  });
  const auto count = std::count(too_far.begin(), too_far.end(), 1);
  if (count == 0) return embedded;
  const auto farthest = std::max_element(distances.begin(), distances.end()) - distances.begin();
  return input_error(
      name, fmt::format("{} of {} vertices lie farther from the body than an edge of its tets, the farthest, "
                        "vertex {}, {:.4g} m away; expected a surface in the body's rest pose, in the same "
                        "axes and unit",
                        count, points.size(), farthest + 1, distances[farthest]));
}

}  // namespace sinew::geometry

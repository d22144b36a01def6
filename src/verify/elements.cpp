#include "verify/elements.h"

#include <algorithm>

#include "mesh/second_order.h"
#include "model/element_nodes.h"

namespace sinew::verify {

namespace {

// Gauss points in [0, 1] and their weights.
struct GaussPoint {
  double at, weight;
};
constexpr GaussPoint three_points[] = {
    {0.11270166537925831, 5.0 / 18}, {0.5, 4.0 / 9}, {0.88729833462074169, 5.0 / 18}};
constexpr GaussPoint four_points[] = {{0.06943184420297371, 0.17392742256872693},
                                      {0.33000947820757187, 0.32607257743127307},
                                      {0.66999052179242813, 0.32607257743127307},
                                      {0.93056815579702629, 0.17392742256872693}};

template <class Shape>
ElementPoint make_point(const model::Model& model, int32_t tet, const element::Barycentric& L, double share) {
  const auto ids = model::element_nodes<Shape>(model, tet);
  const auto X = element::positions(model.X, ids);
  const auto N = Shape::values(L);
  const auto gradients = element::shape_gradients<Shape>(X, L);
  ElementPoint point;
  point.tet = tet;
  point.count = Shape::nodes;
  for (int a = 0; a < Shape::nodes; ++a) {
    point.node[a] = ids[a];
    point.N[a] = N[a];
    point.grad[a] = gradients.g[a];
    point.X += X[a] * N[a];
  }
  point.volume = gradients.weight * Shape::points * share;
  return point;
}

// The nodes of each boundary face whose corners are all in the group.
std::vector<std::vector<int32_t>> faces_of(const Specimen& specimen, const std::string& group) {
  const model::Body& body = specimen.model().bodies[0];
  std::vector<char> member(specimen.model().X.size(), 0);
  for (int32_t node : specimen.group(group)) member[node] = 1;
  std::vector<std::vector<int32_t>> faces;
  const auto& triangles = body.kind->face_triangles;
  for (size_t first = 0; first < body.surface.size(); first += triangles.size()) {
    std::vector<int32_t> face(body.kind->face_nodes);
    for (size_t t = 0; t < triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) face[triangles[t][k]] = body.surface[first + t][k];
    if (member[face[0]] && member[face[1]] && member[face[2]]) faces.push_back(std::move(face));
  }
  return faces;
}

// Shape functions of a face at barycentric coordinates L, and their derivatives by L_1 and L_2.
struct FaceShapes {
  double N[6], d1[6], d2[6];

  FaceShapes(const double (&L)[3], bool second_order) {
    constexpr double dL[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const double slope = second_order ? 4 * L[i] - 1 : 1;
      N[i] = second_order ? L[i] * (2 * L[i] - 1) : L[i];
      d1[i] = slope * dL[i][0];
      d2[i] = slope * dL[i][1];
      N[3 + i] = 4 * L[i] * L[j];
      d1[3 + i] = 4 * (L[i] * dL[j][0] + L[j] * dL[i][0]);
      d2[3 + i] = 4 * (L[i] * dL[j][1] + L[j] * dL[i][1]);
    }
  }
};

}  // namespace

mesh::TetMesh with_nodes(mesh::TetMesh mesh, std::string_view elements) {
  const element::Kind& kind = *element::find_kind(elements);
  if (kind.nodes > kind.corners) mesh::add_edge_nodes(mesh);
  return mesh;
}

Vec3d ElementPoint::value(std::span<const Vec3d> nodes) const {
  Vec3d sum = {0, 0, 0};
  for (int a = 0; a < count; ++a) sum += nodes[node[a]] * N[a];
  return sum;
}

Mat3d ElementPoint::gradient(std::span<const Vec3d> nodes) const {
  Mat3d sum = Mat3d::zero();
  for (int a = 0; a < count; ++a) sum += outer(nodes[node[a]], grad[a]);
  return sum;
}

ElementPoint point_of(const model::Model& model, int32_t tet, const element::Barycentric& L, double share) {
  return model::with_shape_of(model, tet,
                              [&](auto shape) { return make_point<decltype(shape)>(model, tet, L, share); });
}

void for_each_point(const model::Model& model, const std::function<void(const ElementPoint&)>& f) {
  for (int32_t tet = 0; tet < static_cast<int32_t>(model.elements.size()); ++tet) {
    const std::span<const GaussPoint> line =
        model.elements[tet].size() == 10 ? std::span<const GaussPoint>(four_points) : three_points;
    for (const auto& [a, weight_a] : line)
      for (const auto& [b, weight_b] : line)
        for (const auto& [c, weight_c] : line) {
          const double x = a, y = b * (1 - a), z = c * (1 - a) * (1 - b);
          f(point_of(model, tet, {1 - x - y - z, x, y, z},
                     6 * weight_a * weight_b * weight_c * (1 - a) * (1 - a) * (1 - b)));
        }
  }
}

void add_traction(Specimen& specimen, const std::string& group,
                  const std::function<Vec3d(const Vec3d& X, const Vec3d& normal)>& traction) {
  const model::Model& model = specimen.model();
  std::vector<Vec3d> force(model.X.size(), Vec3d{0, 0, 0});
  for (const std::vector<int32_t>& nodes : faces_of(specimen, group))
    for (const auto& [a, weight_a] : four_points)
      for (const auto& [c, weight_c] : four_points) {
        const double b = c * (1 - a);
        const FaceShapes shapes({1 - a - b, a, b}, nodes.size() == 6);
        Vec3d X = {0, 0, 0}, along1 = {0, 0, 0}, along2 = {0, 0, 0};
        for (size_t n = 0; n < nodes.size(); ++n) {
          X += model.X[nodes[n]] * shapes.N[n];
          along1 += model.X[nodes[n]] * shapes.d1[n];
          along2 += model.X[nodes[n]] * shapes.d2[n];
        }
        const Vec3d area = cross(along1, along2) * (weight_a * weight_c * (1 - a));
        const Vec3d total = traction(X, normalized(area)) * norm(area);
        for (size_t n = 0; n < nodes.size(); ++n) force[nodes[n]] += total * shapes.N[n];
      }
  std::vector<Vec3d> forces;
  for (int32_t node : specimen.group(group)) forces.push_back(force[node]);
  specimen.add_load(specimen.group(group), std::move(forces));
}

std::vector<std::array<int32_t, 6>> curved_faces(const Specimen& specimen, const std::string& group) {
  std::vector<std::array<int32_t, 6>> faces;
  for (const std::vector<int32_t>& f : faces_of(specimen, group))
    if (f.size() == 6) faces.push_back({f[0], f[1], f[2], f[3], f[4], f[5]});
  return faces;
}

PointStress::PointStress(const Solid& solid)
    : law_(*material::find_law(solid.law)), params_(law_.param_count) {
  law_.convert(solid.values().data(), params_.data());
}

void PointStress::operator()(std::span<const Mat3d> F, std::span<Mat3d> P) const {
  material::evaluate_stress(law_, params_, F, P);
}

Mat3d stress_at_node(const Specimen& specimen, const Solid& solid, const Solution& solution, int32_t node) {
  const model::Model& model = specimen.model();
  const PointStress stress(solid);
  Mat3d sum = Mat3d::zero();
  double count = 0;
  for (int32_t tet = 0; tet < static_cast<int32_t>(model.elements.size()); ++tet)
    for (int corner = 0; corner < 4; ++corner) {
      if (model.elements[tet][corner] != node) continue;
      element::Barycentric L = {0, 0, 0, 0};
      L[corner] = 1;
      const Mat3d F = point_of(model, tet, L, 1).gradient(solution.state.x());
      Mat3d P;
      stress({&F, 1}, {&P, 1});
      sum += P;
      ++count;
    }
  return sum * (1 / count);
}

}  // namespace sinew::verify

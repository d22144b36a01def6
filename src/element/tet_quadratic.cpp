// Ten nodes: corners, then edge nodes in the order of mesh::tet_edges; four quadrature points. A corner has 1/36 of the
// lumped mass and an edge node 4/27, in proportion to the diagonal of the consistent mass (Hinton, Rock, Zienkiewicz: A
// note on mass lumping and related processes in the finite element method, 1976). Over a face the shape functions of
// the corners have no integral.
#include "element/shape.h"
#include "element/tet_linear.h"
#include "mesh/properties.h"
#include "mesh/second_order.h"

namespace sinew::element {

namespace {

constexpr auto& points = Tet10::quadrature;

std::array<Vec3d, 10> positions(const Vec3d* X) {
  std::array<Vec3d, 10> list;
  std::copy_n(X, 10, list.begin());
  return list;
}

void point_volumes(const Vec3d* X, double* out) {
  const auto nodes = positions(X);
  for (const Barycentric& L : points) *out++ = shape_gradients<Tet10>(nodes, L).weight;
}

double min_volume(const Vec3d* X) {
  const auto nodes = positions(X);
  double least = mesh::tet_volume(X[0], X[1], X[2], X[3]);
  for (const Barycentric& L : points) least = std::min(least, shape_gradients<Tet10>(nodes, L).weight);
  for (int a = 0; a < 4; ++a) {
    Barycentric corner{};
    corner[a] = 1;
    least = std::min(least, shape_gradients<Tet10>(nodes, corner).weight);
  }
  return least;
}

void values(const double* L, double* N) {
  const auto at = Tet10::values({L[0], L[1], L[2], L[3]});
  std::copy(at.begin(), at.end(), N);
}

std::array<double, 40> values_at_points() {
  std::array<double, 40> list;
  for (size_t q = 0; q < points.size(); ++q) values(points[q].data(), &list[10 * q]);
  return list;
}

// Places of the six nodes of each face, and of the triangles that stand for one.
std::array<int8_t, 24> local_faces() {
  std::array<int8_t, 24> list;
  for (int f = 0; f < 4; ++f) {
    const auto nodes = mesh::face_nodes({0, 1, 2, 3}, {4, 5, 6, 7, 8, 9}, f);
    std::copy(nodes.begin(), nodes.end(), list.begin() + 6 * f);
  }
  return list;
}

std::array<std::array<int8_t, 3>, 4> local_triangles() {
  std::array<std::array<int8_t, 3>, 4> list;
  const auto triangles = mesh::split_face({0, 1, 2, 3, 4, 5});
  for (int t = 0; t < 4; ++t) std::copy(triangles[t].begin(), triangles[t].end(), list[t].begin());
  return list;
}

}  // namespace

const Kind& kind_tet_quadratic() {
  static const auto at_points = values_at_points();
  static const auto faces = local_faces();
  static const auto triangles = local_triangles();
  static constexpr double corner = 1.0 / 36, edge = 4.0 / 27;
  static constexpr double shares[] = {corner, corner, corner, corner, edge, edge, edge, edge, edge, edge};
  static const Kind kind = {
      .name = "quadratic",
      .phrase = "second order",
      .plural = "elements of second order",
      .noun = "tet",
      .doc = "10 nodes, with edge nodes from the file or in the middle of the edges.",
      .dimension = 3,
      .nodes = 10,
      .corners = 4,
      .edges = kind_tet_linear().edges,
      .face_nodes = 6,
      .faces = faces,
      .face_triangles = triangles,
      .points = 4,
      .point_values = at_points,
      .mass_shares = shares,
      .loads_corners = false,
      .volume = kind_tet_linear().volume,
      .point_volumes = point_volumes,
      .min_volume = min_volume,
      .quality = kind_tet_linear().quality,
      .values = values,
      .clamps = true,
      .bytes = 7000,
  };
  return kind;
}

}  // namespace sinew::element

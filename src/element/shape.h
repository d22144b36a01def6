#pragma once
// Shapes of elements: their nodes, shape functions N_a and quadrature points. A shape is a struct of constants and static
// functions, the parameter of all kernels that are written for any shape (element/block.h); what the rest of the engine asks
// is in the table of its kind (element/kind.h). Tet4 and Tet10 are tetrahedra
// of first and second order in barycentric coordinates L; the edge nodes of Tet10 are in the order of mesh::tet_edges. Their
// quadratures have one point, and four points exact for polynomials of degree two (Keast: Moderate-degree tetrahedral
// quadrature formulas, 1986).
//
//     const auto at = shape_gradients<Tet10>(X, Tet10::quadrature[q]);   // at.weight = rest volume of the point
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "math/mat.h"
#include "mesh/mesh.h"

namespace sinew::element {

using math::Mat3d;
using math::Vec3d;

using Barycentric = std::array<double, 4>;

inline constexpr Barycentric tet_centre = {0.25, 0.25, 0.25, 0.25};

struct Tet4 {
  static constexpr int dimension = 3, nodes = 4, points = 1;
  static constexpr std::array<Barycentric, points> quadrature = {tet_centre};
  // Quadrature points in a unit of reference volume: each stands for an equal share of it.
  static constexpr double point_density = 6.0 * points;

  static constexpr std::array<double, nodes> values(const Barycentric& L) { return L; }
  // dN_a/dL_k, k = 1..3, with L_0 = 1 - L_1 - L_2 - L_3.
  static constexpr std::array<Vec3d, nodes> reference_gradients(const Barycentric&) {
    return {{{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  }
  // 1/V from the gradients of nodes 1 to 3: their determinant is 1/(6 V).
  template <class T>
  static T inverse_volume(const T* g) {
    using std::abs;
    return T(6) * abs(det(math::Mat3<T>{{{g[0], g[1], g[2]}, {g[3], g[4], g[5]}, {g[6], g[7], g[8]}}}));
  }
};

struct Tet10 {
  static constexpr int dimension = 3, nodes = 10, points = 4;
  static constexpr double near = 0.58541019662496845446, far = 0.13819660112501051518;
  static constexpr std::array<Barycentric, points> quadrature = {
      {{near, far, far, far}, {far, near, far, far}, {far, far, near, far}, {far, far, far, near}}};
  static constexpr double point_density = 6.0 * points;

  static constexpr std::array<double, nodes> values(const Barycentric& L) {
    std::array<double, nodes> N{};
    for (int i = 0; i < 4; ++i) N[i] = L[i] * (2 * L[i] - 1);
    for (int e = 0; e < 6; ++e) N[4 + e] = 4 * L[mesh::tet_edges[e][0]] * L[mesh::tet_edges[e][1]];
    return N;
  }
  static constexpr std::array<Vec3d, nodes> reference_gradients(const Barycentric& L) {
    double dN[nodes][4] = {};  // by L_0..L_3
    for (int i = 0; i < 4; ++i) dN[i][i] = 4 * L[i] - 1;
    for (int e = 0; e < 6; ++e) {
      const int i = mesh::tet_edges[e][0], j = mesh::tet_edges[e][1];
      dN[4 + e][i] = 4 * L[j];
      dN[4 + e][j] = 4 * L[i];
    }
    std::array<Vec3d, nodes> d{};
    for (int a = 0; a < nodes; ++a) d[a] = {dN[a][1] - dN[a][0], dN[a][2] - dN[a][0], dN[a][3] - dN[a][0]};
    return d;
  }
};

// A triangle of a sheet. Its rest shape lies in a plane of its own (model::Body::flat), so F has two columns.
struct Tri3 {
  static constexpr int dimension = 2, nodes = 3, points = 1;

  // One over its area, from the gradients of nodes 1 and 2.
  template <class T>
  static T inverse_volume(const T* g) {
    return (g[0] * g[3] - g[1] * g[2]) * 2.0;
  }
};

template <class Shape>
using NodeIds = std::array<int32_t, Shape::nodes>;

// Of the nodes of one element, from an array over all nodes.
template <size_t nodes>
std::array<Vec3d, nodes> positions(std::span<const Vec3d> x, const std::array<int32_t, nodes>& ids) {
  std::array<Vec3d, nodes> at;
  for (size_t a = 0; a < nodes; ++a) at[a] = x[ids[a]];
  return at;
}

template <class Shape>
struct ShapeGradients {
  using Vector = math::Vec<double, Shape::dimension>;
  std::array<Vector, Shape::nodes> g;  // dN_a/dX [1/m]; they sum to zero
  double weight;  // volume that the point stands for [m^dimension]; not positive: the map folds there

  // Those of nodes 1, 2, ..., number after number, as deformation() takes them.
  const double* edges() const { return g[1].v; }
};

// dX/dL_k by columns. Differences from node 0 keep the digits.
template <class Shape>
Mat3d shape_jacobian(const std::array<Vec3d, Shape::nodes>& X, const std::array<Vec3d, Shape::nodes>& d) {
  Mat3d D = Mat3d::zero();
  for (int a = 1; a < Shape::nodes; ++a)
    for (int k = 0; k < 3; ++k) D.c[k] += (X[a] - X[0]) * d[a][k];
  return D;
}

template <class Shape>
ShapeGradients<Shape> shape_gradients(const std::array<Vec3d, Shape::nodes>& X, const Barycentric& L) {
  const auto d = Shape::reference_gradients(L);
  const Mat3d D = shape_jacobian<Shape>(X, d), inverse = math::inverse(D);
  ShapeGradients<Shape> r;
  for (int a = 0; a < Shape::nodes; ++a) r.g[a] = transpose(inverse) * d[a];
  r.weight = det(D) / Shape::point_density;
  return r;
}

// Of a triangle from its edges (1, 0) and (2, 0) at rest.
inline ShapeGradients<Tri3> triangle_gradients(const std::array<math::Vec<double, 2>, 2>& e) {
  const double twice = e[0][0] * e[1][1] - e[0][1] * e[1][0];
  ShapeGradients<Tri3> r;
  r.g[1] = {e[1][1] / twice, -e[1][0] / twice};
  r.g[2] = {-e[0][1] / twice, e[0][0] / twice};
  r.g[0] = -(r.g[1] + r.g[2]);
  r.weight = 0.5 * twice;
  return r;
}

// How L_1..L_3 change for a small move from the point of L.
template <class Shape>
Vec3d barycentric_step(const std::array<Vec3d, Shape::nodes>& X, const Barycentric& L, const Vec3d& move) {
  return math::inverse(shape_jacobian<Shape>(X, Shape::reference_gradients(L))) * move;
}

// Of p in the tet between four corners: they sum to one, and all are >= 0 inside.
inline Barycentric barycentric(const Vec3d& p, std::span<const Vec3d> X, const NodeIds<Tet4>& tet) {
  const Mat3d D = Mat3d::columns(X[tet[1]] - X[tet[0]], X[tet[2]] - X[tet[0]], X[tet[3]] - X[tet[0]]);
  const Vec3d w = inverse(D) * (p - X[tet[0]]);
  return {1 - w[0] - w[1] - w[2], w[0], w[1], w[2]};
}

// Twice the area vectors of the faces opposite to the nodes of a tet: six times the gradient of its volume.
inline std::array<Vec3d, 4> area_vectors(std::span<const Vec3d> x, const NodeIds<Tet4>& tet) {
  const Vec3d e1 = x[tet[1]] - x[tet[0]], e2 = x[tet[2]] - x[tet[0]], e3 = x[tet[3]] - x[tet[0]];
  std::array<Vec3d, 4> a;
  a[1] = cross(e2, e3);
  a[2] = cross(e3, e1);
  a[3] = cross(e1, e2);
  a[0] = -(a[1] + a[2] + a[3]);
  return a;
}

}  // namespace sinew::element

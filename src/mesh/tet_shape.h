#pragma once
// Shape functions of tets of first (4 nodes) and second order (10 nodes, the edge nodes in the order of tet_edges) in
// barycentric coordinates L, their gradients in space, and the quadrature that goes with each: one point, or four
// points exact for polynomials of degree two (Keast: Moderate-degree tetrahedral quadrature formulas, 1986).
//
//     const ShapeGradients<10> at = shape_gradients<10>(X, tet_points<10>[q]);   // at.weight = volume of the point
#include <array>
#include <span>

#include "math/mat.h"
#include "mesh/mesh.h"

namespace sinew::mesh {

using Barycentric = std::array<double, 4>;

inline constexpr Barycentric tet_centre = {0.25, 0.25, 0.25, 0.25};

// Equal shares of the reference tet belong to the points.
template <int nodes>
inline constexpr std::array<Barycentric, 1> tet_points = {tet_centre};
template <>
inline constexpr std::array<Barycentric, 4> tet_points<10> = {
    {{0.58541019662496845446, 0.13819660112501051518, 0.13819660112501051518, 0.13819660112501051518},
     {0.13819660112501051518, 0.58541019662496845446, 0.13819660112501051518, 0.13819660112501051518},
     {0.13819660112501051518, 0.13819660112501051518, 0.58541019662496845446, 0.13819660112501051518},
     {0.13819660112501051518, 0.13819660112501051518, 0.13819660112501051518, 0.58541019662496845446}}};

// The barycentric coordinates of p in the tet between four corners: they sum to one, and all are >= 0 inside.
inline Barycentric barycentric(const Vec3d& p, std::span<const Vec3d> X, const std::array<int32_t, 4>& tet) {
  const math::Mat3d D =
      math::Mat3d::columns(X[tet[1]] - X[tet[0]], X[tet[2]] - X[tet[0]], X[tet[3]] - X[tet[0]]);
  const Vec3d w = inverse(D) * (p - X[tet[0]]);
  return {1 - w[0] - w[1] - w[2], w[0], w[1], w[2]};
}

template <int nodes>
std::array<double, nodes> shape_values(const Barycentric& L) {
  std::array<double, nodes> N;
  for (int i = 0; i < 4; ++i) N[i] = nodes == 4 ? L[i] : L[i] * (2 * L[i] - 1);
  if constexpr (nodes == 10)
    for (int e = 0; e < 6; ++e) N[4 + e] = 4 * L[tet_edges[e][0]] * L[tet_edges[e][1]];
  return N;
}

template <int nodes>
struct ShapeGradients {
  std::array<Vec3d, nodes> g;  // dN_a/dX [1/m]; they sum to zero
  double weight;               // volume that the point stands for [m^3]; not positive: the map folds there
};

// dN_a/dL_k - dN_a/dL_0, k = 1..3: L_0 = 1 - L_1 - L_2 - L_3.
template <int nodes>
std::array<Vec3d, nodes> reference_gradients(const Barycentric& L) {
  double dN[nodes][4] = {};  // by L_0..L_3
  for (int i = 0; i < 4; ++i) dN[i][i] = nodes == 4 ? 1 : 4 * L[i] - 1;
  if constexpr (nodes == 10)
    for (int e = 0; e < 6; ++e) {
      const int i = tet_edges[e][0], j = tet_edges[e][1];
      dN[4 + e][i] = 4 * L[j];
      dN[4 + e][j] = 4 * L[i];
    }
  std::array<Vec3d, nodes> d;
  for (int a = 0; a < nodes; ++a) d[a] = {dN[a][1] - dN[a][0], dN[a][2] - dN[a][0], dN[a][3] - dN[a][0]};
  return d;
}

// dX/dL_k by columns. Differences from node 0 keep the digits.
template <int nodes>
math::Mat3d shape_jacobian(const std::array<Vec3d, nodes>& X, const std::array<Vec3d, nodes>& d) {
  math::Mat3d D = math::Mat3d::zero();
  for (int a = 1; a < nodes; ++a)
    for (int k = 0; k < 3; ++k) D.c[k] += (X[a] - X[0]) * d[a][k];
  return D;
}

template <int nodes>
ShapeGradients<nodes> shape_gradients(const std::array<Vec3d, nodes>& X, const Barycentric& L) {
  const auto d = reference_gradients<nodes>(L);
  const math::Mat3d D = shape_jacobian<nodes>(X, d), inverse = math::inverse(D);
  ShapeGradients<nodes> r;
  for (int a = 0; a < nodes; ++a) r.g[a] = transpose(inverse) * d[a];
  r.weight = det(D) / (6.0 * tet_points<nodes>.size());
  return r;
}

// How L_1..L_3 change for a small move from the point of L.
inline Vec3d barycentric_step(const std::array<Vec3d, 10>& X, const Barycentric& L, const Vec3d& move) {
  return math::inverse(shape_jacobian<10>(X, reference_gradients<10>(L))) * move;
}

}  // namespace sinew::mesh

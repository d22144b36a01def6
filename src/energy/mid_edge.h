#pragma once
// Bending of one triangle by its normal at the middles of its edges (Grinspun, Gingold, Reisman, Zorin: Computing discrete
// shape operators on general meshes, 2006). With edges i of length l_i, unit outward normals t_i in the plane at rest and area A,
//
//     c_i = tan(theta_i / 2) + s_i phi_i,   B = sum_i (c_i - c0_i) (l_i / A) t_i t_i^T,   E = A k.D k / 2, k = (B_11, B_22, 2 B_12),
//
// theta_i the angle at the edge (energy/dihedral.h), of which each of the two triangles has one half, and phi_i the turn of the
// normal at the middle of the edge, s_i = 1 in the triangle on its left and -1 in the one on its right. As a function of c it is
//
//     E = (c - c0).M (c - c0) / 2,   M_ij = (l_i l_j / A) k_i.D k_j,   k_i of t_i t_i^T.
//
// Triangles cannot fold onto each other: tan(theta / 2) has no bound. Small moves of a flat plate make it the element of Morley
// (1968). A free border has c_i = s_i phi_i: no angle counts. Where a
// border is held, the normal there is that of a triangle beyond it which is held, and c_i = 2 tan(theta_i / 2): the
// whole angle is on this side. The turn there is held at 0 by `hold`, which no other force reaches.
//
// The nine places of a triangle are its corners, the corners beyond its edges in the same order, and the turns.
#include "energy/dihedral.h"

namespace sinew::energy {

template <class T>
struct MidEdgeRest {
  T M[6];  // 00 01 02 11 12 22 [N m]
  T c0[3];
  T turn[3];    // s_i over the length of the edge: the turn's unknown is a length [1/m]
  T weight[3];  // of tan(theta / 2): 1, along free borders 0, along held ones 2
  T hold[3];    // [N/m]

  const T& m(int i, int j) const {
    return M[i <= j ? i * 3 - i * (i + 1) / 2 + j : j * 3 - j * (j + 1) / 2 + i];
  }
  auto held(int i) const { return weight[i] == T(2); }
};

// The points of edge i among the places: its two ends, the corner on this side and the one beyond.
inline constexpr int edge_place[3][4] = {{1, 2, 0, 3}, {2, 0, 1, 4}, {0, 1, 2, 5}};

template <class T>
SINEW_INLINE Vec3<T> select_point(const math::MaskOf<T>& m, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(m, a[0], b[0]), select(m, a[1], b[1]), select(m, a[2], b[2])};
}

// The forces on what is beyond a held edge act on its second end, with which that moves.
template <class T>
SINEW_INLINE void fold_held(const MidEdgeRest<T>& rest, int edge, Vec3<T>& end, Vec3<T>& beyond) {
  const Vec3<T> none = Vec3<T>::zero();
  end += select_point<T>(rest.held(edge), beyond, none);
  beyond = select_point<T>(rest.held(edge), none, beyond);
}

template <class T>
struct MidEdge {
  const MidEdgeRest<T>& rest;
  Dihedral<T> edge[3];
  T turn[3], slope[3], bend[3];  // slope: dc/dtheta; bend: d2c/dtheta2
  T c[3], moment[3];             // without c0; M c

  // Where there is no corner beyond an edge, `y` has the image of the corner on this side, by any_beyond.
  SINEW_INLINE MidEdge(const MidEdgeRest<T>& rest, const Vec3<T> (&y)[6], const T (&turns)[3])
      : rest(rest), edge{at(y, 0), at(y, 1), at(y, 2)} {
    const T least = T(sizeof(math::ScalarOf<T>) == 8 ? 1e-12 : 1e-6);  // folded flat: forces stay finite
    for (int i = 0; i < 3; ++i) {
      const T tangent = edge[i].sine / max(T(1) + edge[i].cosine, least);
      turn[i] = turns[i];
      slope[i] = T(0.5) * rest.weight[i] * (T(1) + tangent * tangent);
      bend[i] = slope[i] * tangent;
      c[i] = rest.weight[i] * tangent + rest.turn[i] * turn[i] - rest.c0[i];
    }
    for (int i = 0; i < 3; ++i) moment[i] = rest.m(i, 0) * c[0] + rest.m(i, 1) * c[1] + rest.m(i, 2) * c[2];
  }

  SINEW_INLINE T energy() const {
    T sum = T(0);
    for (int i = 0; i < 3; ++i) sum += moment[i] * c[i] + rest.hold[i] * turn[i] * turn[i];
    return T(0.5) * sum;
  }

  // The second derivatives of the angle of an edge, as they stand in those of the energy.
  SINEW_INLINE void second(int i, bool definite, PairForm<T> (&form)[4]) const {
    edge[i].second(moment[i] * bend[i], moment[i] * slope[i], definite, form);
  }

  // Points in the places of corners beyond free borders.
  SINEW_INLINE static void any_beyond(const MidEdgeRest<T>& rest, Vec3<T> (&y)[6]) {
    for (int i = 0; i < 3; ++i)
      y[3 + i] = select_point<T>(rest.weight[i] == T(0), y[(i + 1) % 3] + y[(i + 2) % 3] - y[i], y[3 + i]);
  }

 private:
  SINEW_INLINE static Dihedral<T> at(const Vec3<T> (&y)[6], int i) {
    const int* p = edge_place[i];
    return {y[p[0]], y[p[1]], y[p[2]], y[p[3]]};
  }
};

}  // namespace sinew::energy

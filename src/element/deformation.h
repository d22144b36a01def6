#pragma once
// The deformation gradient of an element at a quadrature point. Because the gradients of the shape functions sum to zero,
// node 0 drops out and everything is written in the edges d_a = x_(a+1) - x_0:
//
//     F = sum_a d_a g_a^T,   g the gradients of nodes 1, 2, ..., number after number (ShapeGradients::edges)
//
// T is a number, or a pack with an element in each lane and g in packs too, or a pack with a sample in each lane and g in
// numbers. Kernels (material/law.h) take matrices as nine numbers by columns.
#include "math/mat.h"

namespace sinew::element {

template <int edges, class T, class G>
SINEW_INLINE math::Mat3<T> deformation(const math::Vec3<T> (&d)[edges], const G* g) {
  math::Mat3<T> F = math::Mat3<T>::zero();
  for (int a = 0; a < edges; ++a)
    for (int j = 0; j < 3; ++j) F.c[j] += d[a] * T(g[3 * a + j]);
  return F;
}

template <int columns = 3, class T>
SINEW_INLINE math::Mat<T, 3, columns> load_matrix(const T* p) {
  math::Mat<T, 3, columns> m;
  for (int k = 0; k < 3 * columns; ++k) m.c[k / 3].v[k % 3] = p[k];
  return m;
}

template <class T, int columns>
SINEW_INLINE void store_matrix(const math::Mat<T, 3, columns>& m, T* p) {
  for (int k = 0; k < 3 * columns; ++k) p[k] = m.c[k / 3].v[k % 3];
}

}  // namespace sinew::element

#pragma once
// The stiffness of elements in lanes, from the second derivatives C of the energy density at their quadrature points
// (material/law.h): the blocks (a, b), a <= b, of the edges,
//
//     K_ab(i, k) = sum over points of V sum_jl C(ij, kl) g_a(j) g_b(l);
//
// the blocks of node 0 follow because the gradients g of the shape functions sum to zero. G is a pack, or a number where all
// lanes have the same rest shape.
//
//     ElementStiffness<3> element;  element.add(C, g, volume);  element.for_each_block(put);   // put(node, node, K)
#include "material/law.h"
#include "math/mat.h"
#include "math/pack.h"

namespace sinew::element {

// `dimension`: the columns of F, three or, for triangles, two; C is packed as a matrix of 3 dimension rows.
template <int edges, int dimension = 3>
struct ElementStiffness {
  static constexpr int size = 3 * dimension;
  math::Mat3<math::PackD> K[edges][edges];  // upper blocks

  ElementStiffness() {
    for (int a = 0; a < edges; ++a)
      for (int b = a; b < edges; ++b) K[a][b] = math::Mat3<math::PackD>::zero();
  }

  template <class G>
  void add(const math::PackD* C, const G* g, const G& scale) {
    for (int a = 0; a < edges; ++a) {
      math::PackD t[3][size];  // t(i, kl) = sum_j C(ij, kl) g_a(j)
      for (int i = 0; i < 3; ++i)
        for (int m = 0; m < size; ++m) {
          math::PackD s = math::PackD(0);
          for (int j = 0; j < dimension; ++j) {
            const int r = i + 3 * j;
            s += C[r <= m ? material::upper<size>(r, m) : material::upper<size>(m, r)] * g[dimension * a + j];
          }
          t[i][m] = s * scale;
        }
      for (int b = a; b < edges; ++b)
        for (int k = 0; k < 3; ++k)
          for (int i = 0; i < 3; ++i)
            for (int l = 0; l < dimension; ++l) K[a][b](i, k) += t[i][k + 3 * l] * g[dimension * b + l];
    }
  }
  math::Mat3<math::PackD> at(int a, int b) const { return a <= b ? K[a][b] : transpose(K[b][a]); }

  // put(a, b, block) for all pairs of nodes.
  template <class Put>
  SINEW_INLINE void for_each_block(const Put& put) const {
    math::Mat3<math::PackD> corner = math::Mat3<math::PackD>::zero();
    for (int b = 0; b < edges; ++b) {
      math::Mat3<math::PackD> sum = at(0, b);
      for (int a = 1; a < edges; ++a) sum += at(a, b);
      corner += sum;
      for (int a = 0; a < edges; ++a) put(a + 1, b + 1, at(a, b));
      put(0, b + 1, -sum);
      put(b + 1, 0, -transpose(sum));
    }
    put(0, 0, corner);
  }
};

}  // namespace sinew::element

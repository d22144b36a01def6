#pragma once
// The stiffness of tets in lanes, from the second derivatives C of the energy density at their points (material/law.h): the
// blocks (a, b), a <= b, of the edges,
//
//     K_ab(i, k) = sum over points of V sum_jl C(ij, kl) g_a(j) g_b(l);
//
// the blocks of node 0 follow because the gradients g of the shape functions sum to zero. G is a pack, or a number where all
// lanes have the same rest shape.
//
//     ElementStiffness<3> element;  element.add(C, g, volume);  Mat3<PackD> K = element.at(1, 2);
#include "material/law.h"
#include "math/mat.h"
#include "math/pack.h"

namespace sinew::energy {

template <int edges>
struct ElementStiffness {
  math::Mat3<math::PackD> K[edges][edges];  // upper blocks

  ElementStiffness() {
    for (int a = 0; a < edges; ++a)
      for (int b = a; b < edges; ++b) K[a][b] = math::Mat3<math::PackD>::zero();
  }

  template <class G>
  void add(const math::PackD* C, const G* g, const G& scale) {
    for (int a = 0; a < edges; ++a) {
      math::PackD t[3][9];  // t(i, kl) = sum_j C(ij, kl) g_a(j)
      for (int i = 0; i < 3; ++i)
        for (int m = 0; m < 9; ++m) {
          math::PackD s = math::PackD(0);
          for (int j = 0; j < 3; ++j) {
            const int r = i + 3 * j;
            s += C[r <= m ? material::upper(r, m) : material::upper(m, r)] * g[3 * a + j];
          }
          t[i][m] = s * scale;
        }
      for (int b = a; b < edges; ++b)
        for (int k = 0; k < 3; ++k)
          for (int i = 0; i < 3; ++i)
            for (int l = 0; l < 3; ++l) K[a][b](i, k) += t[i][k + 3 * l] * g[3 * b + l];
    }
  }
  math::Mat3<math::PackD> at(int a, int b) const { return a <= b ? K[a][b] : transpose(K[b][a]); }
};

}  // namespace sinew::energy

#pragma once
// The derivatives of a law in its invariants, and sums of outer products: what the kernels share.
#include <bit>

#include "material/isotropic.h"
#include "math/mat.h"

namespace sinew::material::detail {

using math::Dual;
using math::Mat3;
using math::Vec3;

// First and second derivatives of psi with respect to (s, I, II, J, I4, I5); unused ones are zero.
template <class T>
struct InvariantDerivatives {
  T psi;
  T d[invariant_count];
  T dd[invariant_count][invariant_count];
};

template <class M, class T>
InvariantDerivatives<T> invariant_derivatives(const T* p, const T (&value)[invariant_count]) {
  constexpr int n = std::popcount(M::uses);
  using S = Dual<T, n>;
  S variable[invariant_count];
  int slot[invariant_count];
  for (int k = 0, next = 0; k < invariant_count; ++k) {
    const bool used = M::uses & (1u << k);
    slot[k] = used ? next++ : -1;
    variable[k] = used ? S::variable(value[k], slot[k]) : 0.0;
  }
  const S psi = M::template psi<S>(
      p, Invariants<S>{variable[0], variable[1], variable[2], variable[3], variable[4], variable[5]});
  InvariantDerivatives<T> r;
  r.psi = psi.value;
  for (int k = 0; k < invariant_count; ++k) {
    r.d[k] = slot[k] < 0 ? T(0) : psi.gradient[slot[k]];
    for (int l = 0; l < invariant_count; ++l)
      r.dd[k][l] = slot[k] < 0 || slot[l] < 0 ? T(0) : psi.hessian(slot[k], slot[l]);
  }
  return r;
}

// C += a b^T for 9-vectors, upper triangle.
template <class T>
void add_outer(T* C, const Mat3<T>& a, const Mat3<T>& b) {
  for (int i = 0, m = 0; i < 9; ++i)
    for (int j = i; j < 9; ++j, ++m) C[m] += a.c[i / 3].v[i % 3] * b.c[j / 3].v[j % 3];
}

}  // namespace sinew::material::detail

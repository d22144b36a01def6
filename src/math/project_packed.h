#pragma once
// The nearest positive semi-definite matrix to a symmetric n x n matrix in lanes, packed as its upper triangle by
// rows. Lanes that have a Cholesky factor are left as they are, bit for bit; the others lose their negative
// eigenvalues, found by Jacobi's cyclic method (Golub, Van Loan: Matrix Computations, 8.5). A rotation that would
// not change a lane is the identity there, so that a lane's bits do not depend on its neighbours.
//
//     project_psd_packed<9>(C);
#include "math/scalar.h"
#include "math/vec.h"

namespace sinew::math {

namespace detail {

template <int n>
constexpr int packed(int i, int j) {
  return i <= j ? i * n - i * (i - 1) / 2 + (j - i) : packed<n>(j, i);
}

}  // namespace detail

// Per lane: A = L D L^T exists with D > 0.
template <int n, class T>
MaskOf<T> has_cholesky(const T* A) {
  T L[n * (n + 1) / 2];
  for (int m = 0; m < n * (n + 1) / 2; ++m) L[m] = A[m];
  MaskOf<T> positive = L[0] > T(0);
  for (int k = 0; k < n; ++k) {
    const T pivot = L[detail::packed<n>(k, k)];
    positive = positive & (pivot > T(0));
    const T inverse = T(1) / select(pivot > T(0), pivot, T(1));
    for (int i = k + 1; i < n; ++i) {
      const T w = L[detail::packed<n>(k, i)] * inverse;
      for (int j = i; j < n; ++j) L[detail::packed<n>(i, j)] -= w * L[detail::packed<n>(k, j)];
    }
  }
  return positive;
}

namespace detail {

// Eigenvalues on the diagonal of A, eigenvectors as the columns Q[i][k].
template <int n, class T>
void jacobi(T (&A)[n][n], T (&Q)[n][n]) {
  const T tiny = T(sizeof(ScalarOf<T>) == 8 ? 1e-32 : 1e-15);
  T size = T(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      size = max(size, abs(A[i][j]));
      Q[i][j] = T(i == j ? 1.0 : 0.0);
    }
  const T negligible = size * size * tiny;
  for (int sweep = 0; sweep < 30; ++sweep) {
    bool turned = false;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        const auto turn = A[p][q] * A[p][q] > negligible;
        if (!any(turn)) continue;
        turned = true;
        const T h = T(0.5) * (A[q][q] - A[p][p]), g = A[p][q];
        const T root = sqrt(h * h + g * g);
        const T t = select(turn, copysign(T(1), h) * g / select(turn, abs(h) + root, T(1)), T(0));
        const T c = T(1) / sqrt(T(1) + t * t), s = t * c;
        A[p][p] = select(turn, A[p][p] - t * g, A[p][p]);
        A[q][q] = select(turn, A[q][q] + t * g, A[q][q]);
        A[p][q] = A[q][p] = select(turn, T(0), g);
        for (int i = 0; i < n; ++i) {
          if (i != p && i != q) {
            const T a = A[i][p], b = A[i][q];
            A[i][p] = A[p][i] = select(turn, c * a - s * b, a);
            A[i][q] = A[q][i] = select(turn, s * a + c * b, b);
          }
          const T a = Q[i][p], b = Q[i][q];
          Q[i][p] = select(turn, c * a - s * b, a);
          Q[i][q] = select(turn, s * a + c * b, b);
        }
      }
    if (!turned) break;
  }
}

}  // namespace detail

template <int n, class T>
void project_psd_packed(T* A) {
  using detail::packed;
  const auto definite = has_cholesky<n>(A);
  if (all(definite)) return;
  T B[n][n], Q[n][n];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) B[i][j] = A[packed<n>(i, j)];
  detail::jacobi<n>(B, Q);
  for (int k = 0; k < n; ++k) {
    const T lift = select(definite, T(0), max(-B[k][k], T(0)));
    for (int i = 0; i < n; ++i) {
      const T w = lift * Q[i][k];
      for (int j = i; j < n; ++j) A[packed<n>(i, j)] += w * Q[j][k];
    }
  }
}

}  // namespace sinew::math

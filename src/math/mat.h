#pragma once
// Mat<T, rows, cols>: a small matrix stored by columns; A(i, j) is row i, column j.
#include "math/vec.h"

namespace sinew::math {

template <class T, int rows, int cols>
struct Mat {
  Vec<T, rows> c[cols];

  SINEW_HD constexpr T& operator()(int i, int j) { return c[j].v[i]; }
  SINEW_HD constexpr const T& operator()(int i, int j) const { return c[j].v[i]; }
  SINEW_HD constexpr Vec<T, rows>& col(int j) { return c[j]; }
  SINEW_HD constexpr const Vec<T, rows>& col(int j) const { return c[j]; }
  SINEW_HD constexpr Vec<T, cols> row(int i) const {
    Vec<T, cols> r;
    for (int j = 0; j < cols; ++j) r[j] = c[j].v[i];
    return r;
  }

  SINEW_HD static constexpr Mat filled(const T& s) {
    Mat r;
    for (int j = 0; j < cols; ++j) r.c[j] = Vec<T, rows>::filled(s);
    return r;
  }
  SINEW_HD static constexpr Mat zero() { return filled(T(0)); }
  SINEW_HD static constexpr Mat diagonal(const Vec<T, rows>& d) {
    static_assert(rows == cols);
    Mat r = zero();
    for (int i = 0; i < rows; ++i) r(i, i) = d[i];
    return r;
  }
  SINEW_HD static constexpr Mat identity() { return diagonal(Vec<T, rows>::filled(T(1))); }
  SINEW_HD static constexpr Mat columns(const Vec<T, rows>& a, const Vec<T, rows>& b, const Vec<T, rows>& c) {
    static_assert(cols == 3);
    return {{a, b, c}};
  }

  SINEW_HD constexpr Mat& operator+=(const Mat& o) {
    for (int j = 0; j < cols; ++j) c[j] += o.c[j];
    return *this;
  }
  SINEW_HD constexpr Mat& operator-=(const Mat& o) {
    for (int j = 0; j < cols; ++j) c[j] -= o.c[j];
    return *this;
  }
  SINEW_HD constexpr Mat& operator*=(const T& s) {
    for (int j = 0; j < cols; ++j) c[j] *= s;
    return *this;
  }
  SINEW_HD friend constexpr Mat operator+(Mat a, const Mat& b) { return a += b; }
  SINEW_HD friend constexpr Mat operator-(Mat a, const Mat& b) { return a -= b; }
  SINEW_HD friend constexpr Mat operator-(const Mat& a) {
    Mat r;
    for (int j = 0; j < cols; ++j) r.c[j] = -a.c[j];
    return r;
  }
  SINEW_HD friend constexpr Mat operator*(Mat a, const T& s) { return a *= s; }
  SINEW_HD friend constexpr Mat operator*(const T& s, Mat a) { return a *= s; }

  SINEW_HD friend constexpr Vec<T, rows> operator*(const Mat& a, const Vec<T, cols>& x) {
    Vec<T, rows> y = a.c[0] * x[0];
    for (int j = 1; j < cols; ++j)
      for (int i = 0; i < rows; ++i) y[i] += a.c[j].v[i] * x[j];
    return y;
  }
};

template <class T, int n, int m, int k>
SINEW_HD constexpr Mat<T, n, k> operator*(const Mat<T, n, m>& a, const Mat<T, m, k>& b) {
  Mat<T, n, k> r;
  for (int j = 0; j < k; ++j) r.c[j] = a * b.c[j];
  return r;
}

template <class T, int n, int m>
SINEW_HD constexpr Mat<T, m, n> transpose(const Mat<T, n, m>& a) {
  Mat<T, m, n> r;
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) r(j, i) = a(i, j);
  return r;
}

template <class T, int n, int m>
SINEW_HD constexpr Mat<T, n, m> outer(const Vec<T, n>& a, const Vec<T, m>& b) {
  Mat<T, n, m> r;
  for (int j = 0; j < m; ++j) r.c[j] = a * b[j];
  return r;
}

// A : B, the sum of the products of the entries.
template <class T, int n, int m>
SINEW_HD constexpr T contract(const Mat<T, n, m>& a, const Mat<T, n, m>& b) {
  T s = dot(a.c[0], b.c[0]);
  for (int j = 1; j < m; ++j) s += dot(a.c[j], b.c[j]);
  return s;
}

template <class T, int n>
SINEW_HD constexpr T trace(const Mat<T, n, n>& a) {
  T s = a(0, 0);
  for (int i = 1; i < n; ++i) s += a(i, i);
  return s;
}

template <class T>
SINEW_HD constexpr T det(const Mat<T, 3, 3>& a) {
  return dot(a.c[0], cross(a.c[1], a.c[2]));
}

// cof(F) = det(F) F^-T = dJ/dF, without division: it exists for singular F.
template <class T>
SINEW_HD constexpr Mat<T, 3, 3> cofactor(const Mat<T, 3, 3>& a) {
  return {{cross(a.c[1], a.c[2]), cross(a.c[2], a.c[0]), cross(a.c[0], a.c[1])}};
}

template <class T>
SINEW_HD constexpr Mat<T, 3, 3> inverse(const Mat<T, 3, 3>& a) {
  const Mat<T, 3, 3> cof = cofactor(a);
  return transpose(cof) * (T(1) / dot(a.c[0], cof.c[0]));
}

template <class T>
using Mat3 = Mat<T, 3, 3>;
using Mat3d = Mat<double, 3, 3>;

}  // namespace sinew::math

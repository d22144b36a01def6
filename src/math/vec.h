#pragma once
// Vec<T, n>: a small column vector. T is a number, a Pack of numbers (one vector per lane) or a Dual.
#include <cmath>
#include <cstdint>

#include "math/device.h"

namespace sinew::math {

template <class T, int n>
struct Vec {
  T v[n];

  SINEW_HD constexpr T& operator[](int i) { return v[i]; }
  SINEW_HD constexpr const T& operator[](int i) const { return v[i]; }

  SINEW_HD static constexpr Vec filled(const T& s) {
    Vec r;
    for (int i = 0; i < n; ++i) r.v[i] = s;
    return r;
  }
  SINEW_HD static constexpr Vec zero() { return filled(T(0)); }
  SINEW_HD static constexpr Vec unit(int k) {
    Vec r = zero();
    r.v[k] = T(1);
    return r;
  }

  SINEW_HD constexpr Vec& operator+=(const Vec& o) {
    for (int i = 0; i < n; ++i) v[i] += o.v[i];
    return *this;
  }
  SINEW_HD constexpr Vec& operator-=(const Vec& o) {
    for (int i = 0; i < n; ++i) v[i] -= o.v[i];
    return *this;
  }
  SINEW_HD constexpr Vec& operator*=(const T& s) {
    for (int i = 0; i < n; ++i) v[i] *= s;
    return *this;
  }
  SINEW_HD friend constexpr Vec operator+(Vec a, const Vec& b) { return a += b; }
  SINEW_HD friend constexpr Vec operator-(Vec a, const Vec& b) { return a -= b; }
  SINEW_HD friend constexpr Vec operator-(const Vec& a) {
    Vec r;
    for (int i = 0; i < n; ++i) r.v[i] = -a.v[i];
    return r;
  }
  SINEW_HD friend constexpr Vec operator*(Vec a, const T& s) { return a *= s; }
  SINEW_HD friend constexpr Vec operator*(const T& s, Vec a) { return a *= s; }
  SINEW_HD friend constexpr Vec operator/(const Vec& a, const T& s) { return a * (T(1) / s); }
};

template <class T, int n>
SINEW_HD constexpr T dot(const Vec<T, n>& a, const Vec<T, n>& b) {
  T s = a[0] * b[0];
  for (int i = 1; i < n; ++i) s += a[i] * b[i];
  return s;
}

template <class T>
SINEW_HD constexpr Vec<T, 3> cross(const Vec<T, 3>& a, const Vec<T, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class T, int n>
SINEW_HD constexpr T norm2(const Vec<T, n>& a) {
  return dot(a, a);
}

template <class T, int n>
SINEW_HD T norm(const Vec<T, n>& a) {
  using std::sqrt;
  return sqrt(norm2(a));
}

template <class T, int n>
SINEW_HD Vec<T, n> normalized(const Vec<T, n>& a) {
  return a * (T(1) / norm(a));
}

template <class T>
using Vec3 = Vec<T, 3>;
using Vec3d = Vec<double, 3>;
using Vec3i = Vec<int32_t, 3>;
using Vec4i = Vec<int32_t, 4>;

}  // namespace sinew::math

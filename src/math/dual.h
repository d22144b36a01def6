#pragma once
// Dual<T, n>: a value with its gradient and Hessian in n variables, carried through + - * / sqrt exp log
// pow (forward second-order differentiation). T is double, float or a Pack: one evaluation per lane.
//
//     using D = Dual<double, 2>;
//     const D x = D::variable(3.0, 0), y = D::variable(2.0, 1);
//     const D f = x * x * y;            // f.value = 18, f.gradient[0] = 12, f.hessian(0, 1) = 6
//
// The Hessian is symmetric: only the entries (i, j) with j <= i are stored, row by row.
// Chain rule: phi(a)' = phi' a',  phi(a)'' = phi' a'' + phi'' a' a'^T.
// Comparisons, min, max, abs and select go by the value.
#include <type_traits>

#include "math/elementary.h"
#include "math/mat.h"

namespace sinew::math {

// The types that a Dual over T takes as a constant: T itself, or a number that converts to it.
template <class C, class T>
concept ConstantFor = std::is_arithmetic_v<C> || std::is_same_v<C, T>;

template <class T, int n>
struct Dual {
  static constexpr int pair_count = n * (n + 1) / 2;
  T value;
  T gradient[n];
  T second[pair_count];

  Dual() = default;
  SINEW_HD Dual(const T& constant) : value(constant) {
    for (T& g : gradient) g = T(0);
    for (T& h : second) h = T(0);
  }
  // Allows Dual(2) and Dual(0.5), like T(2) and T(0.5).
  template <class U>
  requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>) SINEW_HD Dual(U constant) : Dual(T(constant)) {}

  SINEW_HD static Dual variable(const T& value, int index) {
    Dual r(value);
    r.gradient[index] = T(1);
    return r;
  }

  SINEW_HD static constexpr int pair(int i, int j) { return i < j ? pair(j, i) : i * (i + 1) / 2 + j; }
  SINEW_HD const T& hessian(int i, int j) const { return second[pair(i, j)]; }

  SINEW_HD Vec<T, n> gradient_vector() const {
    Vec<T, n> g;
    for (int i = 0; i < n; ++i) g[i] = gradient[i];
    return g;
  }
  SINEW_HD Mat<T, n, n> hessian_matrix() const {
    Mat<T, n, n> H;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) H(i, j) = hessian(i, j);
    return H;
  }

  // phi(a) from phi, phi' and phi'' at a.value.
  SINEW_HD static Dual chain(const Dual& a, const T& phi, const T& d_phi, const T& dd_phi) {
    Dual r;
    r.value = phi;
    for (int i = 0, k = 0; i < n; ++i) {
      r.gradient[i] = d_phi * a.gradient[i];
      const T w = dd_phi * a.gradient[i];
      for (int j = 0; j <= i; ++j, ++k) r.second[k] = d_phi * a.second[k] + w * a.gradient[j];
    }
    return r;
  }

  SINEW_HD Dual& operator+=(const Dual& o) {
    value += o.value;
    for (int i = 0; i < n; ++i) gradient[i] += o.gradient[i];
    for (int k = 0; k < pair_count; ++k) second[k] += o.second[k];
    return *this;
  }
  SINEW_HD Dual& operator-=(const Dual& o) {
    value -= o.value;
    for (int i = 0; i < n; ++i) gradient[i] -= o.gradient[i];
    for (int k = 0; k < pair_count; ++k) second[k] -= o.second[k];
    return *this;
  }
  // Constants skip the derivatives: c a costs one product per entry.
  template <ConstantFor<T> C>
  SINEW_HD Dual& operator+=(const C& c) {
    value += T(c);
    return *this;
  }
  template <ConstantFor<T> C>
  SINEW_HD Dual& operator-=(const C& c) {
    value -= T(c);
    return *this;
  }
  template <ConstantFor<T> C>
  SINEW_HD Dual& operator*=(const C& c) {
    const T t(c);
    value *= t;
    for (T& g : gradient) g *= t;
    for (T& h : second) h *= t;
    return *this;
  }
  template <ConstantFor<T> C>
  SINEW_HD Dual& operator/=(const C& c) {
    return *this *= T(1) / T(c);
  }
  SINEW_HD Dual& operator*=(const Dual& o) { return *this = *this * o; }
  SINEW_HD Dual& operator/=(const Dual& o) { return *this = *this / o; }

  SINEW_HD friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  SINEW_HD friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  SINEW_HD friend Dual operator*(const Dual& a, const Dual& b) {
    Dual r;
    r.value = a.value * b.value;
    for (int i = 0, k = 0; i < n; ++i) {
      r.gradient[i] = a.value * b.gradient[i] + a.gradient[i] * b.value;
      for (int j = 0; j <= i; ++j, ++k)
        r.second[k] = a.value * b.second[k] + a.second[k] * b.value +
                      (a.gradient[i] * b.gradient[j] + a.gradient[j] * b.gradient[i]);
    }
    return r;
  }
  SINEW_HD friend Dual operator/(const Dual& a, const Dual& b) { return a * reciprocal(b); }

  template <ConstantFor<T> C>
  SINEW_HD friend Dual operator+(Dual a, const C& c) {
    return a += c;
  }
  template <ConstantFor<T> C>
  SINEW_HD friend Dual operator+(const C& c, Dual a) {
    return a += c;
  }
  template <ConstantFor<T> C>
  SINEW_HD friend Dual operator-(Dual a, const C& c) {
    return a -= c;
  }
  template <ConstantFor<T> C>
  SINEW_HD friend Dual operator-(const C& c, const Dual& a) {
    return -a + c;
  }
  template <ConstantFor<T> C>
  SINEW_HD friend Dual operator*(Dual a, const C& c) {
    return a *= c;
  }
  template <ConstantFor<T> C>
  SINEW_HD friend Dual operator*(const C& c, Dual a) {
    return a *= c;
  }
  template <ConstantFor<T> C>
  SINEW_HD friend Dual operator/(Dual a, const C& c) {
    return a /= c;
  }
  template <ConstantFor<T> C>
  SINEW_HD friend Dual operator/(const C& c, const Dual& a) {
    return reciprocal(a) * T(c);
  }
  SINEW_HD friend Dual operator-(const Dual& a) {
    Dual r;
    r.value = -a.value;
    for (int i = 0; i < n; ++i) r.gradient[i] = -a.gradient[i];
    for (int k = 0; k < pair_count; ++k) r.second[k] = -a.second[k];
    return r;
  }

  SINEW_HD friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  SINEW_HD friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  SINEW_HD friend auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  SINEW_HD friend auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
};

template <class T, int n>
SINEW_HD Dual<T, n> select(const MaskOf<T>& m, const Dual<T, n>& a, const Same<Dual<T, n>>& b) {
  Dual<T, n> r;
  r.value = select(m, a.value, b.value);
  for (int i = 0; i < n; ++i) r.gradient[i] = select(m, a.gradient[i], b.gradient[i]);
  for (int k = 0; k < r.pair_count; ++k) r.second[k] = select(m, a.second[k], b.second[k]);
  return r;
}
template <class T, int n>
SINEW_HD Dual<T, n> min(const Dual<T, n>& a, const Same<Dual<T, n>>& b) {
  return select(b.value < a.value, b, a);
}
template <class T, int n>
SINEW_HD Dual<T, n> max(const Dual<T, n>& a, const Same<Dual<T, n>>& b) {
  return select(a.value < b.value, b, a);
}
template <class T, int n>
SINEW_HD Dual<T, n> abs(const Dual<T, n>& a) {
  return select(a.value < T(0), -a, a);
}

template <class T, int n>
SINEW_HD Dual<T, n> reciprocal(const Dual<T, n>& a) {
  const T r = T(1) / a.value, r2 = r * r;
  return Dual<T, n>::chain(a, r, -r2, T(2) * r2 * r);
}

template <class T, int n>
SINEW_HD Dual<T, n> sqrt(const Dual<T, n>& a) {
  const T root = sqrt(a.value), half = T(0.5) / root;
  return Dual<T, n>::chain(a, root, half, T(-0.5) * half / a.value);
}

template <class T, int n>
SINEW_HD Dual<T, n> exp(const Dual<T, n>& a) {
  const T e = exp(a.value);
  return Dual<T, n>::chain(a, e, e, e);
}

template <class T, int n>
SINEW_HD Dual<T, n> log(const Dual<T, n>& a) {
  const T r = T(1) / a.value;
  return Dual<T, n>::chain(a, log(a.value), r, -r * r);
}

// a^p for a.value > 0 and a constant exponent p.
template <class T, int n>
SINEW_HD Dual<T, n> pow(const Dual<T, n>& a, const Same<T>& p) {
  const T f = pow(a.value, p), r = T(1) / a.value, d = p * f * r;
  return Dual<T, n>::chain(a, f, d, (p - T(1)) * d * r);
}

template <class T, int n>
SINEW_HD Dual<T, n> cbrt(const Dual<T, n>& a) {
  const T f = cbrt(a.value), r = T(1) / a.value, d = T(1.0 / 3) * f * r;
  return Dual<T, n>::chain(a, f, d, T(-2.0 / 3) * d * r);
}

template <class T, int n>
struct ScalarTraits<Dual<T, n>> {
  using Scalar = ScalarOf<T>;
  using Mask = MaskOf<T>;
  static constexpr int lanes = lanes_of<T>;
};

}  // namespace sinew::math

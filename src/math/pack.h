#pragma once
// Pack<T, n>: n numbers that move together, one element per lane. The same generic code runs for
// T = double, float, PackD and PackF: math/scalar.h gives the numbers the operations a Pack has. Only kernels include this
// header (tools/layers.txt): what it brings in makes every source slow to compile.
//
// The lane count is fixed, so results do not depend on the machine's vector width: a Pack is an array of
// machine vectors (Parallelism TS v2, ISO/IEC TS 19570:2018). min, max and select are defined by
// comparisons, sum() by a fixed tree: each lane has the bits of the scalar code without FMA contraction.
// exp, log, pow and cbrt are in math/elementary.h. Device code uses the scalar part only.
#include "math/scalar.h"

#ifndef __CUDACC__
#include <bit>
#include <concepts>
#include <experimental/simd>
#include <type_traits>
#endif

namespace sinew::math {

#ifndef __CUDACC__

template <class T, int n>
struct Pack {
  static_assert(n * sizeof(T) == 64);
  using Vector = std::experimental::native_simd<T>;
  using Mask = PackMask<T, n>;
  static constexpr int width = static_cast<int>(Vector::size());
  static constexpr int count = n / width;
  Vector part[count];

  Pack() = default;
  // Any number becomes the same value in every lane, so T(2) and T(0.5) read alike for all scalar types.
  template <class U>
  requires std::is_arithmetic_v<U> Pack(U s) {
    for (auto& p : part) p = Vector(static_cast<T>(s));
  }

  // Loads n values from memory, of any alignment.
  static Pack load(const T* from) {
    Pack r;
    for (int k = 0; k < count; ++k) r.part[k].copy_from(from + k * width, std::experimental::element_aligned);
    return r;
  }
  void store(T* to) const {
    for (int k = 0; k < count; ++k) part[k].copy_to(to + k * width, std::experimental::element_aligned);
  }
  // Lane i gets f(i).
  template <class F>
  static Pack generate(F&& f) {
    T a[n];
    for (int i = 0; i < n; ++i) a[i] = static_cast<T>(f(i));
    return load(a);
  }

  T operator[](int i) const { return part[i / width][i % width]; }
  void set(int i, T value) { part[i / width][i % width] = value; }

  Pack& operator+=(const Pack& o) { return *this = *this + o; }
  Pack& operator-=(const Pack& o) { return *this = *this - o; }
  Pack& operator*=(const Pack& o) { return *this = *this * o; }
  Pack& operator/=(const Pack& o) { return *this = *this / o; }

  friend Pack operator+(const Pack& a, const Pack& b) {
    return zip(a, b, [](const Vector& x, const Vector& y) { return x + y; });
  }
  friend Pack operator-(const Pack& a, const Pack& b) {
    return zip(a, b, [](const Vector& x, const Vector& y) { return x - y; });
  }
  friend Pack operator*(const Pack& a, const Pack& b) {
    return zip(a, b, [](const Vector& x, const Vector& y) { return x * y; });
  }
  friend Pack operator/(const Pack& a, const Pack& b) {
    return zip(a, b, [](const Vector& x, const Vector& y) { return x / y; });
  }
  friend Pack operator&(const Pack& a, const Pack& b) requires std::is_integral_v<T> {
    return zip(a, b, [](const Vector& x, const Vector& y) { return x & y; });
  }
  friend Pack operator|(const Pack& a, const Pack& b) requires std::is_integral_v<T> {
    return zip(a, b, [](const Vector& x, const Vector& y) { return x | y; });
  }
  friend Pack operator<<(const Pack& a, int bits) requires std::is_integral_v<T> {
    return map(a, [bits](const Vector& x) { return x << bits; });
  }
  friend Pack operator>>(const Pack& a, int bits) requires std::is_integral_v<T> {
    return map(a, [bits](const Vector& x) { return x >> bits; });
  }
  friend Pack operator-(const Pack& a) {
    return map(a, [](const Vector& x) { return -x; });
  }
  friend Pack operator+(const Pack& a) { return a; }

  friend Mask operator<(const Pack& a, const Pack& b) {
    return compare(a, b, [](const Vector& x, const Vector& y) { return x < y; });
  }
  friend Mask operator<=(const Pack& a, const Pack& b) {
    return compare(a, b, [](const Vector& x, const Vector& y) { return x <= y; });
  }
  friend Mask operator>(const Pack& a, const Pack& b) { return b < a; }
  friend Mask operator>=(const Pack& a, const Pack& b) { return b <= a; }
  friend Mask operator==(const Pack& a, const Pack& b) {
    return compare(a, b, [](const Vector& x, const Vector& y) { return x == y; });
  }
  friend Mask operator!=(const Pack& a, const Pack& b) {
    return compare(a, b, [](const Vector& x, const Vector& y) { return x != y; });
  }

  // f on each machine vector.
  template <class F>
  static Pack map(const Pack& a, F f) {
    Pack r;
    for (int k = 0; k < count; ++k) r.part[k] = f(a.part[k]);
    return r;
  }
  template <class F>
  static Pack zip(const Pack& a, const Pack& b, F f) {
    Pack r;
    for (int k = 0; k < count; ++k) r.part[k] = f(a.part[k], b.part[k]);
    return r;
  }
  template <class F>
  static Mask compare(const Pack& a, const Pack& b, F f) {
    Mask r;
    for (int k = 0; k < count; ++k) r.part[k] = f(a.part[k], b.part[k]);
    return r;
  }
};

// One truth value per lane.
template <class T, int n>
struct PackMask {
  using Part = typename Pack<T, n>::Vector::mask_type;
  static constexpr int width = Pack<T, n>::width;
  static constexpr int count = n / width;
  Part part[count];

  PackMask() = default;
  PackMask(bool b) {
    for (auto& p : part) p = Part(b);
  }

  bool operator[](int i) const { return part[i / width][i % width]; }
  void set(int i, bool b) { part[i / width][i % width] = b; }

  friend PackMask operator&(const PackMask& a, const PackMask& b) {
    return zip(a, b, [](const Part& x, const Part& y) { return x && y; });
  }
  friend PackMask operator|(const PackMask& a, const PackMask& b) {
    return zip(a, b, [](const Part& x, const Part& y) { return x || y; });
  }
  friend PackMask operator&&(const PackMask& a, const PackMask& b) { return a & b; }
  friend PackMask operator||(const PackMask& a, const PackMask& b) { return a | b; }
  friend PackMask operator!(const PackMask& a) {
    return zip(a, a, [](const Part& x, const Part&) { return !x; });
  }

  template <class F>
  static PackMask zip(const PackMask& a, const PackMask& b, F f) {
    PackMask r;
    for (int k = 0; k < count; ++k) r.part[k] = f(a.part[k], b.part[k]);
    return r;
  }
};

template <class T, int n>
bool any(const PackMask<T, n>& m) {
  typename PackMask<T, n>::Part r = m.part[0];
  for (int k = 1; k < m.count; ++k) r = r || m.part[k];
  return any_of(r);
}
template <class T, int n>
bool all(const PackMask<T, n>& m) {
  typename PackMask<T, n>::Part r = m.part[0];
  for (int k = 1; k < m.count; ++k) r = r && m.part[k];
  return all_of(r);
}
template <class T, int n>
bool lane(const PackMask<T, n>& m, int i) {
  return m[i];
}
template <class T, int n>
T lane(const Pack<T, n>& a, int i) {
  return a[i];
}

namespace detail {

// With 512-bit vectors clang 14 turns where() into one branch for all lanes, and the square root of g++ 12
// comes with a false warning about an uninitialised register: both cases are spelled out.
template <class Vector>
Vector blend(const typename Vector::mask_type& m, const Vector& a, const Vector& b) {
#ifdef __AVX512F__
  if constexpr (std::is_same_v<Vector, std::experimental::native_simd<double>>)
    return std::bit_cast<Vector>(_mm512_mask_blend_pd(std::bit_cast<__mmask8>(m), std::bit_cast<__m512d>(b),
                                                      std::bit_cast<__m512d>(a)));
  if constexpr (std::is_same_v<Vector, std::experimental::native_simd<float>>)
    return std::bit_cast<Vector>(_mm512_mask_blend_ps(std::bit_cast<__mmask16>(m), std::bit_cast<__m512>(b),
                                                      std::bit_cast<__m512>(a)));
#endif
  Vector r = b;
  std::experimental::where(m, r) = a;
  return r;
}

template <class Vector>
Vector square_root(const Vector& x) {
#ifdef __AVX512F__
  if constexpr (std::is_same_v<Vector, std::experimental::native_simd<double>>) {
    const __m512d v = std::bit_cast<__m512d>(x);
    return std::bit_cast<Vector>(_mm512_mask_sqrt_pd(v, __mmask8(-1), v));
  }
  if constexpr (std::is_same_v<Vector, std::experimental::native_simd<float>>) {
    const __m512 v = std::bit_cast<__m512>(x);
    return std::bit_cast<Vector>(_mm512_mask_sqrt_ps(v, __mmask16(-1), v));
  }
#endif
  return std::experimental::sqrt(x);
}

}  // namespace detail

// Lane by lane: m ? a : b.
template <class T, int n>
Pack<T, n> select(const PackMask<T, n>& m, const Same<Pack<T, n>>& a, const Same<Pack<T, n>>& b) {
  Pack<T, n> r;
  for (int k = 0; k < r.count; ++k) r.part[k] = detail::blend(m.part[k], a.part[k], b.part[k]);
  return r;
}
template <class T, int n>
Pack<T, n> min(const Pack<T, n>& a, const Same<Pack<T, n>>& b) {
  return select(b < a, b, a);
}
template <class T, int n>
Pack<T, n> max(const Pack<T, n>& a, const Same<Pack<T, n>>& b) {
  return select(a < b, b, a);
}
template <class T, int n>
Pack<T, n> abs(const Pack<T, n>& a) {
  return Pack<T, n>::map(a, [](const auto& x) { return std::experimental::abs(x); });
}
template <class T, int n>
Pack<T, n> sqrt(const Pack<T, n>& a) {
  return Pack<T, n>::map(a, [](const auto& x) { return detail::square_root(x); });
}
template <class T, int n>
Pack<T, n> copysign(const Pack<T, n>& a, const Same<Pack<T, n>>& s) {
  return Pack<T, n>::zip(a, s,
                         [](const auto& x, const auto& y) { return std::experimental::copysign(x, y); });
}

// The sum over the lanes by halving: lane i takes lane i + n/2, then i + n/4, ...
template <class T, int n>
T sum(const Pack<T, n>& a) {
  T s[n];
  a.store(s);
  for (int half = n / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) s[i] += s[i + half];
  return s[0];
}

template <class T, int n>
auto to_bits(const Pack<T, n>& a) {
  return std::bit_cast<Pack<decltype(to_bits(T())), n>>(a);
}
template <class T, int n>
auto from_bits(const Pack<T, n>& a) {
  return std::bit_cast<Pack<decltype(from_bits(T())), n>>(a);
}

#endif  // __CUDACC__

}  // namespace sinew::math

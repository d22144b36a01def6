#pragma once
// Numbers of 16 columns that are treated alike: Lanes in single precision, WideLanes in double. They have the bare arithmetic of a
// math::Pack, and are light enough for headers that many sources read.
//
//     Lanes y = Lanes(0.5f) * x;  WideLanes product = wide_dot(a, b);
#include <type_traits>

#include "math/vec.h"

namespace sinew::solve {

namespace detail {

typedef float Float8 __attribute__((vector_size(32)));
typedef float Float16 __attribute__((vector_size(64)));
typedef double Double8 __attribute__((vector_size(64)));

}  // namespace detail

struct Lanes {
  static constexpr int count = 16;
  detail::Float16 v;

  Lanes() = default;
  explicit Lanes(const detail::Float16& vector) : v(vector) {}
  template <class U>
  requires std::is_arithmetic_v<U>
  explicit Lanes(U s) : v(detail::Float16{} + static_cast<float>(s)) {}
  template <class F>
  static Lanes generate(F&& f) {
    Lanes r;
    for (int l = 0; l < count; ++l) r.v[l] = static_cast<float>(f(l));
    return r;
  }

  float operator[](int lane) const { return v[lane]; }
  void set(int lane, float value) { v[lane] = value; }

  Lanes& operator+=(const Lanes& o) { return v += o.v, *this; }
  Lanes& operator-=(const Lanes& o) { return v -= o.v, *this; }
  Lanes& operator*=(const Lanes& o) { return v *= o.v, *this; }
  friend Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.v + b.v); }
  friend Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.v - b.v); }
  friend Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.v * b.v); }
};

struct WideLanes {
  detail::Double8 low, high;

  WideLanes() = default;
  WideLanes(const detail::Double8& a, const detail::Double8& b) : low(a), high(b) {}
  template <class U>
  requires std::is_arithmetic_v<U>
  explicit WideLanes(U s) : low(detail::Double8{} + static_cast<double>(s)), high(low) {}
  explicit WideLanes(const Lanes& a)
      : low(__builtin_convertvector(__builtin_shufflevector(a.v, a.v, 0, 1, 2, 3, 4, 5, 6, 7),
                                    detail::Double8)),
        high(__builtin_convertvector(__builtin_shufflevector(a.v, a.v, 8, 9, 10, 11, 12, 13, 14, 15),
                                     detail::Double8)) {}
  explicit operator Lanes() const {
    return Lanes(__builtin_shufflevector(__builtin_convertvector(low, detail::Float8),
                                         __builtin_convertvector(high, detail::Float8), 0, 1, 2, 3, 4, 5, 6,
                                         7, 8, 9, 10, 11, 12, 13, 14, 15));
  }
  template <class F>
  static WideLanes generate(F&& f) {
    WideLanes r;
    for (int l = 0; l < 8; ++l) {
      r.low[l] = f(l);
      r.high[l] = f(l + 8);
    }
    return r;
  }

  double operator[](int lane) const { return lane < 8 ? low[lane] : high[lane - 8]; }

  WideLanes& operator+=(const WideLanes& o) { return low += o.low, high += o.high, *this; }
  WideLanes& operator-=(const WideLanes& o) { return low -= o.low, high -= o.high, *this; }
  friend WideLanes operator+(const WideLanes& a, const WideLanes& b) {
    return {a.low + b.low, a.high + b.high};
  }
  friend WideLanes operator-(const WideLanes& a, const WideLanes& b) {
    return {a.low - b.low, a.high - b.high};
  }
  friend WideLanes operator*(const WideLanes& a, const WideLanes& b) {
    return {a.low * b.low, a.high * b.high};
  }
};

// A vector of each column.
using LaneVec3 = math::Vec3<Lanes>;
using WideVec3 = math::Vec3<WideLanes>;

inline WideVec3 widen(const LaneVec3& v) { return {WideLanes(v[0]), WideLanes(v[1]), WideLanes(v[2])}; }
inline LaneVec3 narrow(const WideVec3& v) { return {Lanes(v[0]), Lanes(v[1]), Lanes(v[2])}; }
inline WideLanes wide_dot(const LaneVec3& a, const LaneVec3& b) { return dot(widen(a), widen(b)); }

}  // namespace sinew::solve

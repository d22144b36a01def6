#pragma once
// exp, log, pow and cbrt for double, float, PackD and PackF from additions, multiplications, divisions
// and bit operations alone: no machine's mathematics library takes part, so a build without FMA
// contraction gives the same bits everywhere. Errors stay below 2 ulp, also for subnormal arguments.
//
//     x = 2^k m, sqrt(1/2) <= m < sqrt(2), s = (m - 1) / (m + 1):  log x = k log 2 + 2 atanh(s)
//     x = k log 2 + r, |r| <= log(2) / 2:                          exp x = 2^k exp(r), Taylor series
//     pow: log2 x as a sum of two numbers, from products of short heads that are exact, then 2^(y log2 x)
//
// Splitting into heads: Dekker, A floating-point technique for extending the available precision, 1971.
// In generic code of another namespace write `using math::log;` first: plain log(double) is the C library's.
#include <limits>

#include "math/scalar.h"

namespace sinew::math {

namespace detail {

template <class Scalar>
struct Format;
template <>
struct Format<double> {
  using Bits = uint64_t;
  static constexpr int mantissa_bits = 52;
  static constexpr Bits one = 0x3ff0000000000000, sqrt_half = 0x3fe6a09e667f3bcd;
  static constexpr Bits head_mask = 0xfffffffff8000000;  // keeps 26 significant bits
  static constexpr double bias = 1023, shift = 0x1p52;   // adding 1.5 shift rounds to an integer
  static constexpr double ln2_hi = 0x1.62e42feep-1, ln2_lo = 0x1.a39ef35793c76p-33;
  static constexpr double log2_scale_head = 0x1.ec709d8p-1, log2_scale_tail = 0x1.0e80ff5d27f05p-27;
  static constexpr double exp_min = -746, exp_max = 710, exponent_limit = 1100;
  static constexpr int log_terms = 10, exp_terms = 13;
  static constexpr double lift = 0x1p54, lift_exponent = 54;  // makes subnormal numbers normal
};
template <>
struct Format<float> {
  using Bits = uint32_t;
  static constexpr int mantissa_bits = 23;
  static constexpr Bits one = 0x3f800000, sqrt_half = 0x3f3504f3;
  static constexpr Bits head_mask = 0xfffff000;  // keeps 12 significant bits
  static constexpr float bias = 127, shift = 0x1p23f;
  static constexpr float ln2_hi = 0x1.62e4p-1f, ln2_lo = 0x1.7f7d1cp-20f;
  static constexpr float log2_scale_head = 0x1.ec6p-1f, log2_scale_tail = 0x1.09dc3ap-13f;
  static constexpr float exp_min = -104, exp_max = 89, exponent_limit = 160;
  static constexpr int log_terms = 4, exp_terms = 7;
  static constexpr float lift = 0x1p27f, lift_exponent = 27;
};

// c[first] + x (c[first + 1] + x (...)), with the coefficients c(i) up to i = last.
template <int first, int last, class T, class C>
SINEW_HD T horner(const T& x, C c) {
  T p = T(c(last));
  for (int i = last - 1; i >= first; --i) p = p * x + T(c(i));
  return p;
}

SINEW_HD constexpr double inverse_factorial(int i) {
  double f = 1;
  for (int j = 2; j <= i; ++j) f *= j;
  return 1 / f;
}

template <class T>
SINEW_HD T round_to_integer(const T& x) {
  const T magic = T(ScalarOf<T>(1.5) * Format<ScalarOf<T>>::shift);
  return (x + magic) - magic;
}

// The leading half of the significant bits: products of two heads are exact.
template <class T>
SINEW_HD T head(const T& x) {
  using Bits = decltype(to_bits(x));
  return from_bits(to_bits(x) & Bits(Format<ScalarOf<T>>::head_mask));
}

// 2^k for an integer k within the range of normal exponents.
template <class T>
SINEW_HD T power_of_two(const T& k) {
  using F = Format<ScalarOf<T>>;
  const T shifted = k + T(ScalarOf<T>(1.5) * F::shift + F::bias);
  return from_bits(to_bits(shifted) << F::mantissa_bits);
}

// 2^k p for p near 1 and any k: two steps, so that overflow and gradual underflow come out right.
template <class T>
SINEW_HD T scale(const T& p, const T& k) {
  const T half = round_to_integer(k * T(0.5));
  return p * power_of_two(half) * power_of_two(k - half);
}

// x = 2^k m with sqrt(1/2) <= m < sqrt(2), for finite x > 0.
template <class T>
SINEW_HD void split_exponent(const T& x, T& k, T& m) {
  using F = Format<ScalarOf<T>>;
  using Bits = decltype(to_bits(x));
  const auto small = x < T(std::numeric_limits<ScalarOf<T>>::min());
  const T lifted = select(small, x * T(F::lift), x);
  const Bits b = to_bits(lifted) + Bits(typename F::Bits(F::one - F::sqrt_half));
  const Bits exponent = b >> F::mantissa_bits;
  m = from_bits((b & Bits(typename F::Bits((typename F::Bits(1) << F::mantissa_bits) - 1))) +
                Bits(F::sqrt_half));
  k = from_bits(exponent | to_bits(T(F::shift))) - T(F::shift + F::bias);
  k = select(small, k - T(F::lift_exponent), k);
}

// exp(r) for |r| <= log(2) / 2 or a little more.
template <class T>
SINEW_HD T exp_reduced(const T& r) {
  constexpr int terms = Format<ScalarOf<T>>::exp_terms;
  const T tail = horner<2, terms>(r, [](int i) { return inverse_factorial(i); });
  return T(1) + (r + r * r * tail);
}

// log2 x = hi + lo, hi a head: with s = s_h + s_l,  2 atanh(s) = (2/3) s (3 + s^2 + (3/5) s^4 + ...).
template <class T>
SINEW_HD void log2_in_two(const T& x, T& hi, T& lo) {
  using F = Format<ScalarOf<T>>;
  T k, m;
  split_exponent(x, k, m);
  const T f = m - T(1), d = m + T(1), s = f / d;
  const T s_h = head(s), d_h = head(d), d_l = m - (d_h - T(1));
  const T s_l = ((f - s_h * d_h) - s_h * d_l) / d;

  const T z = s * s, z_h = s_h * s_h;
  const T series = horner<2, F::log_terms>(z, [](int i) { return 3.0 / (2 * i + 1); });
  const T rest = z * z * series + s_l * (s_h + s);
  const T t_h = head(T(3) + z_h + rest), t_l = rest - ((t_h - T(3)) - z_h);
  const T u = s_h * t_h, v = s_l * t_h + t_l * s;
  const T p_h = head(u + v), p_l = v - (p_h - u);

  const T c_h = T(F::log2_scale_head), c_l = T(F::log2_scale_tail);  // 2 / (3 log 2)
  const T w_h = c_h * p_h, w_l = c_l * p_h + p_l * (c_h + c_l);
  hi = head((w_h + w_l) + k);
  lo = w_l - ((hi - k) - w_h);
}

}  // namespace detail

template <class T>
SINEW_HD T exp(const T& x) {
  using F = detail::Format<ScalarOf<T>>;
  const T y = min(max(x, T(F::exp_min)), T(F::exp_max));
  const T k = detail::round_to_integer(y * T(1.4426950408889634));
  const T r = (y - k * T(F::ln2_hi)) - k * T(F::ln2_lo);
  return detail::scale(detail::exp_reduced(r), k);
}

template <class T>
SINEW_HD T log(const T& x) {
  using F = detail::Format<ScalarOf<T>>;
  using Limits = std::numeric_limits<ScalarOf<T>>;
  T k, m;
  detail::split_exponent(x, k, m);
  const T f = m - T(1), s = f / (m + T(1)), z = s * s, half_f2 = T(0.5) * f * f;
  const T series = z * detail::horner<1, F::log_terms>(z, [](int i) { return 2.0 / (2 * i + 1); });
  // 2 s = f - f^2 / 2 + s f^2 / 2 keeps the leading term f exact.
  T y = k * T(F::ln2_hi) + (f - (half_f2 - (s * (half_f2 + series) + k * T(F::ln2_lo))));
  y = select(x < T(Limits::infinity()), y, x);  // infinity and NaN stay
  y = select(x == T(0), T(-Limits::infinity()), y);
  return select(x < T(0), T(Limits::quiet_NaN()), y);
}

// x^y for x >= 0 and finite real y; NaN for x < 0.
template <class T>
SINEW_HD T pow(const T& x, const Same<T>& y) {
  using F = detail::Format<ScalarOf<T>>;
  using Limits = std::numeric_limits<ScalarOf<T>>;
  T hi, lo;
  detail::log2_in_two(x, hi, lo);
  const T y_h = detail::head(y), p_h = y_h * hi, p_l = (y - y_h) * hi + y * lo;
  const T limit = T(F::exponent_limit), total = p_h + p_l;
  const T k = detail::round_to_integer(min(max(total, -limit), limit));
  const T r = select(abs(total) > limit, T(0), (p_h - k) + p_l);
  T result = detail::scale(detail::exp_reduced(r * T(0.6931471805599453)), k);

  const T infinity = T(Limits::infinity());
  result = select(x < infinity, result, select(x == infinity, select(y < T(0), T(0), infinity), x));
  result = select(x == T(0), select(y < T(0), infinity, T(0)), result);
  result = select(x < T(0), T(Limits::quiet_NaN()), result);
  return select(y == T(0), T(1), result);
}

// The real cube root, also of negative numbers.
template <class T>
SINEW_HD T cbrt(const T& x) {
  const T a = abs(x);
  T k, m;
  detail::split_exponent(a, k, m);
  const T q = detail::round_to_integer(k * T(1.0 / 3)), j = k - T(3) * q;  // j = -1, 0, 1
  const T t = m * select(j < T(0), T(0.5), select(j > T(0), T(2), T(1)));
  const T root_of_two_to_j =
      select(j < T(0), T(0.7937005259840998), select(j > T(0), T(1.2599210498948732), T(1)));
  const T f = m - T(1);
  T y = (T(1) + f * (T(1.0 / 3) - f * T(1.0 / 9))) * root_of_two_to_j;  // within 0.4 %
  for (int i = 0; i < 2; ++i) {  // Halley's step: the error goes to two thirds of its cube
    const T cube = y * y * y;
    y -= y * ((cube - t) / (cube + cube + t));
  }
  const T result = copysign(y * detail::power_of_two(q), x);
  const T infinity = T(std::numeric_limits<ScalarOf<T>>::infinity());
  return select((a > T(0)) && (a < infinity), result, x);
}

// Plain functions for the numbers: with `using namespace sinew::math` an unqualified log(double) is then
// refused as ambiguous instead of silently being the C library's.
SINEW_HD inline double exp(double x) { return exp<double>(x); }
SINEW_HD inline float exp(float x) { return exp<float>(x); }
SINEW_HD inline double log(double x) { return log<double>(x); }
SINEW_HD inline float log(float x) { return log<float>(x); }
SINEW_HD inline double pow(double x, double y) { return pow<double>(x, y); }
SINEW_HD inline float pow(float x, float y) { return pow<float>(x, y); }
SINEW_HD inline double cbrt(double x) { return cbrt<double>(x); }
SINEW_HD inline float cbrt(float x) { return cbrt<float>(x); }

}  // namespace sinew::math

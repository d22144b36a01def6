#pragma once
// Polynomials with integer coefficients of any size, their roots in [0, 1], and signs of other polynomials at such roots.
// Roots are isolated by Descartes' rule of signs on Bernstein coefficients under bisection (Lane, Riesenfeld: Bounds on a
// Polynomial, 1981). All decisions are exact.
//
//     for (Root& root : roots(f)) if (root.sign(g) > 0) ...    // f of degree 3 or less
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "exact/integer.h"

namespace sinew::exact {

class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(std::vector<Integer> coefficients) : c_(std::move(coefficients)) {
    while (!c_.empty() && c_.back().is_zero()) c_.pop_back();
  }

  bool is_zero() const { return c_.empty(); }
  int degree() const { return static_cast<int>(c_.size()) - 1; }  // -1: zero
  Integer operator[](int i) const { return i <= degree() ? c_[i] : Integer(0); }
  Integer front() const { return (*this)[0]; }

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b) { return combined(a, b, 1); }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) { return combined(a, b, -1); }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    if (a.is_zero() || b.is_zero()) return {};
    std::vector<Integer> c(a.c_.size() + b.c_.size() - 1);
    for (size_t i = 0; i < a.c_.size(); ++i)
      for (size_t j = 0; j < b.c_.size(); ++j) c[i + j] += a.c_[i] * b.c_[j];
    return Polynomial(std::move(c));
  }
  Polynomial derivative() const {
    std::vector<Integer> c;
    for (int i = 1; i <= degree(); ++i) c.push_back(c_[i] * i);
    return Polynomial(std::move(c));
  }
  // 2^(k degree) times the value at m / 2^k.
  Integer scaled_value(const Integer& m, unsigned k) const {
    Integer value = 0;
    for (int i = degree(); i >= 0; --i) value = value * m + (c_[i] << (k * (degree() - i)));
    return value;
  }
  // A bound of the derivative's magnitude in [0, 1].
  Integer slope() const {
    Integer sum = 0;
    for (int i = 1; i <= degree(); ++i) sum += abs(c_[i]) * i;
    return sum;
  }

  // q and r with l^k a = q b + r, deg r < deg b, l the leading coefficient of b.
  static std::array<Polynomial, 2> divide(Polynomial a, const Polynomial& b) {
    Polynomial quotient;
    while (a.degree() >= b.degree()) {
      std::vector<Integer> term(a.degree() - b.degree() + 1);
      term.back() = a.c_.back();
      const Polynomial lead({b.c_.back()}), next(std::move(term));
      quotient = quotient * lead + next;
      a = a * lead - next * b;
    }
    return {quotient, a};
  }
  // Divided by what its coefficients have in common.
  Polynomial primitive() const {
    Integer common = 0;
    for (const Integer& c : c_) common = gcd(common, c);
    std::vector<Integer> c = c_;
    for (Integer& x : c) x /= common;
    return Polynomial(std::move(c));
  }
  static Polynomial common_divisor(Polynomial a, Polynomial b) {
    while (!b.is_zero()) {
      Polynomial r = divide(a, b)[1];
      a = std::move(b);
      b = r.is_zero() ? r : r.primitive();
    }
    return a;
  }
  // The same roots, each once.
  Polynomial square_free() const {
    const Polynomial common = common_divisor(*this, derivative());
    return common.degree() < 1 ? *this : divide(*this, common)[0].primitive();
  }

 private:
  static Polynomial combined(const Polynomial& a, const Polynomial& b, int factor) {
    std::vector<Integer> c(std::max(a.c_.size(), b.c_.size()));
    for (size_t i = 0; i < a.c_.size(); ++i) c[i] = a.c_[i];
    for (size_t i = 0; i < b.c_.size(); ++i) c[i] += b.c_[i] * factor;
    return Polynomial(std::move(c));
  }

  std::vector<Integer> c_;
};

// A root of a square-free polynomial f: m / 2^k, or the only one between that and (m + 1) / 2^k.
class Root {
 public:
  static Root at(Integer m, unsigned k) { return Root({}, std::move(m), k, 0); }
  static Root between(const Polynomial& f, Integer m, unsigned k, int sign_before) {
    return Root(f, std::move(m), k, sign_before);
  }

  int sign(const Polynomial& g) {
    if (g.degree() < 1) return exact::sign(g.front());
    for (int step = 0;; ++step) {
      const Integer value = g.scaled_value(m_, k_);
      if (sign_before_ == 0) return exact::sign(value);
      if (abs(value) > g.slope() << (k_ * (g.degree() - 1))) return exact::sign(value);
      if (step == 40 && is_root_of(g)) return 0;
      refine();
    }
  }
  // Not below the root, within 2^-60.
  double upper_bound() {
    while (sign_before_ != 0 && k_ < 60) refine();
    const Integer next = sign_before_ == 0 ? m_ : Integer(m_ + 1);
    const double x = std::ldexp(static_cast<double>(next), -static_cast<int>(k_));
    return x < 1 ? std::nextafter(x, 1.0) : 1.0;
  }

 private:
  Root(Polynomial f, Integer m, unsigned k, int sign_before)
      : f_(std::move(f)), m_(std::move(m)), k_(k), sign_before_(sign_before) {}

  void refine() {
    const Integer middle = 2 * m_ + 1;
    const int s = exact::sign(f_.scaled_value(middle, k_ + 1));
    m_ = s == 0 || s == sign_before_ ? middle : Integer(2 * m_);
    ++k_;
    if (s == 0) sign_before_ = 0;
  }
  bool is_root_of(const Polynomial& g) {
    const Polynomial common = Polynomial::common_divisor(f_, g);
    if (common.degree() < 1) return false;
    const auto end = [&](int i) { return exact::sign(f_.scaled_value(m_ + i, k_)); };
    while (sign_before_ != 0 && end(0) * end(1) == 0) refine();
    if (sign_before_ == 0) return g.scaled_value(m_, k_).is_zero();
    return exact::sign(common.scaled_value(m_, k_)) != exact::sign(common.scaled_value(m_ + 1, k_));
  }

  Polynomial f_;
  Integer m_;
  unsigned k_;
  int sign_before_;  // of f just after m / 2^k; 0: the root is m / 2^k
};

namespace detail {

using Bernstein = std::array<Integer, 4>;

inline void isolate(const Polynomial& f, const Bernstein& b, const Integer& m, unsigned k,
                    std::vector<Root>& found) {
  int before = 0, first = 0, changes = 0;
  for (const Integer& x : b) {
    const int s = sign(x);
    if (s == 0) continue;
    if (first == 0) first = s;
    changes += before != 0 && s != before;
    before = s;
  }
  if (changes == 0) return;
  if (changes == 1) {
    found.push_back(Root::between(f, m, k, first));
    return;
  }
  Bernstein left, right, row = b;
  for (int i = 0; i < 4; ++i) {
    left[i] = row[0] << (3 - i);
    right[3 - i] = row[3 - i] << (3 - i);
    for (int j = 0; j < 3 - i; ++j) row[j] = row[j] + row[j + 1];
  }
  isolate(f, left, 2 * m, k + 1, found);
  if (left[3].is_zero()) found.push_back(Root::at(2 * m + 1, k + 1));
  isolate(f, right, 2 * m + 1, k + 1, found);
}

}  // namespace detail

// Ascending, each once, of a polynomial of degree 3 or less that is not zero.
inline std::vector<Root> roots(const Polynomial& polynomial) {
  const Polynomial f = polynomial.square_free();
  const detail::Bernstein b = {3 * f[0], 3 * f[0] + f[1], 3 * f[0] + 2 * f[1] + f[2],
                               3 * (f[0] + f[1] + f[2] + f[3])};
  std::vector<Root> found;
  if (b[0].is_zero()) found.push_back(Root::at(0, 0));
  detail::isolate(f, b, 0, 0, found);
  if (b[3].is_zero()) found.push_back(Root::at(1, 0));
  return found;
}

}  // namespace sinew::exact

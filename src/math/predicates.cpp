#include "math/predicates.h"

// A number as the sum of doubles whose bits do not overlap, smallest first, none of them 0. This file is
// compiled without contraction (layer.cmake): a product fused into a later sum would not be the product whose
// error is known.
namespace sinew::math {

constinit thread_local PredicateTally thread_predicate_tally;

namespace {

struct Two {
  double high, low;  // rounded value and what rounding took away
};

Two two_sum(double a, double b) {
  const double s = a + b, b_part = s - a, a_part = s - b_part;
  return {s, (a - a_part) + (b - b_part)};
}

Two quick_two_sum(double large, double small) {
  const double s = large + small;
  return {s, small - (s - large)};
}

Two two_product(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}

template <int capacity>
struct Expansion {
  double term[capacity];
  int count = 0;

  void add(double x) {
    if (x != 0) term[count++] = x;
  }
  int sign() const { return count == 0 ? 0 : term[count - 1] > 0 ? 1 : -1; }
};

// Terms of both in ascending order of size, each added to what is left of those before.
template <int m, int n>
Expansion<m + n> sum(const Expansion<m>& e, const Expansion<n>& f) {
  Expansion<m + n> r;
  int i = 0, j = 0;
  const auto next = [&] {
    const bool first = j == f.count || (i < e.count && std::abs(e.term[i]) < std::abs(f.term[j]));
    return first ? e.term[i++] : f.term[j++];
  };
  if (e.count + f.count == 0) return r;
  double rest = next();
  for (bool second = true; i < e.count || j < f.count; second = false) {
    const double x = next();
    const Two s = second ? quick_two_sum(x, rest) : two_sum(rest, x);
    r.add(s.low);
    rest = s.high;
  }
  r.add(rest);
  return r;
}

template <int n>
Expansion<2 * n> scaled(const Expansion<n>& e, double factor) {
  Expansion<2 * n> r;
  if (e.count == 0 || factor == 0) return r;
  const Two first = two_product(e.term[0], factor);
  r.add(first.low);
  double rest = first.high;
  for (int i = 1; i < e.count; ++i) {
    const Two p = two_product(e.term[i], factor);
    const Two s = two_sum(rest, p.low);
    r.add(s.low);
    const Two t = quick_two_sum(p.high, s.high);
    r.add(t.low);
    rest = t.high;
  }
  r.add(rest);
  return r;
}

template <int n>
Expansion<n> negative(Expansion<n> e) {
  for (int i = 0; i < e.count; ++i) e.term[i] = -e.term[i];
  return e;
}

Expansion<2> difference(double a, double b) {
  const Two d = two_sum(a, -b);
  Expansion<2> r;
  r.add(d.low);
  r.add(d.high);
  return r;
}

template <int n>
Expansion<4 * n> product(const Expansion<n>& e, const Expansion<2>& f) {
  if (f.count == 0) return {};
  if (f.count == 1) return sum(scaled(e, f.term[0]), Expansion<2 * n>{});
  return sum(scaled(e, f.term[0]), scaled(e, f.term[1]));
}

// a d - b c
Expansion<16> determinant(const Expansion<2>& a, const Expansion<2>& b, const Expansion<2>& c,
                          const Expansion<2>& d) {
  return sum(product(a, d), negative(product(b, c)));
}

}  // namespace

int exact_orient2d(const Vec<double, 2>& a, const Vec<double, 2>& b, const Vec<double, 2>& c) {
  ++predicate_tally().exact;
  return determinant(difference(b[0], a[0]), difference(b[1], a[1]), difference(c[0], a[0]),
                     difference(c[1], a[1]))
      .sign();
}

int exact_orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  ++predicate_tally().exact;
  Expansion<2> u[3], v[3], w[3];
  for (int i = 0; i < 3; ++i) {
    u[i] = difference(b[i], a[i]);
    v[i] = difference(c[i], a[i]);
    w[i] = difference(d[i], a[i]);
  }
  const auto part = [&](int i, int j, int k) { return product(determinant(u[j], u[k], v[j], v[k]), w[i]); };
  return sum(sum(part(0, 1, 2), part(1, 2, 0)), part(2, 0, 1)).sign();
}

}  // namespace sinew::math

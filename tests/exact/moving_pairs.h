#pragma once
// Decides exactly whether a moving point and triangle, or two moving edges, meet at some time in [0, 1], and when first.
//
// They meet at t when the origin lies in the hull H of the differences q_k(t) of their corners, a triangle or a
// parallelogram. Then det(t) = 0, where det says that the origin lies in the plane of H. Where det is not zero as a
// polynomial, its roots are tried one by one. Where it is, all is in one plane for all times, and a contact that is not
// there at time 0 can begin only with the origin on a side of H.
#include <array>
#include <optional>

#include "exact/polynomial.h"
#include "math/vec.h"

namespace sinew::exact {

using PolynomialVector = std::array<Polynomial, 3>;

inline PolynomialVector operator-(const PolynomialVector& a, const PolynomialVector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Polynomial dot(const PolynomialVector& a, const PolynomialVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline PolynomialVector cross(const PolynomialVector& a, const PolynomialVector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

class MovingPair {
 public:
  using Corners = std::array<math::Vec3d, 4>;

  static MovingPair point_triangle(const Corners& x0, const Corners& x1) {
    const std::array<PolynomialVector, 4> x = moving(x0, x1);
    MovingPair pair;
    const std::array<PolynomialVector, 3> q = {x[1] - x[0], x[2] - x[0], x[3] - x[0]};
    pair.normal_ = cross(q[1] - q[0], q[2] - q[0]);
    pair.det_ = dot(q[0], cross(q[1], q[2]));
    for (int k = 0; k < 3; ++k) {
      const PolynomialVector &a = q[(k + 1) % 3], &b = q[(k + 2) % 3];
      pair.add_side(a, b);
      pair.inside_.push_back(dot(pair.normal_, cross(a, b)));
    }
    return pair;
  }

  // Corners a0, a1, b0, b1.
  static MovingPair edges(const Corners& x0, const Corners& x1) {
    const std::array<PolynomialVector, 4> x = moving(x0, x1);
    MovingPair pair;
    const PolynomialVector a = x[1] - x[0], b = x[3] - x[2], r = x[2] - x[0];
    pair.normal_ = cross(a, b);
    pair.det_ = dot(r, pair.normal_);
    const Polynomial length2 = dot(pair.normal_, pair.normal_), s = dot(pair.normal_, cross(r, b)),
                     t = dot(pair.normal_, cross(r, a));
    pair.inside_ = {s, length2 - s, t, length2 - t};
    for (int end = 0; end < 2; ++end) {
      pair.add_side(x[2] - x[end], x[3] - x[end]);
      pair.add_side(x[0] - x[2 + end], x[1] - x[2 + end]);
    }
    return pair;
  }

  std::optional<Root> first_meeting() const {
    std::optional<Root> first;
    if (!det_.is_zero()) {
      for (Root& root : roots(det_))
        if (meet_at(root)) return root;
      return {};
    }
    if (Root start = Root::at(0, 0); meet_at(start)) return start;
    for (const Side& side : sides_)
      if (std::optional<Root> root = side.first();
          root && (!first || root->upper_bound() < first->upper_bound()))
        first = root;
    return first;
  }

 private:
  // Of H; the origin lies on it where the cross product of its ends vanishes and their dot product is not positive.
  struct Side {
    PolynomialVector cross;
    Polynomial dot;

    bool holds(Root& t) const {
      return t.sign(cross[0]) == 0 && t.sign(cross[1]) == 0 && t.sign(cross[2]) == 0 && t.sign(dot) <= 0;
    }
    std::optional<Root> first() const {
      const Polynomial* condition = &dot;
      for (const Polynomial& c : cross)
        if (!c.is_zero()) condition = &c;
      if (Root start = Root::at(0, 0); holds(start)) return start;
      if (condition->is_zero()) return {};
      for (Root& root : roots(*condition))
        if (holds(root)) return root;
      return {};
    }
  };

  static std::array<PolynomialVector, 4> moving(const Corners& x0, const Corners& x1) {
    Unit unit;
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 3; ++i) unit.fit(x0[k][i]), unit.fit(x1[k][i]);
    std::array<PolynomialVector, 4> x;
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < 3; ++i) {
        const Integer start = unit(x0[k][i]);
        x[k][i] = Polynomial({start, unit(x1[k][i]) - start});
      }
    return x;
  }
  void add_side(const PolynomialVector& a, const PolynomialVector& b) {
    sides_.push_back({cross(a, b), dot(a, b)});
  }

  bool meet_at(Root& t) const {
    for (const Side& side : sides_)
      if (side.holds(t)) return true;
    if (t.sign(normal_[0]) == 0 && t.sign(normal_[1]) == 0 && t.sign(normal_[2]) == 0) return false;
    if (t.sign(det_) != 0) return false;
    for (const Polynomial& weight : inside_)
      if (t.sign(weight) < 0) return false;
    return true;
  }

  PolynomialVector normal_;
  Polynomial det_;
  std::vector<Polynomial> inside_;  // all >= 0: the foot of the perpendicular lies in H
  std::vector<Side> sides_;
};

}  // namespace sinew::exact

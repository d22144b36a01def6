#pragma once
// Coulomb friction of a contact pair, with an elastic part. u = slip + d(x) - start, taken across the normal n, is what the
// pair would have slipped elastically since it stuck; with the tangential stiffness k and Coulomb's limit
// m = friction * load of the tangential force, the energy is
//
//     k/2 |u|^2                 while k |u| <= m    (sticks)
//     m |u| - m^2 / (2 k)       beyond              (slides)
//
// The load is that of the last solve, so that friction has an energy and any minimiser may be used; it is Coulomb's where
// solves follow each other until the load stands. What slides keeps the elastic slip m/k, the rest is dissipated.
#include "contact/contact_set.h"
#include "math/mat.h"

namespace sinew::contact {

using math::Mat3d;

inline double tangent_stiffness(const Pair& pair) {  // k [N/m]
  return pair.barrier ? pair.tangent : pair.stiffness;
}

// u, were there no limit to friction [m].
inline Vec3d elastic_slip(const Pair& pair, const Vec3d& d) {
  const Vec3d u = pair.slip + d - pair.start;
  return u - pair.normal * dot(pair.normal, u);
}

// The share of a tangential force of this size that Coulomb's limit leaves.
inline double coulomb_share(double size, double limit) { return size > limit ? limit / size : 1; }

class Friction {
 public:
  // Of a pair at the difference d. Inactive where there is no friction or no load.
  Friction(const Pair& pair, const Vec3d& d)
      : limit_(pair.friction * pair.load), stiffness_(tangent_stiffness(pair)), sheet_(pair.sheet) {
    if (!active()) return;
    slip_ = elastic_slip(pair, d);
    size_ = norm(slip_);
  }

  bool active() const { return limit_ > 0; }
  bool sticks() const { return stiffness_ * size_ <= limit_; }

  double energy() const {  // [J]
    return sticks() ? 0.5 * stiffness_ * size_ * size_ : limit_ * size_ - 0.5 * limit_ * limit_ / stiffness_;
  }
  const Vec3d& slip() const { return slip_; }  // u [m]
  // The gradient of the energy is secant * u; the parabola of that stiffness that touches at |u| bounds it from above.
  double secant() const { return sticks() ? stiffness_ : limit_ / size_; }  // [N/m]
  // Adds the second derivatives to K; N = n n^T. Made definite, a sliding pair keeps some stiffness along its slip, or
  // steps would overshoot.
  void add_second(const Mat3d& N, bool definite, Mat3d& K) const {
    K += (Mat3d::identity() - N) * secant();
    if (!sticks())
      K -= outer(slip_, slip_) * ((!definite ? 1.0
                                   : sheet_  ? definite_share_of_sheets
                                             : definite_share) *
                                  limit_ / (size_ * size_ * size_));
  }

  Vec3d kept_slip() const {
    return slip_ * coulomb_share(stiffness_ * size_, limit_);
  }                                                                              // elastic, within the limit
  double dissipation() const { return limit_ * (size_ - limit_ / stiffness_); }  // where it slides [J]

 private:
  // Sheets weigh little: their steps would leap from one direction of slip to the other.
  static constexpr double definite_share = 0.9, definite_share_of_sheets = 0.5;

  double limit_, stiffness_;  // m [N], k [N/m]
  bool sheet_;
  Vec3d slip_ = {0, 0, 0};
  double size_ = 0;
};

}  // namespace sinew::contact

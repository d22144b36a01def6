#pragma once
// Contacts as constraints: of each pair C = n.d - thickness >= 0 with the compliance c = 1/k, or hard, and its friction
//
//     l <- max(0, l + dl),  dl = -(C + c l) / (sum_a m_a |w_a n|^2 + c)         (two-sided: without the max)
//     t <- t + dt, at most of the size friction * l,  dt = -(u + c_t t) / (sum_a m_a |w_a e|^2 + c_t)
//
// in two directions e across n, u the elastic slip, c_t = 1/k_t; hard: what has slipped in this step. The multipliers l and
// t are forces [N]: what is at rest sticks, what slides is braked by Coulomb's law with the load of now. One pair after the
// other, by key. Formula of a step: solve/element_constraints.h.
#include <array>

#include "solve/constraint_set.h"
#include "solve/system.h"

namespace sinew::solve {

class ContactConstraints final : public ConstraintSet {
 public:
  ContactConstraints(const System& system, bool hard) : system_(&system), hard_(hard) {}

  void start()
      override;  // with multipliers 0, the contacts that the system has now and colliders where it has them
  void sweep(std::span<MobileNode> nodes) override;

 private:
  struct Rows {
    std::array<Vec3d, 3> direction;  // n, and two across it
    std::array<double, 3> multiplier;
    Vec3d offset;  // what a collider adds to d [m]
  };

  // The value that the multiplier of direction k, at C with this compliance, would take.
  double wanted(const contact::Pair& pair, const Rows& rows, int k, double C, double compliance,
                std::span<const MobileNode> nodes) const;
  void move(const contact::Pair& pair, const Vec3d& force, std::span<MobileNode> nodes) const;
  void rub(const contact::Pair& pair, Rows& rows, std::span<MobileNode> nodes) const;

  const System* system_;
  bool hard_;
  std::vector<Rows> rows_;  // of each pair of the system
};

}  // namespace sinew::solve

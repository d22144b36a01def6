#pragma once
// Links as constraints: each principal direction of a link's stiffness is one, C = direction . d, d = a - b, with the
// compliance 1/k; a link with a rest length is one, C = |d| - rest length. Formula of a step: solve/element_constraints.h.
// A node of both sites counts once, with the difference of its weights; sites on frames do not move. One link after the
// other, in the model's order.
#include <array>

#include "solve/constraint_set.h"
#include "solve/system.h"

namespace sinew::solve {

class LinkConstraints final : public ConstraintSet {
 public:
  LinkConstraints(const System& system, bool hard);

  void start() override;  // with multipliers 0, and stiffnesses and frames as the system has them now
  void sweep(std::span<MobileNode> nodes) override;

 private:
  struct End {
    int32_t node;
    double weight;
  };
  struct Rows {
    size_t first, last;               // in ends_
    std::array<Vec3d, 3> direction;   // principal directions; unused with a rest length
    std::array<double, 3> stiffness;  // [N/m]; 0: no constraint
    double rest_length;               // [m]
    std::array<double, 3> multiplier;
    Vec3d offset;  // what sites on frames add to d [m]
  };

  Vec3d difference(const Rows& rows, std::span<const MobileNode> nodes) const;
  void relax(Rows& rows, int k, double C, const Vec3d& direction, std::span<MobileNode> nodes) const;

  const System* system_;
  bool hard_;
  std::vector<End> ends_;
  std::vector<Rows> rows_;  // of each link
};

}  // namespace sinew::solve

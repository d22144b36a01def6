#pragma once
// The hinges of a body of triangles as constraints: C is the angle beyond that of rest, its compliance 1/K, K the stiffness of
// the hinge (energy/hinges.cpp). Formula of a step: solve/element_constraints.h. Hinges are coloured so that those of a colour
// share no node; eight of a colour lie in the lanes of a pack.
#include <array>
#include <vector>

#include "math/pack.h"
#include "solve/constraint_set.h"
#include "solve/system.h"

namespace sinew::solve {

class HingeConstraints final : public ConstraintSet {
 public:
  HingeConstraints(const System& system, int32_t body, bool hard);

  void start() override;
  void sweep(std::span<MobileNode> nodes) override;

 private:
  using Pack = math::PackD;
  void relax(int64_t pack, std::span<MobileNode> nodes);

  const System* system_;
  int32_t body_;
  bool hard_;
  int64_t bound_to_ = -1;            // version of the system's parameters
  std::vector<int32_t> hinge_;       // of the body, of every lane; padding repeats the last of its colour
  std::vector<int8_t> used_;         // lanes of each pack
  std::vector<int64_t> first_pack_;  // of each colour, and the end
  std::vector<int32_t> lane_ids_;    // per pack and node, lane by lane
  std::vector<Pack> cosine_, sine_, stiffness_, multiplier_;
};

}  // namespace sinew::solve

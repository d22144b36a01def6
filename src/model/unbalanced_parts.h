#pragma once
// Parts without an equilibrium: a group of linked parts that may shift as a whole along a direction in which its loads have a
// sum. Such a shift lowers the energy without end, however the parts deform. Rotations are no such motions: what hangs
// from a hinge swings to a place where it rests. Pressure turns with what it presses on, and swings it on and on.
//
//     for (const UnbalancedPart& part : unbalanced_parts(model, parts, end_time)) ...
#include "model/parts.h"
#include "model/rigid_modes.h"

namespace sinew::model {

struct UnbalancedPart {
  std::vector<int32_t> parts;  // of the group, the one with most elements first
  Vec3d force = {0, 0, 0};     // what nothing can balance [N]
  double time = 0;             // when it is largest [s]
};

// In the order of their first parts. Gravity, forces, tractions and pressure on the rest shape are looked at from time 0 to
// `end`; contact is not.
std::vector<UnbalancedPart> unbalanced_parts(const Model& model, const Parts& parts, double end);
// The same at these inputs alone; `time` is not set.
std::vector<UnbalancedPart> unbalanced_parts(const Model& model, const Parts& parts,
                                             std::span<const double> inputs);

// The largest moment of the pressure loads about a rotation that nothing holds; 0 for parts that links join to others [N m].
double turning_pressure(const Model& model, const Parts& parts, const FreePart& free,
                        std::span<const double> inputs);

}  // namespace sinew::model

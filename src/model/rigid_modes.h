#pragma once
// Rigid motions that nothing holds. Each connected part of the meshes moves as x -> x + t + w x (x - c);
// every held node, clamped border and spring gives rows on the (t, w) of the parts it touches, and the null space of
// the rows is what remains free. Parts joined by links are taken together.
#include <array>
#include <string>
#include <vector>

#include "model/parts.h"

namespace sinew::model {

struct FreePart {
  int32_t part = 0;   // in Parts::list
  std::string modes;  // "translation along x, rotation about z"
  // (t, w) of motions x -> x + t + w x (x - c) / r that span them, r the radius of the part. Empty where links join it to others.
  std::vector<std::array<double, 6>> motions = {};
};

// `unchecked` counts the parts of groups too large to look at.
std::vector<FreePart> free_rigid_modes(const Model& model, const Parts& parts, int64_t& unchecked);

}  // namespace sinew::model

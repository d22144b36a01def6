#pragma once
// Rigid motions that nothing holds. Each connected part of the meshes moves as x -> x + t + w x (x - c);
// every held node and every spring gives rows on the (t, w) of the parts it touches, and the null space of
// the rows is what remains free. Parts joined by links are taken together.
#include <string>
#include <vector>

#include "model/model.h"

namespace sinew::model {

struct FreePart {
  int32_t body = 0;
  int32_t part = 0;        // number of the connected part within its body, from 0
  int32_t part_count = 1;  // parts of that body
  std::string modes;       // "translation along x, rotation about z"
};

// `unchecked` counts the parts of groups too large to look at.
std::vector<FreePart> free_rigid_modes(const Model& model, int64_t& unchecked);

}  // namespace sinew::model

#pragma once
// Findings about a scene with contact: its colliders, how many pairs may touch, and vertices that start inside
// a collider.
#include "scene/check.h"

namespace sinew::scene {

void check_contact(const Built& built, std::vector<Finding>& out);

}  // namespace sinew::scene

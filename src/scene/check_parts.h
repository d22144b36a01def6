#pragma once
// Findings about the connected parts of a quasistatic scene: those without an equilibrium, because nothing holds them against
// their loads, and those with rigid motions that no load follows.
#include <optional>

#include "scene/check.h"

namespace sinew::scene {

void check_parts(const Built& built, std::vector<Finding>& out);
// The error of a quasistatic scene with parts that have no equilibrium; none: there are no such parts.
std::optional<Error> lacks_equilibrium(const Built& built);

}  // namespace sinew::scene

#pragma once
// "--set path=value": changes to a scene before it is checked.
#include <string>

#include "json/type.h"

namespace sinew::json {

// Applies the k-th override (from 1). The path must name keys that exist; on the way, missing objects
// are made, but entries of maps and lists are not.
void apply_override(Json& scene, const std::string& text, int32_t k, const Type& type,
                    Diagnostics& diagnostics);

}  // namespace sinew::json

#pragma once
// The table of the scene file: every key, its type, range, default and meaning, in one place. Materials,
// methods and quantities come from their registries, so a new one appears here by itself.
//
//     sinew schema             json::json_schema(scene_type(), ...)
//     sinew schema --markdown  json::reference_page(scene_type(), ...)
#include "json/type.h"

namespace sinew::scene {

const json::Type& scene_type();

}  // namespace sinew::scene

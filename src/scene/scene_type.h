#pragma once
// The table of the scene file: every key, its type, range, default and meaning, in one place. Materials,
// methods and quantities come from their registries, so a new one appears here by itself.
//
//     sinew schema             json_schema(scene_type(), ...)
//     sinew schema --markdown  reference_page(scene_type(), ...)
#include "scene/type.h"

namespace sinew::scene {

const Type& scene_type();

}  // namespace sinew::scene

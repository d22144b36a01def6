#pragma once
// Reports of the mesher, as JSON and as sentences: `sinew mesh`, the notes of a scene and Python tell the same.
#include <string>
#include <vector>

#include "json/json.h"
#include "meshing/volume.h"

namespace sinew::scene {

using json::Json;

Json volume_json(const meshing::Volume& volume);

// Sentences about repairs and about what a user should know; none where there is nothing to tell.
std::vector<std::string> volume_sentences(const meshing::Volume& volume);

}  // namespace sinew::scene

#pragma once
// What the mesher found, as JSON and as sentences: `sinew mesh`, the notes of a scene and Python tell the same.
#include <string>
#include <vector>

#include "json/json.h"
#include "meshing/volume.h"

namespace sinew::scene {

Json volume_json(const meshing::Volume& volume);

// What was put right, and what a user should know of: one sentence each, none where there is nothing to tell.
std::vector<std::string> volume_sentences(const meshing::Volume& volume);

}  // namespace sinew::scene

#pragma once
// Finds out what a path is (a scene, the folder of a run, a mesh) and makes of one or two of them a Show.
//
//     Result<Show> show = open_show({"twist-out"}, {});
#include <string>
#include <vector>

#include "view/live.h"
#include "view/show.h"

namespace sinew::view {

// Two stand side by side: runs or meshes. `overrides` ("path=value") are for a scene.
Result<Show> open_show(const std::vector<std::string>& paths, const std::vector<std::string>& overrides,
                       const LiveOptions& live = {});

}  // namespace sinew::view

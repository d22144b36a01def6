#pragma once
// Finds out what a path is (a scene, the folder of a run, a mesh) and makes of one or two of them a Show.
//
//     Result<Show> show = open_show({"twist-out"});
#include <optional>
#include <string>
#include <vector>

#include "view/live.h"
#include "view/show.h"

namespace sinew::view {

struct OpenOptions {
  std::vector<std::string> overrides = {};  // of a scene: "path=value"
  std::optional<double> unit = {};          // of meshes: metres in one of the file's
  LiveOptions live = {};                    // of a scene
};

// Two stand side by side: runs or meshes.
Result<Show> open_show(const std::vector<std::string>& paths, const OpenOptions& options = {});

}  // namespace sinew::view

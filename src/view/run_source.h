#pragma once
// A run folder in a pane, also one that is still being written: grow() finds the frames that have come since.
//
//     auto source = open_run("twist-out");
#include <filesystem>
#include <memory>

#include "view/source.h"

namespace sinew::view {

Result<std::unique_ptr<Source>> open_run(const std::filesystem::path& folder);

}  // namespace sinew::view

#pragma once
// Where the example scenes are.
#include <filesystem>

namespace sinew::cli {

// Beside the installed tool, else in the source tree it was built from.
std::filesystem::path examples_folder();

}  // namespace sinew::cli

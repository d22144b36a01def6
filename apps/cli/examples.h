#pragma once
// Finds the folder of the example scenes.
#include <filesystem>

namespace sinew::cli {

// Beside the installed tool, else in the source tree it was built from.
std::filesystem::path examples_folder();

}  // namespace sinew::cli

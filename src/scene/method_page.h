#pragma once
// Writes the page of which method can run which scenes, with a row for each feature of a scene and a column for each method,
// made by asking every method what it lacks on a small scene that has the thing.
//
//     sinew schema --methods
#include <string>

#include "base/result.h"

namespace sinew::scene {

// Markdown. An error where a sample scene cannot be built, which a test finds.
Result<std::string> method_page();

}  // namespace sinew::scene

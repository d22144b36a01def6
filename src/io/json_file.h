#pragma once
// A JSON file, read whole.
#include <filesystem>

#include "base/result.h"
#include "json/json.h"

namespace sinew::io {

Result<json::Json> read_json(const std::filesystem::path& path, const json::JsonLimits& limits = {});

}  // namespace sinew::io

#include "io/json_file.h"

#include "io/file.h"

namespace sinew::io {

Result<json::Json> read_json(const std::filesystem::path& path, const json::JsonLimits& limits) {
  Result<std::string> text = read_text(path.string(), static_cast<int64_t>(limits.bytes));
  if (!text) return text.error();
  return json::parse_json(*text, path.string(), limits);
}

}  // namespace sinew::io

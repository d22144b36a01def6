// What is read can be written, in both forms, and read again as the same.
#include <cstdint>

#include "json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using sinew::json::parse_json;
  const auto json = parse_json({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!json) return 0;
  for (const std::string& text : {json->compact(), json->pretty()}) {
    const auto again = parse_json(text, "again");
    if (!again || !(*again == *json)) __builtin_trap();
  }
  return 0;
}

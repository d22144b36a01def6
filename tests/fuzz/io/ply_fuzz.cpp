#include <cstdint>

#include "io/ply.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sinew::io::Notes notes;
  if (const auto mesh = sinew::io::parse_ply(text, "fuzz", &notes)) sinew::io::format_ply(*mesh);
  return 0;
}

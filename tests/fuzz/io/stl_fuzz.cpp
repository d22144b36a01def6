#include <cstdint>

#include "io/stl.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sinew::io::Notes notes;
  if (const auto mesh = sinew::io::parse_stl(text, "fuzz", &notes)) (void)sinew::io::format_stl(*mesh);
  return 0;
}

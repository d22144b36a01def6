#include <cstdint>

#include "io/npz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // What is read can be written, and read again.
  const auto arrays = sinew::io::parse_npz(text, "fuzz", 1 << 24);
  if (!arrays) return 0;
  const auto bytes = sinew::io::format_npz(*arrays, false);
  if (bytes && !sinew::io::parse_npz(*bytes, "fuzz", 1 << 24)) __builtin_trap();
  return 0;
}

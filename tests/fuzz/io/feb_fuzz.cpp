#include <cstdint>

#include "io/feb.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sinew::io::Notes notes;
  (void)sinew::io::parse_feb_tets(text, "fuzz", &notes);
  (void)sinew::io::parse_feb_triangles(text, "fuzz", &notes);
  return 0;
}

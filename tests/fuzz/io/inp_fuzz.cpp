#include <cstdint>

#include "io/inp.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sinew::io::Notes notes;
  if (const auto mesh = sinew::io::parse_inp_tets(text, "fuzz", &notes)) sinew::io::format_inp(*mesh);
  if (const auto mesh = sinew::io::parse_inp_triangles(text, "fuzz", &notes)) sinew::io::format_inp(*mesh);
  return 0;
}

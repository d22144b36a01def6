#include <cstdint>

#include "io/tetgen.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The two files stand one after the other, with a line of dashes between.
  const size_t cut = text.find("\n---\n");
  const std::string_view node = text.substr(0, cut);
  const std::string_view ele = cut == text.npos ? "" : text.substr(cut + 5);
  sinew::io::Notes notes;
  if (const auto mesh = sinew::io::parse_tetgen(node, "node", ele, "ele", &notes)) {
    sinew::io::format_tetgen_node(*mesh);
    sinew::io::format_tetgen_ele(*mesh);
  }
  return 0;
}

#include <cstdint>

#include "io/gmsh.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sinew::io::Notes notes;
  if (const auto mesh = sinew::io::parse_gmsh_tets(text, "fuzz", &notes))
    (void)sinew::io::write_gmsh("/dev/null", *mesh);
  if (const auto mesh = sinew::io::parse_gmsh_triangles(text, "fuzz", &notes))
    (void)sinew::io::write_gmsh("/dev/null", *mesh);
  return 0;
}

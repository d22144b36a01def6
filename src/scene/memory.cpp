#include <cmath>
#include <fstream>
#include <limits>

#include "mesh/split.h"
#include "scene/building.h"

namespace sinew::scene {

double estimated_tets(const Json& mesh) {
  if (mesh.size() == 0 || mesh.has("file")) return 0;
  const std::string& shape = mesh.key(0);
  const Json& keys = mesh.item(0);
  const auto n = [&](std::string_view key) { return keys[key].number(); };
  double a = 1, b = 1, c = 1, patches = 1;  // cells along three directions of a block, and how many blocks
  if (shape == "box") {
    a = keys["cells"].item(0).number();
    b = keys["cells"].item(1).number();
    c = keys["cells"].item(2).number();
  } else if (shape == "ball") {
    a = b = c = n("cells");
  } else if (shape == "cylinder") {
    a = b = n("cells");
    c = n("layers");
  } else if (shape == "tube") {
    a = n("radial");
    b = n("around");
    c = n("layers");
  } else if (shape == "shell") {
    a = n("radial");
    b = c = n("across");
    patches = keys["octant"].boolean() ? 3 : 6;
  }
  const double boundary = 2 * (a * b + b * c + c * a);
  return patches * mesh::split_size(a * b * c, 0, boundary, *mesh::split_named(keys["split"].text())).tets;
}

int64_t system_available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string word, unit;
  int64_t kilobytes = 0;
  while (file >> word >> kilobytes && std::getline(file, unit))
    if (word == "MemAvailable:") return kilobytes * 1024;
  return std::numeric_limits<int64_t>::max();
}

std::string bytes_text(double bytes) {
  constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB"};
  int unit = 0;
  for (; bytes >= 1000 && unit < 7; ++unit) bytes /= 1000;
  const double rounded = bytes < 10 && unit > 0 ? std::round(bytes * 10) / 10 : std::round(bytes);
  return number_text(rounded) + " " + units[unit];
}

}  // namespace sinew::scene

#include <cmath>
#include <fstream>
#include <limits>

#include "scene/building.h"

namespace sinew::scene {

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
  return json::number_text(rounded) + " " + units[unit];
}

}  // namespace sinew::scene

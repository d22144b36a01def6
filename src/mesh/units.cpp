#include "mesh/units.h"

#include <charconv>
#include <fmt/format.h>

namespace sinew::mesh {

double metres_in(std::string_view unit) {
  if (unit == "m") return 1;
  if (unit == "cm") return 0.01;
  if (unit == "mm") return 0.001;
  if (unit == "in") return 0.0254;
  double value = 0;
  const auto [end, code] = std::from_chars(unit.data(), unit.data() + unit.size(), value);
  const bool fine =
      code == std::errc() && end == unit.data() + unit.size() && value >= 1e-12 && value <= 1e12;
  return fine ? value : 0;
}

std::string unit_question(double length) {
  if (!(length >= 100)) return {};
  return fmt::format(
      "the body is {:.3g} m long: is the file in millimetres? Then say so, with --unit mm or, in a scene, "
      "\"unit\": \"mm\"",
      length);
}

}  // namespace sinew::mesh

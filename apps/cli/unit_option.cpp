#include "unit_option.h"

#include <fmt/format.h>

#include "mesh/units.h"

namespace sinew::cli {

void unit_option(Arguments& arguments, std::string& unit) {
  arguments.option(unit, "--unit", "UNIT",
                   "Unit of the file's coordinates: m, cm, mm, in or the metres in one; m by default.");
}

Result<double> unit_of(const std::string& unit) {
  const double metres = mesh::metres_in(unit);
  if (metres > 0) return metres;
  return usage_error(fmt::format(
      "--unit: found \"{}\", expected m, cm, mm, in or the metres in one unit, 0.3048 for feet", unit));
}

}  // namespace sinew::cli

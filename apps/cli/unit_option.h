#pragma once
// --unit of commands that read a mesh: what the coordinates of the file are.
#include <string>

#include "base/result.h"
#include "command.h"

namespace sinew::cli {

void unit_option(Arguments& arguments, std::string& unit);
Result<double> unit_of(const std::string& unit);  // metres in one

}  // namespace sinew::cli

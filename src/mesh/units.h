#pragma once
// Units of mesh files. Files do not say which they have; the size of a body may.
#include <string>
#include <string_view>

namespace sinew::mesh {

// Metres in "m", "cm", "mm", "in", or in a number of them from 1e-12 to 1e12; 0: none of these.
double metres_in(std::string_view unit);

// What to ask where a body of this length [m] was read in metres: empty below 100 m, else "the body is 320 m long: is the file in
// millimetres? ...".
std::string unit_question(double length);

}  // namespace sinew::mesh

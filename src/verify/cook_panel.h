#pragma once
// Cook's membrane (Cook: Improved two-dimensional finite element, 1974): a tapered panel, clamped on the left, sheared
// upwards on the right, as a slab one cell deep.
#include <string_view>
#include <vector>

#include "verify/elements.h"
#include "verify/specimen.h"

namespace sinew::verify {

struct CookCase {
  std::string_view id;
  Solid solid;
  double traction;        // on the right side, upwards [Pa]
  double corner, middle;  // upward displacement at (48, 60) and (48, 52) [m]; 0: not given
  bool plane_stress = false;
};

struct CookLift {
  double corner, middle;  // [m]
  double nodes;
};

// n x n cells.
CookLift lift_cook_panel(const CookCase& one, const Discretisation& with, int32_t n, const Control& control);

}  // namespace sinew::verify

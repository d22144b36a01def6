#pragma once
// The problem V18 by any method: minimisers that do not depend on the solver (verify/gold_values.cpp).
//
//     Outcome outcome = gold_values(*step::find_method("pbng"), 1e-10, {});
#include "step/stepper.h"
#include "verify/problem.h"

namespace sinew::verify {

// `tolerance`: relative residual that the method is to reach.
Outcome gold_values(const step::Method& method, double tolerance, const Control& control);

}  // namespace sinew::verify

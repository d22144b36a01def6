#pragma once
// The way of the inputs to a vector of one's own: the scene's curve, plus a share of what is missing at the end that grows
// evenly with time. Poses stay rotations where both ends are.
//
//     model::InputCurve curve = input_path(model.inputs, target, times);
#include <span>

#include "model/inputs.h"

namespace sinew::batch {

// `times` ascend; at the last one the inputs are `target`. Between them the path is straight.
model::InputCurve input_path(const model::InputCurve& curve, std::span<const double> target,
                             std::span<const double> times);

}  // namespace sinew::batch

#pragma once
// How deep vertices lie below the surfaces that they touch, as these are at x and not as pairs have them.
#include <span>
#include <vector>

#include "contact/detect.h"
#include "step/step_report.h"

namespace sinew::step {

// Raises report.penetration and penetration_edge to the deepest of these pairs. `inputs`: the poses of the colliders.
void measure_penetration(const model::Model& model, const contact::Detector& detector,
                         std::span<const double> inputs, std::span<const contact::Pair* const> pairs,
                         std::span<const math::Vec3d> x, StepReport& report);

}  // namespace sinew::step

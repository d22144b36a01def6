#pragma once
// The numbers of a scene that make sense as sliders: materials, densities, stiffnesses, friction, the options of the
// method. Shapes of meshes, selections, times and what is written are left out.
#include "scene/scene.h"

namespace sinew::view {

// [{"path": "bodies.beam.density", "value", "unit", "min", "max", "doc"}]; null where a bound is infinite.
scene::Json scene_numbers(const scene::Scene& scene);

}  // namespace sinew::view

#pragma once
// Describes a live scene to the page: the method and those that could take its place, the inputs, the attachments, and
// the numbers that make sense as sliders: materials, densities, stiffnesses, friction, the options of the method. Shapes
// of meshes, selections, times and what is written are left out.
#include "run/simulation.h"
#include "scene/scene.h"

namespace sinew::view {

// [{"path": "bodies.beam.density", "value", "unit", "min", "max", "doc"}]; null where a bound is infinite.
json::Json scene_numbers(const scene::Scene& scene);

// {"method", "methods", "inputs", "numbers", "attachments", "fps", "frames"}.
json::Json describe_scene(const run::Simulation& simulation);

}  // namespace sinew::view

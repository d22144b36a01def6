#pragma once
// Surfaces of colliders, for pictures.
//
//     Shell shell = shell_of(collider, pose, centre, size);
#include <array>
#include <vector>

#include "model/model.h"

namespace sinew::report {

struct Shell {
  std::vector<model::Vec3d> points;               // [m] in the world
  std::vector<std::array<int32_t, 3>> triangles;  // outward
};

// `pose` takes the frame of the shape to the world. Of a plane, the square of that size [m] around the point of it that is
// closest to the centre.
Shell shell_of(const model::Collider& collider, const model::Pose& pose, const model::Vec3d& centre,
               double size);

}  // namespace sinew::report

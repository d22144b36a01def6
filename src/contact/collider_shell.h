#pragma once
// Surfaces of colliders, for pictures. A shell lies in a frame of its own, the same at all times; its pose takes it to the
// world. Of a plane, which has no end, the shell is a square that stays at the point of it closest to what is looked at.
//
//     Shell shell = shell_of(collider, size);
//     Vec3d p = shell_pose(collider, inputs, centre)(shell.points[0]);
#include <array>
#include <span>
#include <vector>

#include "model/model.h"

namespace sinew::contact {

struct Shell {
  std::vector<model::Vec3d> points;               // [m]
  std::vector<std::array<int32_t, 3>> triangles;  // outward
};

// `size` is the side of the square of a plane [m].
Shell shell_of(const model::Collider& collider, double size);
// The pose of the collider at `inputs`.
model::Pose shell_pose(const model::Collider& collider, std::span<const double> inputs,
                       const model::Vec3d& centre);

}  // namespace sinew::contact

#pragma once
// Borders of sheets that attachments with `clamped` hold: where both ends of a border are on one, it does not turn. Beyond it lies
// a triangle that moves with the attachment. At rest that goes on in the plane of the triangle on this side, or, along a plane,
// at right angles to that plane.
//
//     const std::vector<Beyond> list = beyond_borders(model, borders);
//     if (list[k].pose >= 0) ... x[borders[k].b] + pose_at(inputs, list[k].pose).A * list[k].direction ...
#include <span>
#include <vector>

#include "model/model.h"

namespace sinew::energy {

using math::Vec3d;

// The edge from a to b of the triangle (a, b, corner).
struct Border {
  int32_t a, b, corner;
};

// The corner beyond is the second end of the border and this direction, turned by the pose.
struct Beyond {
  int32_t pose = -1;            // of the attachment; -1: nothing holds the border
  Vec3d direction = {0, 0, 0};  // as long as the border [m]
};

// Of each border. The first attachment that moves it as a whole goes before those that let it slide.
std::vector<Beyond> beyond_borders(const model::Model& model, std::span<const Border> borders);

// The angle at the border at rest (model::hinge_angle) [rad].
double rest_angle(const model::Model& model, const Border& border, const Beyond& beyond);

// The directions now; poses are linear in the inputs, so that a change of these gives theirs.
std::vector<Vec3d> directions(std::span<const Beyond> list, std::span<const double> inputs);

// out += what the forces on corners beyond, of which a pose gives the place, do in the inputs.
void add_input_gradient(const Beyond& beyond, const Vec3d& force, std::span<double> out);

}  // namespace sinew::energy

#pragma once
// Boxes of what there is to see: where a picture is centred and how large things are in it.
//
//     mesh::Bounds box = extent_of(model, x, inputs);   if (grow(box, extent_of(model, x_later, inputs))) tell(box);
#include <span>

#include "mesh/properties.h"
#include "model/model.h"

namespace sinew::view {

// The box of the bodies, and of colliders as far as these are near them. Planes are everywhere and do not count.
mesh::Bounds extent_of(const model::Model& model, std::span<const math::Vec3d> x,
                       std::span<const double> inputs);
mesh::Bounds unite(const mesh::Bounds& a, const mesh::Bounds& b);
bool same(const mesh::Bounds& a, const mesh::Bounds& b);

// If `now` is outside of the box, the box grows beyond it, so that a moving body does not change it at every frame.
// Returns whether it has grown.
bool grow(mesh::Bounds& box, const mesh::Bounds& now);

}  // namespace sinew::view

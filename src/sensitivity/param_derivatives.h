#pragma once
// How the gradient g of the energy changes with the parameters of a model, at fixed positions x:
//     change:    out_i += (dg/dp) dp                at every node [N]
//     gradient:  out_p += direction . dg/dp         for every element and link
// A change may be empty (none), one number for all, or one for each element; a gradient is always of each element.
#include <span>

#include "energy/plate_bending.h"
#include "model/model.h"

namespace sinew::sensitivity {

using math::Vec3d;

// Fields of the laws: the sum over points of V dP/dp : grad, dP/dp by differences of sixth order (field_step.h). Switches
// have no derivative, and get 0. The gradient is that of each of many directions, which share the differences.
void add_material_change(const model::Model& model, const model::Params& at, std::span<const Vec3d> x,
                         const model::Params& change, std::span<Vec3d> out);
void add_material_gradient(const model::Model& model, const model::Params& at, std::span<const Vec3d> x,
                           std::span<const std::vector<Vec3d>> directions,
                           std::span<model::Params* const> out);

// The same fields by what they do to the bending of sheets, and rigidities, where these take the place of the material:
// the bendings are linear in the stiffness D of the triangles, dD/dp is by differences of sixth order.
void add_bending_change(const model::Model& model, const model::Params& at,
                        const energy::PlateBending& bending, const energy::View& view,
                        const model::Params& change, std::span<Vec3d> out);
void add_bending_gradient(const model::Model& model, const model::Params& at,
                          const energy::PlateBending& bending, const energy::View& view,
                          std::span<const Vec3d> direction, model::Params& out);

// Densities, by the weight: -(integral of N_a) gravity.
void add_density_change(const model::Model& model, std::span<const double> inputs,
                        const model::Params& change, std::span<Vec3d> out);
void add_density_gradient(const model::Model& model, std::span<const double> inputs,
                          std::span<const Vec3d> direction, model::Params& out);

// Stiffness of links.
void add_link_change(const model::Model& model, std::span<const double> inputs, std::span<const Vec3d> x,
                     const model::Params& change, std::span<Vec3d> out);
void add_link_gradient(const model::Model& model, std::span<const double> inputs, std::span<const Vec3d> x,
                       std::span<const Vec3d> direction, model::Params& out);

}  // namespace sinew::sensitivity

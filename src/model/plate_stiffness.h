#pragma once
// How triangles resist bending. A plate of thickness t whose normal turns by B (symmetric 2x2, in the axes of the material
// [1/m]) has the energy k.D k / 2 per area, k = (B_11, B_22, 2 B_12), with D = t^3/12 times the plane tangent of its law
// at rest. Bending is taken to be small against the inverse thickness: D does not change with it.
#include <vector>

#include "model/model.h"

namespace sinew::model {

// D of each triangle of a body [N m]. The thickness is free or fixed as the body says, and laws of several sets add. A rigidity
// in the parameters is what D_11 becomes, the other entries in proportion: for an isotropic law D_11 is the stiffness of a
// cylinder, E t^3 / (12 (1 - nu^2)).
std::vector<math::Mat3d> plate_stiffness(const Model& model, const Params& params, int32_t body);

// k.D k of a unit curvature along a direction in the axes of the material, a unit vector: of a cylinder [N m].
double cylinder_stiffness(const math::Mat3d& D, const math::Vec<double, 2>& along);

// K of each hinge of a body whose energy is K (angle - rest angle)^2 / 2 [N m]. D is that of a cylinder about the edge e,
// the mean of both triangles. Weighted: D |e|^2 / (A_1 + A_2) at rest, which is exact for a cylinder whose straight lines are
// edges of a grid (Grinspun, Hirani, Desbrun, Schroeder: Discrete Shells, 2003, have another constant). Otherwise D
// itself (Chen, Han, Chen, Teran 2023: k_b).
// A hinge at a border has the stiffness that makes half the energy that a hinge to the mirror image of its triangle would have, at twice
// the angle: weighted, D |e|^2 / A, else 2 D.
std::vector<double> hinge_stiffness(const Model& model, const Params& params, int32_t body);
std::vector<double> hinge_stiffness(const Model& model, const Params& params, int32_t body,
                                    std::span<const Hinge> hinges);

// K as the sum of factor k.D k over the two triangles of a hinge; at a border the second one counts for nothing.
struct HingeShare {
  int32_t triangle;  // of the body
  Vec3d k;
  double factor;
};
std::array<HingeShare, 2> hinge_shares(const Model& model, const Body& body, const Hinge& hinge);

}  // namespace sinew::model

#pragma once
// Held nodes follow the inputs u. A rigidly held node is at pose(u) X; one on a plane or a line obeys
//     x = P x + t,   P g = 0        (P the projector onto its free directions, g the force on it)
// so that with u they change by
//     (1 - P) dx = dP x + dt        "motion"
//     P dg = - P dP g               "turning", dP g: what the reaction does when the plane turns
#include <span>

#include "model/dof_map.h"

namespace sinew::sensitivity {

using math::Vec3d;

struct HeldNodes {
  const model::Model& model;
  const model::DofMap& dofs;
  std::span<const double> inputs;
  std::span<const Vec3d> x;  // [m]
  std::span<const Vec3d> g;  // gradient of the energy at x [N]

  // Adds motion and turning for a change of the inputs, at every node.
  void change(std::span<const double> du, std::span<Vec3d> motion, std::span<Vec3d> turning) const;
  // out_j += along_motion . motion_j + along_turning . turning_j, for each input j.
  void gradient(std::span<const Vec3d> along_motion, std::span<const Vec3d> along_turning,
                std::span<double> out) const;
};

}  // namespace sinew::sensitivity

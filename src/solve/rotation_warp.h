#pragma once
// Newton's direction d solves a linear problem, in which whatever turns also grows: a body that should turn by an angle w swells
// by w^2, and one that is nearly incompressible will have none of it. The warp takes the rotations in d for what they are. At
// each quadrature point the gradient G of d in the deformed body has a strain E and a rotation A; the deformation gradient that
// was meant is
//
//     F* = R (I + E) F,   R = I + (A + A^2 / 2) / (1 + |w|^2 / 4)   (Cayley's rotation of the axial vector w of A)
//
// and the positions whose gradients are nearest to F*, by least squares over the volume, are the end of the step. They solve a
// Poisson problem, here by conjugate gradients from x + d, for sheets with the factored Laplacian (after Huang, Tong, Zhou, Bao,
// Desbrun: Interactive Shape Interpolation through Controllable Dynamic Deformation, 2011, who warp the modes of a vibration so).
#include <memory>
#include <span>
#include <vector>

#include "solve/conjugate_gradients.h"
#include "solve/system.h"

namespace sinew::solve {

class RotationWarp {
 public:
  explicit RotationWarp(const System& system);
  ~RotationWarp();

  // Below which a step needs no warp [rad]. What swells by the square of a small angle is far stiffer in a thin sheet than what
  // bends it.
  static double least_angle(const model::Model& model);

  // Takes `trial` from x + d to the end of the warped step; constrained nodes stay. False: nothing turns by much, and it is
  // as it was.
  bool apply(std::span<const Vec3d> x, std::span<const Vec3d> d, std::span<Vec3d> trial);
  // The gradient of d at rest, its root mean square over the volume of those elements of one law where that is largest.
  double mean_gradient(std::span<const Vec3d> d) const;

 private:
  struct Elements;  // of one term
  template <class Shape>
  struct ShapedElements;
  struct Factor;

  void factor(const model::Model& model);
  void precondition(std::span<const Vec3d> r, std::span<Vec3d> z) const;

  const model::DofMap& dofs_;
  double least_angle_, tolerance_;
  std::vector<std::unique_ptr<Elements>> elements_;
  std::vector<double> diagonal_;    // of the Laplacian, by node
  std::unique_ptr<Factor> factor_;  // of that of sheets
  ConjugateGradients gradients_;
  std::vector<Vec3d> nodes_, out_, rhs_, q_;
};

}  // namespace sinew::solve

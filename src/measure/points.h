#pragma once
// Shared by the quantities: deformation gradients and quadrature points of a body's elements, sites, and the part
// of the nodal forces that each attachment takes.
#include <array>

#include "measure/quantity.h"

namespace sinew::measure {

using math::Mat3d;
using math::Vec3d;

// F of one element at the positions x, at its centre. That of a triangle takes its normal at rest to its normal, so that its
// determinant is the ratio of the areas, and turns its rest frame: that in space, or where the rest shape is a flat pattern, the
// frame in space that is nearest to it.
Mat3d deformation_gradient(const model::Model& model, std::span<const Vec3d> x, int32_t element);

// The largest and the smallest principal stretch of an element at its centre, of a triangle in its plane.
std::array<double, 2> extreme_stretches(const model::Model& model, std::span<const Vec3d> x, int32_t element);
// One of them, 0 or 1, for each element of a body.
template <int which>
void put_stretches(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Range elements = snapshot.model().bodies[body].elements;
  for (int32_t e = elements.begin; e < elements.end; ++e)
    out[e - elements.begin] = extreme_stretches(snapshot.model(), snapshot.state().x(), e)[which];
}

// F at the points where an element's energy is taken: one, or four in a tet of second order.
struct ElementPoints {
  int count = 0;
  Mat3d F[4];
  double weight[4] = {};  // rest volume of the material of each [m^3]

  ElementPoints() = default;
  ElementPoints(const model::Model& model, std::span<const Vec3d> x, int32_t element);
  // Of the material [m^3].
  double rest_volume() const;
  double volume() const;  // negative where the tet is inverted
  double min_det_F() const;
};

// Per element of a body, added up over the sets that it belongs to. The energy of triangles is that of their stretching.
struct PointValues {
  std::vector<double> psi;  // [J/m^3]
  std::vector<Mat3d> P;     // first Piola stress [Pa]; of a triangle in the axes of its material, none across
  std::vector<Mat3d> cauchy;      // P F^T / J [Pa]; not a number where det F = 0
  std::vector<double> thickness;  // of triangles: how much thicker than at rest
};
PointValues point_values(const Snapshot& snapshot, int body);

// The volume of the material of a body [m^3], at rest and now: inverted tets count negative, triangles by their thickness.
std::array<double, 2> rest_and_current_volume(const Snapshot& snapshot, int body);

// The mean over each element of a body of the Cauchy stress [Pa].
std::vector<Mat3d> cauchy_stress(const Snapshot& snapshot, int body);

// The force that an attachment exerts on each of its nodes [N]. A rigidly held node belongs to the first
// attachment that holds it so; where planes and lines meet, the force is split along their held directions.
std::vector<Vec3d> reactions(const Snapshot& snapshot, int attachment);

// (xx yy zz xy yz zx) of a symmetric matrix.
void put_symmetric(const Mat3d& m, double* out);
inline void put_vector(const Vec3d& v, double* out) {
  for (int k = 0; k < 3; ++k) out[k] = v[k];
}

}  // namespace sinew::measure

#pragma once
// Shared by the quantities: deformation gradients and quadrature points of a body's tets, sites, and the part
// of the nodal forces that each attachment takes.
#include "measure/quantity.h"

namespace sinew::measure {

using math::Mat3d;
using math::Vec3d;

// F of one tet at the positions x, at its centre.
Mat3d deformation_gradient(const model::Model& model, std::span<const Vec3d> x, int32_t tet);

// F at the points where a tet's energy is taken: one, or four in a tet of second order.
struct TetPoints {
  int count = 0;
  Mat3d F[4];
  double weight[4] = {};  // rest volume of the material of each [m^3]

  TetPoints() = default;
  TetPoints(const model::Model& model, std::span<const Vec3d> x, int32_t tet);
  // Of the material [m^3].
  double rest_volume() const;
  double volume() const;  // negative where the tet is inverted
  double min_det_F() const;
};

// Per tet of a body, added up over the sets that it belongs to.
struct PointValues {
  std::vector<double> psi;    // [J/m^3]
  std::vector<Mat3d> P;       // first Piola stress [Pa]
  std::vector<Mat3d> cauchy;  // P F^T / J [Pa]; not a number where det F = 0
};
PointValues point_values(const Snapshot& snapshot, int body);

// The mean over each tet of a body of the Cauchy stress [Pa].
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

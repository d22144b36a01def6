#pragma once
// What the bendings of sheets have in common: their energy is linear in the stiffness D of the triangles of one body
// (model/plate_stiffness.h), and so is its gradient in the positions.
#include "energy/term.h"

namespace sinew::energy {

class PlateBending {
 public:
  virtual ~PlateBending() = default;
  virtual int32_t sheet() const = 0;  // the body
  // out += the gradient that the term would have with these D, one for each triangle of the body.
  virtual void add_gradient_with(const View& view, std::span<const Mat3d> D, std::span<Vec3d> out) const = 0;
  // With D changed by dD in triangle t, direction . gradient changes by contract(S, dD): out_t += S.
  virtual void add_stiffness_gradient(const View& view, std::span<const Vec3d> direction,
                                      std::span<Mat3d> out) const = 0;
};

}  // namespace sinew::energy

#pragma once
// The motion that detection searches: positions and inputs before and after.
#include <span>

#include "math/vec.h"

namespace sinew::contact {

struct Motion {
  std::span<const math::Vec3d> x0;  // [m]
  std::span<const double> inputs0;
  std::span<const math::Vec3d> x1;
  std::span<const double> inputs1;
  double dt = 0;  // [s]; 0: quasistatic
};

}  // namespace sinew::contact

#pragma once
// Points of stencils in the lanes of packs, for terms whose stencils are no elements (element/block.h). For kernels: it names
// packs.
#include <array>
#include <span>

#include "math/mat.h"
#include "math/pack.h"

namespace sinew::energy {

using math::Mat3d;
using math::Vec3d;

inline constexpr int pack_lanes = math::lanes_of<math::PackD>;

// Lane l of y[a] is x[ids[l][a]].
template <size_t nodes>
void gather_points(std::span<const Vec3d> x, const std::array<int32_t, nodes>* ids,
                   math::Vec3<math::PackD> (&y)[nodes]) {
  alignas(64) double at[3 * nodes][pack_lanes];
  for (int l = 0; l < pack_lanes; ++l)
    for (size_t a = 0; a < nodes; ++a)
      for (int i = 0; i < 3; ++i) at[3 * a + i][l] = x[ids[l][a]][i];
  for (size_t k = 0; k < 3 * nodes; ++k) y[k / 3].v[k % 3] = math::PackD::load(at[k]);
}

// out[ids[l][a]] += y[a] of the first `used` lanes.
template <size_t nodes>
void scatter_points(const math::Vec3<math::PackD> (&y)[nodes], const std::array<int32_t, nodes>* ids,
                    int used, std::span<Vec3d> out) {
  alignas(64) double at[3 * nodes][pack_lanes];
  for (size_t k = 0; k < 3 * nodes; ++k) y[k / 3].v[k % 3].store(at[k]);
  for (int l = 0; l < used; ++l)
    for (size_t a = 0; a < nodes; ++a)
      for (int i = 0; i < 3; ++i) out[ids[l][a]][i] += at[3 * a + i][l];
}

inline Mat3d lane_of(const math::Mat3<math::PackD>& m, int lane) {
  Mat3d r;
  for (int k = 0; k < 9; ++k) r.c[k / 3].v[k % 3] = m.c[k / 3].v[k % 3][lane];
  return r;
}

}  // namespace sinew::energy

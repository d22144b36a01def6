#include "energy/inertia.h"

namespace sinew::energy {

void Inertia::set(std::span<const double> weight, std::span<const Vec3d> target) {
  weight_.assign(weight.begin(), weight.end());
  target_.assign(target.begin(), target.end());
}

void Inertia::assemble(std::span<const int32_t> node_of_block, BlockMatrix& matrix) const {
  if (!active()) return;
  for (int32_t b = 0; b < matrix.rows(); ++b)
    matrix.add(matrix.pattern().diagonal[b], Mat3d::identity() * weight_[node_of_block[b]]);
}

void Inertia::apply(std::span<const Vec3d> d, std::span<Vec3d> out) const {
  for (size_t i = 0; i < weight_.size(); ++i) out[i] += d[i] * weight_[i];
}

void Inertia::diagonal(std::span<Mat3d> blocks) const {
  for (size_t i = 0; i < weight_.size(); ++i) blocks[i] += Mat3d::identity() * weight_[i];
}

}  // namespace sinew::energy

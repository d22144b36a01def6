#pragma once
// Inertia of an implicit time step, lumped at the nodes: sum_i w_i/2 |x_i - y_i|^2. With the mass m_i and a step of h,
// w_i = m_i/h^2 and y_i is where the node would go without a force; mass-proportional Rayleigh damping is quadratic as well
// and adds to both. Its gradient at the end of the step is m_i a_i.
//
//     inertia.set(weight, target);   energy += inertia.add(i, x[i], gradient[i]);
#include <span>
#include <vector>

#include "energy/block_matrix.h"

namespace sinew::energy {

class Inertia {
 public:
  // Weights w [kg/s^2] and targets y [m] of all nodes; empty spans: none.
  void set(std::span<const double> weight, std::span<const Vec3d> target);
  bool active() const { return !weight_.empty(); }
  std::span<const double> weight() const { return weight_; }
  std::span<const Vec3d> target() const { return target_; }

  // The energy [J] of node i at x. Adds its gradient.
  double add(size_t i, const Vec3d& x, Vec3d& gradient) const {
    const Vec3d d = x - target_[i];
    gradient += d * weight_[i];
    return 0.5 * weight_[i] * norm2(d);
  }
  // Adds the second derivatives, w_i on the diagonal: to a matrix over the blocks of these nodes, to a product, to blocks.
  void assemble(std::span<const int32_t> node_of_block, BlockMatrix& matrix) const;
  void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const;
  void diagonal(std::span<Mat3d> blocks) const;

 private:
  std::vector<double> weight_;
  std::vector<Vec3d> target_;
};

}  // namespace sinew::energy

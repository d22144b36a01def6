#pragma once
// Second derivatives over the unknowns of a System whose DofMap carries nodes,
//     A^T K A + C,
// K over the nodes, A(x) the rows of the DofMap, C the geometric stiffness of its rigid frames, projected where K is.
// Products go around the node matrix; only what factors needs the matrix itself.
//
//     reduction.linearise(system, x, hessian);
//     reduction.apply(q, out, [&](std::span<const Vec3d> d, std::span<Vec3d> Kd) { system.apply(d, Kd); });
#include <span>
#include <vector>

#include "solve/system.h"

namespace sinew::solve {

class Reduction {
 public:
  void linearise(const System& system, std::span<const Vec3d> x, Hessian hessian);

  // out = (A^T K A + C) q, with the product Kd = K d at all nodes by nodal(d, Kd).
  template <class Nodal>
  void apply(std::span<const Vec3d> q, std::span<Vec3d> out, const Nodal& nodal) {
    dofs_->push(x_, q, d_);
    nodal(std::span<const Vec3d>(d_), std::span(Kd_));
    dofs_->pull(x_, Kd_, out);
    for (size_t f = 0; f < curvature_.size(); ++f) out[rotation(f)] += curvature_[f] * q[rotation(f)];
  }

  // Of the whole matrix, or of its diagonal: the block of each node, and two by two blocks of each frame.
  energy::BlockPattern pattern(const energy::BlockPattern& nodes) const;
  energy::BlockPattern diagonal_pattern() const;
  // The blocks that `reduced` has, from K in block rows. Held directions get a unit diagonal of the matrix's own scale.
  void assemble(const energy::BlockMatrix& K, energy::BlockMatrix& reduced) const;

  int64_t bytes() const { return static_cast<int64_t>((x_.size() + d_.size() + Kd_.size()) * sizeof(Vec3d)); }

 private:
  int32_t rotation(size_t frame) const { return dofs_->own_count() + 2 * static_cast<int32_t>(frame) + 1; }

  const model::DofMap* dofs_ = nullptr;
  std::vector<Vec3d> x_, d_, Kd_;
  std::vector<Mat3d> curvature_;  // of each frame
};

// The assembled second derivatives over the unknowns, in double precision: for solvers that factor. Without carried nodes
// this is the node matrix itself.
class ReducedMatrix {
 public:
  const energy::BlockMatrix& assemble(const System& system, std::span<const Vec3d> x, Hessian hessian);
  int64_t bytes() const { return nodes_.bytes() + (reduces_ ? reduced_.bytes() + reduction_.bytes() : 0); }

 private:
  bool ready_ = false, reduces_ = false;
  energy::BlockMatrix nodes_, reduced_;
  Reduction reduction_;
};

}  // namespace sinew::solve

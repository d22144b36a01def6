#pragma once
// Nonlinear Gauss-Seidel: node by node, one Newton step on the node's three unknowns with all others held (Chen, Han,
// Chen, Teran: Position-Based Nonlinear Gauss-Seidel for Quasistatic Hyperelasticity, 2023). Blocks of nodes of one colour
// run on all threads, in the lanes of packs; colours follow each other. Where a block does not bound the energy from above
// (energy::Term::node_majorant) the step is at most as long as the longest edge at rest, and is shortened until the force
// along it has not turned and grown and, where the force is not linear along it, the energy of the node falls: from any
// configuration no sweep raises the energy. Terms that cannot be visited node by node are taken at the start of the sweep,
// loads that do not depend on x once.
//
//     NodeSweeps<PackD> sweeps(system, false);
//     sweeps.start(x);
//     for (int k = 0; k < 20; ++k) sweeps.sweep();
//     sweeps.positions(x);
#include <memory>
#include <span>
#include <vector>

#include "energy/node_blocks.h"
#include "solve/system.h"

namespace sinew::solve {

template <class T>
class NodeSweeps {
 public:
  using Scalar = math::ScalarOf<T>;

  // `modified`: with the blocks of the paper's modified Hessian for every law. `colours`: of each node, such that nodes
  // that share a stencil differ; empty: greedy ones.
  NodeSweeps(System& system, bool modified, std::vector<int32_t> colours = {});

  // From x, whose held nodes are in place, with the system's parameters, inputs and inertia of now.
  void start(std::span<const Vec3d> x);
  // From another x, all else as at the last start.
  void move_to(std::span<const Vec3d> x);
  // One pass over all free nodes; each moves by `relaxation` times its step. Returns the norm of the forces met [N].
  double sweep(double relaxation = 1);
  void positions(std::span<Vec3d> x) const;
  // Four numbers a node, the last one 0.
  std::vector<Scalar>& coordinates() { return x_; }

  // Blocks are larger than second derivatives: with the modified Hessian, or by Term::node_loose. After the first start.
  bool loose() const { return loose_; }
  int64_t colours() const { return blocks_.colours(); }
  int64_t bytes() const;  // that a sweep reads

 private:
  // What does not change in a block during a sweep.
  struct Fixed {
    math::Vec3<T> load, target;
    T weight;
  };

  void build();
  void guard(const energy::Term& term);
  void fix();
  double visit(int64_t block, double relaxation);
  void start_damping();
  // Force, block and energy of stiffness damping at the nodes of a block, were they at x0.
  T add_damping(int64_t block, const math::Vec3<T>& x0, material::NodeSums<T>& sums) const;
  // Without the held directions of the force.
  material::NodeSums<T> sums_at(int64_t block, const math::Vec3<T>& x0) const;
  T energy_at(int64_t block, const math::Vec3<T>& x0) const;
  math::Vec3<T> newton_step(int64_t block, const material::NodeSums<T>& sums) const;
  void shorten(int64_t block, const math::Vec3<T>& x0, const math::Vec3<T>& gradient, double relaxation,
               math::Vec3<T>& step) const;

  System& system_;
  bool modified_;
  bool loose_ = false;
  int64_t built_for_ = -1;  // version of the system's parameters
  std::vector<int32_t> colour_, work_;
  energy::NodeBlocks blocks_;
  std::vector<energy::NodeVisitorPointer<T>> visitors_;
  std::vector<const energy::Term*> loads_, frozen_terms_;
  std::vector<Scalar> x_;
  std::vector<Vec3d> load_, frozen_, full_;
  std::vector<Fixed> fixed_;      // of each block
  std::vector<int32_t> partial_;  // of each block: place in projector_, or -1
  std::vector<math::Mat3<T>> projector_;
  std::vector<int8_t> guarded_;  // of each block: some node's block is not a majorant
  std::vector<T> reach_;         // of each block: the longest step [m]
  energy::BlockMatrix damping_;  // where the system is damped
  std::vector<double> met_;      // of each block: sum of |force|^2
};

}  // namespace sinew::solve

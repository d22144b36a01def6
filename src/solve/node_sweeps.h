#pragma once
// Nonlinear Gauss-Seidel: node by node, one Newton step on the node's three unknowns with all others held (Chen, Han,
// Chen, Teran: Position-Based Nonlinear Gauss-Seidel for Quasistatic Hyperelasticity, 2023). Blocks of nodes of one colour
// run on all threads, in the lanes of packs; colours follow each other. Where a block does not bound the energy from above
// (energy::NodeLocal::majorant) the step is at most as long as the longest edge at rest, and is shortened until the force
// along it has not turned and grown and, where the force is not linear along it, the energy of the node falls: from any
// configuration no sweep raises the energy. Of a sheet the energy is asked at every step: where a triangle loses its area
// stretches have kinks and angles jump, of which the forces at the two ends of a step know nothing. Nodes whose colour the
// contacts of a step forbid move after all others, in colours of their own. Terms that cannot be visited node by node are
// taken at the start of the sweep, loads that do not depend on x once.
//
//     NodeSweeps<PackD> sweeps(system, false);
//     sweeps.start(x);
//     for (int k = 0; k < 20; ++k) sweeps.sweep();
//     sweeps.positions(x);
#include <memory>
#include <span>
#include <vector>

#include "energy/node_local.h"
#include "solve/system.h"

namespace sinew::solve {

template <class T>
class NodeSweeps {
 public:
  using Scalar = math::ScalarOf<T>;

  // `modified`: with the blocks of the paper's modified Hessian for every law. `colours`: of each node, such that nodes
  // that share a stencil differ; empty: greedy ones.
  NodeSweeps(System& system, bool modified, std::vector<int32_t> colours = {});

  // Marks the nodes that are kept outside of planes from the next start on: all those to clamp, and those that x has behind one.
  void mark(std::span<const Vec3d> x);
  // From x, whose held nodes are in place, with the system's parameters, inputs and inertia of now.
  void start(std::span<const Vec3d> x);
  // From another x, all else as at the last start.
  void move_to(std::span<const Vec3d> x);
  // One pass over all free nodes; each moves by `relaxation` times its step. Returns the norm of the forces met [N].
  double sweep(double relaxation = 1);
  // Passes over the blocks of these nodes and of those that share a stencil with them.
  void sweep_around(std::span<const int32_t> nodes, int passes);
  // Out of the planes that nodes are kept outside of; sweeps keep them so, what extrapolates between sweeps may not.
  void project();
  void positions(std::span<Vec3d> x) const;
  // Four numbers a node, the last one 0.
  std::vector<Scalar>& coordinates() { return x_; }

  // Blocks are larger than second derivatives: with the modified Hessian, or by NodeLocal::overestimates.
  bool overestimates() const { return overestimates_; }
  int64_t visitors_made() const { return visitors_made_; }         // so far, without those of contacts
  double colouring_seconds() const { return colouring_seconds_; }  // in all, for contacts; for reports only

  int64_t colours() const { return groups_[0].blocks.colours() + groups_[1].blocks.colours(); }
  int64_t bytes() const;  // that a sweep reads

 private:
  // The data of a block that do not change during a sweep.
  struct Fixed {
    math::Vec3<T> load, target;
    T weight;
  };
  // A term that can be visited.
  struct Local {
    const energy::Term* term;
    const energy::NodeLocal* nodes;
  };
  // Blocks of nodes, with all that a visit reads.
  struct Group {
    energy::NodeBlocks blocks;
    std::vector<energy::NodeVisitorPointer<T>> visitors, changing;  // of lasting_ and of driven_
    std::vector<int64_t> versions;                                  // of the parameters of each visitor
    std::vector<Fixed> fixed;                                       // of each block
    std::vector<int32_t> partial;  // of each block: place in projector, or -1
    std::vector<math::Mat3<T>> projector;
    std::vector<int8_t> guarded;       // of each block: some node's block is not a majorant
    std::vector<T> sheet;              // of each block: 1 where a node is one of triangles
    std::vector<T> reach;              // of each block: the longest step [m]
    std::vector<uint32_t> skip;        // of each block: lanes whose nodes another group moves
    std::vector<int64_t> plane_begin;  // of the planes of each block, and the end; empty: there are none
    std::vector<std::pair<int32_t, System::Plane>> planes;  // with their lanes
    std::vector<double> met;                                // of each block: sum of |force|^2
  };

  void sort_terms();
  void build(Group& group);
  void bind(Group& group);
  void build_contacts();
  void hold(Group& group);
  void put_planes(Group& group);
  static void keep_outside(const Group& group, int64_t block, const math::Vec3<T>& x0,
                           const material::NodeSums<T>& sums, math::Vec3<T>& step);
  static Mat3d lane_block(const Group& group, int64_t block, const material::NodeSums<T>& sums, int lane);
  void guard(Group& group, const energy::Term& term);
  void fix();
  double visit(Group& group, int64_t block, double relaxation);
  void start_damping();
  // Force, block and energy of stiffness damping at the nodes of a block, were they at x0.
  T add_damping(const Group& group, int64_t block, const math::Vec3<T>& x0,
                material::NodeSums<T>& sums) const;
  // Without the held directions of the force.
  material::NodeSums<T> sums_at(const Group& group, int64_t block, const math::Vec3<T>& x0) const;
  T energy_at(const Group& group, int64_t block, const math::Vec3<T>& x0) const;
  math::Vec3<T> newton_step(const Group& group, int64_t block, const material::NodeSums<T>& sums) const;
  void shorten(const Group& group, int64_t block, const math::Vec3<T>& x0, const math::Vec3<T>& gradient,
               double relaxation, math::Vec3<T>& step) const;

  System& system_;
  bool modified_;
  bool overestimates_ = false;
  int64_t bound_to_ = -1, contacts_ = 0;  // versions of the system's parameters and contacts
  int64_t visitors_made_ = 0;
  std::vector<int32_t> work_;
  std::vector<double> longest_edge_;              // of each node, at rest [m]
  std::unique_ptr<energy::NodeColours> colours_;  // kept where contacts come and go
  std::vector<int64_t> place_;           // of each node, in the blocks of groups_[0]; -1: held. Likewise.
  Group groups_[2];                      // the second: what cannot keep its colour for the contacts of now
  std::vector<Local> lasting_, driven_;  // the latter by contacts
  std::vector<const energy::Term*> loads_, frozen_terms_;
  std::vector<System::Plane>
      planes_;  // by node: those to clamp at, and those that a node was behind at the start
  std::vector<Scalar> x_;
  std::vector<Vec3d> load_, frozen_, full_;
  energy::BlockMatrix damping_;  // where the system is damped
  double colouring_seconds_ = 0;
};

}  // namespace sinew::solve

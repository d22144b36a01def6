#pragma once
// DofMap: the degrees of freedom. Node positions depend on blocks q of three unknowns each,
//     dx_i = sum_k A_ik dq_k        with 3x3 coefficients A,
//
//     free            {1}           plane or line   {P}, the projector onto the free directions
//     rigidly held    {}            bound           {w_k 1}, the rows of its parents, weighted (model/bindings.h)
//     rigid frame     {1, -[r]/L}, translation and L times rotation (model/rigid_frames.h); depends on x
//
// Nodes that are not rigidly held are rows of the node matrix, in an order that keeps neighbours close (block_of_node):
// terms, patterns and assembly know nothing else. Unknowns belong to those of them that are not carried, in the same order,
// and then to the frames; without carried nodes both numberings are one. Linear solvers go around the node matrix,
// A^T K A q = pull(K push(q)), so that no pattern changes when bodies form.
//
//     d = push(x, q)   g_q = pull(x, g)   advance(x, d, alpha, out)   retract(x), onto the constraints of set_targets
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "math/mat.h"
#include "model/bindings.h"
#include "model/model.h"
#include "model/rigid_frames.h"

namespace sinew::model {

class DofMap {
 public:
  // `order` lists the nodes in the wanted order; empty: by id.
  DofMap(const Model& model, std::span<const int32_t> order = {});

  // Sets the prescribed positions of the constrained nodes at these inputs.
  void set_targets(std::span<const double> inputs);
  // Which nodes are carried from now on. Rigid parts keep the shape that they have at x.
  void set_carried(const Carried& carried, std::span<const Vec3d> x);
  bool carries() const { return own_.size() != node_.size(); }

  // Rows of the node matrix.
  int32_t block_count() const { return static_cast<int32_t>(node_.size()); }
  std::span<const int32_t> block_of_node() const { return block_; }  // -1: rigidly held
  std::span<const int32_t> node_of_block() const { return node_; }

  // Blocks of three unknowns: those of single nodes, then two for each frame.
  int32_t unknown_count() const { return own_count() + 2 * frames_.count(); }
  int32_t own_count() const { return static_cast<int32_t>(own_.size()); }
  std::span<const int32_t> unknown_of_node() const { return unknown_; }  // -1: held or carried
  // The node of an unknown, or the first one of its frame.
  int32_t node_of_unknown(int32_t unknown) const {
    return unknown < own_count() ? own_[unknown] : frames_.nodes((unknown - own_count()) / 2)[0];
  }
  const RigidFrames& frames() const { return frames_; }

  struct Partial {
    int32_t node;
    math::Mat3d P;  // projector onto the free directions
    Vec3d target;   // the held part of the position [m]
  };
  std::span<const Partial> partials() const { return partial_; }
  // The attachments that hold partials()[k], in their order.
  std::span<const int32_t> holders(size_t k) const {
    return std::span(partial_attachment_)
        .subspan(partial_offset_[k], partial_offset_[k + 1] - partial_offset_[k]);
  }
  struct Held {
    int32_t node;
    int32_t attachment;
    Vec3d target;  // [m]
  };
  std::span<const Held> rigid() const { return rigid_; }  // nodes without unknowns
  // The constraint of a node that is held in part; null for all others.
  const Partial* partial_of(int32_t node) const {
    return partial_of_[node] < 0 ? nullptr : &partial_[partial_of_[node]];
  }
  // The part of a vector at a node that its own unknowns leave: what counts in a residual.
  Vec3d free_part(int32_t node, const Vec3d& v) const {
    if (unknown_[node] < 0) return {0, 0, 0};
    return partial_of_[node] < 0 ? v : partial_[partial_of_[node]].P * v;
  }

  // d = A(x) q and q = A(x)^T g.
  void push(std::span<const Vec3d> x, std::span<const Vec3d> q, std::span<Vec3d> d) const;
  void pull(std::span<const Vec3d> x, std::span<const Vec3d> g, std::span<Vec3d> q) const;
  // The same where there are no frames: A is constant.
  void push(std::span<const Vec3d> q, std::span<Vec3d> d) const {
    assert(frames_.count() == 0);
    push({}, q, d);
  }
  void pull(std::span<const Vec3d> g, std::span<Vec3d> q) const {
    assert(frames_.count() == 0);
    pull({}, g, q);
  }
  // out = x + alpha d, for a pushed d or one that moves held nodes as well. Frames turn by the exponential of their
  // rotation, and bound nodes follow their parents. `out` is another array than x.
  void advance(std::span<const Vec3d> x, std::span<const Vec3d> d, double alpha, std::span<Vec3d> out) const;
  void retract(std::span<Vec3d> x) const;
  // Takes each node its share of the way from x0 to x1. Nodes that move together get one share, the least of theirs.
  void part_way(std::span<const Vec3d> x0, std::span<const Vec3d> x1, std::span<double> share,
                std::span<Vec3d> out) const;
  // What the turning of frames adds to the second derivatives, A^T K A, under the gradient g: a block on the diagonal of
  // the second unknown of each frame [N/m].
  std::vector<math::Mat3d> curvature(std::span<const Vec3d> x, std::span<const Vec3d> g) const {
    return frames_.curvature(x, with_bound(g));
  }

  // A(x) itself, by nodes, for products of matrices.
  struct Coefficient {
    int32_t unknown;
    math::Mat3d A;
  };
  struct Rows {
    std::vector<int64_t> begin{0};
    std::vector<Coefficient> entry;
    std::span<const Coefficient> operator[](int32_t node) const {
      return std::span(entry).subspan(begin[node], begin[node + 1] - begin[node]);
    }
  };
  Rows rows(std::span<const Vec3d> x) const;

 private:
  std::span<const Vec3d> with_bound(std::span<const Vec3d> g) const;

  const Model& model_;
  std::vector<int32_t> block_, node_;
  std::vector<int32_t> unknown_, own_;  // of each node, and back
  std::vector<int32_t> partial_of_;     // place of a node in partial_, or -1
  std::vector<Held> rigid_;
  std::vector<Partial> partial_;
  std::vector<int64_t> partial_offset_;  // rows of partial_attachment_
  std::vector<int32_t> partial_attachment_;
  Bindings bindings_;
  RigidFrames frames_;
  mutable std::vector<Vec3d> with_bound_;  // scratch of const calls: a map serves one thread of callers
};

}  // namespace sinew::model

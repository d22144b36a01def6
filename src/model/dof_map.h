#pragma once
// DofMap: which displacements are free. The free nodes are numbered as blocks of three unknowns, in an order
// that keeps neighbours close; rigidly held nodes have none. A node held on a plane or a line keeps its block
// and a projector P onto its free directions; the held directions of its block are dead.
//
//     q = pull(g)      q_b = P g_node                  d = push(q)     d_node = P q_b
//     retract(x)       x_node <- P x_node + target     (onto the constraints, at the last set_targets)
#include <cstdint>
#include <span>
#include <vector>

#include "math/mat.h"
#include "model/model.h"

namespace sinew::model {

class DofMap {
 public:
  // `order` lists the nodes in the wanted order; empty: by id.
  DofMap(const Model& model, std::span<const int32_t> order = {});

  // Where the attachments want their nodes at these inputs.
  void set_targets(std::span<const double> inputs);

  int32_t block_count() const { return static_cast<int32_t>(node_.size()); }
  std::span<const int32_t> block_of_node() const { return block_; }  // -1: no unknowns
  std::span<const int32_t> node_of_block() const { return node_; }

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
  // Of a node that is held in part; null: it is not.
  const Partial* partial_of(int32_t node) const {
    return partial_of_[node] < 0 ? nullptr : &partial_[partial_of_[node]];
  }
  // The part of a vector at a node that its freedoms leave: what counts in a residual.
  Vec3d free_part(int32_t node, const Vec3d& v) const {
    if (block_[node] < 0) return {0, 0, 0};
    return partial_of_[node] < 0 ? v : partial_[partial_of_[node]].P * v;
  }

  void retract(std::span<Vec3d> x) const;
  void pull(std::span<const Vec3d> nodes, std::span<Vec3d> q) const;
  void push(std::span<const Vec3d> q, std::span<Vec3d> nodes) const;

 private:
  const Model& model_;
  std::vector<int32_t> block_, node_;
  std::vector<int32_t> partial_of_;  // place of a node in partial_, or -1
  std::vector<Held> rigid_;
  std::vector<Partial> partial_;
  std::vector<int64_t> partial_offset_;  // rows of partial_attachment_
  std::vector<int32_t> partial_attachment_;
};

}  // namespace sinew::model

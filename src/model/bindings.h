#pragma once
// Bindings: nodes that are weighted sums of other nodes. Chains are followed to parents that are not bound themselves,
// and a parent that is reached twice is there once. The transpose is stored beside the rows, so that sums over the
// children of a node have one order for any number of threads.
#include <span>

#include "math/vec.h"
#include "model/carried.h"

namespace sinew::model {

using math::Vec3d;

class Bindings {
 public:
  Bindings() = default;
  Bindings(std::span<const Binding> bindings, size_t node_count);

  bool empty() const { return bound_.node.empty(); }
  std::span<const int32_t> nodes() const { return bound_.node; }
  // The parents of nodes()[k], ascending.
  std::span<const WeightedNode> parents(size_t k) const { return bound_.of(k); }

  // v_i = sum_k w_k v_k at the bound nodes i.
  void push(std::span<Vec3d> v) const;
  // v_k += sum_i w_i v_i at the parents k, the transpose; bound nodes keep their values.
  void pull(std::span<Vec3d> v) const;
  // No parent gets a larger share than a node that is bound to it.
  void limit(std::span<double> share) const;

 private:
  // Compressed rows of some of the nodes.
  struct Rows {
    std::vector<int32_t> node;
    std::vector<int64_t> begin{0};
    std::vector<WeightedNode> entry;

    void add(int32_t row_node, std::span<const WeightedNode> row);
    std::span<const WeightedNode> of(size_t k) const {
      return std::span(entry).subspan(begin[k], begin[k + 1] - begin[k]);
    }
  };
  Rows bound_, parents_;  // parents of each bound node, children of each parent
};

}  // namespace sinew::model

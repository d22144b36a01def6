#pragma once
// Terms that methods which move one node at a time can visit node by node. For kernels: it names packs.
//
//     const auto visitor = term.visitor(blocks, false, math::PackD{});
//     visitor->add(view, block, x0, sums);     // one virtual call per block of nodes and term
#include <memory>
#include <span>

#include "energy/node_blocks.h"
#include "material/node_tets.h"
#include "math/pack.h"

namespace sinew::energy {

template <class T>
struct NodeView {
  const math::ScalarOf<T>* x;  // four numbers a node [m]
  std::span<const double> inputs;
};

template <class T>
class NodeVisitor {
 public:
  virtual ~NodeVisitor() = default;
  // Adds the term's part at the nodes of the block, were they at x0.
  virtual void add(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0,
                   material::NodeSums<T>& sums) const = 0;
  // The energy [J] of what touches the nodes of the block, were they at x0.
  virtual T energy(const NodeView<T>& view, int64_t block, const math::Vec3<T>& x0) const = 0;
  virtual int64_t bytes() const = 0;  // that a sweep reads
};

template <class T>
using NodeVisitorPointer = std::unique_ptr<NodeVisitor<T>>;

class NodeLocal {
 public:
  virtual ~NodeLocal() = default;
  // A visitor keeps the parameters of this moment; the term must outlive it. `modified`: with the blocks of the modified
  // Hessian.
  virtual NodeVisitorPointer<math::PackD> visitor(const NodeBlocks& blocks, bool modified,
                                                  math::PackD) const = 0;
  virtual NodeVisitorPointer<math::PackF> visitor(const NodeBlocks& blocks, bool modified,
                                                  math::PackF) const = 0;
  // The energy of a node's move is bounded from above by the block that the visitor gives.
  virtual bool majorant() const { return true; }
  // That block is larger than the second derivative, at rest too: steps are short.
  virtual bool overestimates() const { return false; }
};

}  // namespace sinew::energy

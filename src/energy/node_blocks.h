#pragma once
// Nodes in blocks of as many as a pack has lanes, for methods that move one node at a time. The nodes of one colour share
// no stencil, so the blocks of a colour may move at the same time, and the bits do not depend on the number of threads. Terms
// that can be visited node by node: energy/node_local.h.
#include <memory>
#include <span>
#include <vector>

#include "energy/block_matrix.h"
#include "mesh/adjacency.h"

namespace sinew::energy {

// The stencils around each node. The lists of stencils must outlive it.
class NodeStencils {
 public:
  NodeStencils(std::vector<Stencils> lists, int64_t node_count);

  int64_t node_count() const { return around_.rows(); }
  // Of all lists; one that names the node twice counts twice.
  int32_t count(int32_t node) const { return static_cast<int32_t>(around_.row(node).size()); }
  // Appends the numbers, in one of the lists, of the stencils around a node, ascending.
  void append(const Stencils& list, int32_t node, std::vector<int32_t>& numbers) const;
  // visit(node) for all nodes of the stencils around one, itself included.
  template <class F>
  void for_each_neighbour(int32_t node, F&& visit) const;

 private:
  std::vector<Stencils> lists_;
  std::vector<int32_t> first_;  // number of the first stencil of each list, counted through all, and the end
  mesh::Csr around_;            // such numbers, ascending
};

// Greedy colours in the order of the node ids, lowest free colour first: nodes that share a stencil differ. The stencils
// must outlive it.
class NodeColours {
 public:
  explicit NodeColours(const NodeStencils& stencils);
  const std::vector<int32_t>& colours() const { return colour_; }

  // Colours with more stencils, a pure function of these. In the order of ids, a node keeps its colour unless a lower one
  // that keeps it shares an added stencil; the others get new colours, lowest free first, that come after all old ones.
  struct Moved {
    std::vector<int32_t> nodes;    // ascending
    std::vector<int32_t> colours;  // of each, from 0 on
  };
  Moved with(const Stencils& added) const;

 private:
  const NodeStencils* stencils_;
  std::vector<int32_t> colour_;
};
std::vector<int32_t> colour_nodes(std::span<const Stencils> stencils, int64_t node_count);

struct NodeBlocks {
  int lanes = 0;
  std::vector<int32_t>
      nodes;                 // `lanes` of each block; free places at the end of a colour repeat the last node
  std::vector<int8_t> used;  // lanes of each block that count
  std::vector<int64_t> colour_begin;             // of the blocks of each colour, and the end
  std::shared_ptr<const NodeStencils> stencils;  // of all terms whose stencils last
  bool lasting = true;                           // for more than a step: worth some time for compression

  int64_t count() const { return static_cast<int64_t>(used.size()); }
  int64_t colours() const { return static_cast<int64_t>(colour_begin.size()) - 1; }
  std::span<const int32_t> of(int64_t block) const { return std::span(nodes).subspan(block * lanes, lanes); }
};

// The free nodes that have work: the number of their stencils. Inside a colour, nodes with more work come first, so that
// the lanes of a block have equal work, and nodes with equal work by id.
NodeBlocks make_node_blocks(std::span<const int32_t> colours, std::span<const int32_t> work,
                            std::span<const int32_t> block_of_node, int lanes,
                            std::shared_ptr<const NodeStencils> stencils);
// Some of the nodes of `all`, for a short time, in these colours.
NodeBlocks make_node_blocks(std::span<const int32_t> nodes, std::span<const int32_t> colours,
                            std::span<const int32_t> work, const NodeBlocks& all);

template <class F>
void NodeStencils::for_each_neighbour(int32_t node, F&& visit) const {
  size_t list = 0;
  for (int32_t number : around_.row(node)) {
    while (number >= first_[list + 1]) ++list;
    const auto width = static_cast<size_t>(lists_[list].width);
    for (int32_t other : lists_[list].nodes.subspan((number - first_[list]) * width, width))
      if (other >= 0) visit(other);
  }
}

}  // namespace sinew::energy

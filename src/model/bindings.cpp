#include "model/bindings.h"

#include <algorithm>

#include "base/parallel.h"

namespace sinew::model {

namespace {

constexpr int64_t row_block = 1024;

// Sorts by node and adds up the weights of equal ones.
void merge(std::vector<WeightedNode>& list) {
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
  size_t count = 0;
  for (const WeightedNode& entry : list) {
    if (count > 0 && list[count - 1].node == entry.node)
      list[count - 1].weight += entry.weight;
    else
      list[count++] = entry;
  }
  list.resize(count);
}

// The parents of each binding, with those that are bound themselves replaced by their own parents.
class Flattened {
 public:
  Flattened(std::span<const Binding> bindings, size_t node_count)
      : bindings_(bindings), binding_of_(node_count, -1), parents_(bindings.size()) {
    for (size_t b = 0; b < bindings.size(); ++b) binding_of_[bindings[b].node] = static_cast<int32_t>(b);
  }

  const std::vector<WeightedNode>& parents(size_t b) {
    std::vector<WeightedNode>& list = parents_[b];
    if (!list.empty()) return list;
    for (const WeightedNode& parent : bindings_[b].parents) {
      if (binding_of_[parent.node] < 0) {
        list.push_back(parent);
        continue;
      }
      for (const WeightedNode& beyond : parents(binding_of_[parent.node]))
        list.push_back({beyond.node, parent.weight * beyond.weight});
    }
    merge(list);
    return list;
  }

 private:
  std::span<const Binding> bindings_;
  std::vector<int32_t> binding_of_;  // of each node, or -1
  std::vector<std::vector<WeightedNode>> parents_;
};

}  // namespace

void Bindings::Rows::add(int32_t row_node, std::span<const WeightedNode> row) {
  node.push_back(row_node);
  entry.insert(entry.end(), row.begin(), row.end());
  begin.push_back(static_cast<int64_t>(entry.size()));
}

Bindings::Bindings(std::span<const Binding> bindings, size_t node_count) {
  Flattened flattened(bindings, node_count);
  std::vector<std::vector<WeightedNode>> children(bindings.empty() ? 0 : node_count);
  for (size_t b = 0; b < bindings.size(); ++b) {
    bound_.add(bindings[b].node, flattened.parents(b));
    for (const WeightedNode& parent : flattened.parents(b))
      children[parent.node].push_back({bindings[b].node, parent.weight});
  }
  for (size_t node = 0; node < children.size(); ++node)
    if (!children[node].empty()) parents_.add(static_cast<int32_t>(node), children[node]);
}

void Bindings::push(std::span<Vec3d> v) const {
  for_each_block(static_cast<int64_t>(bound_.node.size()), row_block, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      Vec3d sum = {0, 0, 0};
      for (const WeightedNode& parent : bound_.of(k)) sum += v[parent.node] * parent.weight;
      v[bound_.node[k]] = sum;
    }
  });
}

void Bindings::pull(std::span<Vec3d> v) const {
  for_each_block(static_cast<int64_t>(parents_.node.size()), row_block, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k)
      for (const WeightedNode& child : parents_.of(k)) v[parents_.node[k]] += v[child.node] * child.weight;
  });
}

void Bindings::limit(std::span<double> share) const {
  for (size_t k = 0; k < parents_.node.size(); ++k)
    for (const WeightedNode& child : parents_.of(k))
      share[parents_.node[k]] = std::min(share[parents_.node[k]], share[child.node]);
}

}  // namespace sinew::model

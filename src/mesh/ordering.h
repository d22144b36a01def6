#pragma once
// Orders that bring neighbours close together in memory. An order lists old ids by new place:
// order[new] = old. Ties go to the lower id, so the result depends on the mesh alone.
// Reverse Cuthill-McKee: Cuthill and McKee, "Reducing the bandwidth of sparse symmetric matrices",
// 1969; start nodes: George and Liu, "An implementation of a pseudoperipheral node finder", 1979.
//
//     auto order = reverse_cuthill_mckee(node_nodes(mesh.elements, node_count));
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "mesh/adjacency.h"

namespace sinew::mesh {

std::vector<int32_t> reverse_cuthill_mckee(const Csr& graph);

// place[old] = new.
std::vector<int32_t> inverse_order(std::span<const int32_t> order);

// max |place(i) - place(j)| over the edges of the graph.
int32_t bandwidth(const Csr& graph, std::span<const int32_t> order);

// Elements by their lowest node, then the next lowest, then their id. `place` gives each node's place
// in an order; empty: its id.
template <int corners>
std::vector<int32_t> element_order(std::span<const std::array<int32_t, corners>> elements,
                                   std::span<const int32_t> place = {}) {
  std::vector<std::array<int32_t, corners>> keys(elements.begin(), elements.end());
  for (auto& key : keys) {
    if (!place.empty())
      for (int32_t& node : key) node = place[node];
    std::sort(key.begin(), key.end());
  }
  std::vector<int32_t> order(elements.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
  return order;
}

}  // namespace sinew::mesh

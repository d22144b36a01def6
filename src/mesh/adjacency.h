#pragma once
// Who touches whom: node -> elements and node -> nodes, as compressed rows (Csr), for elements with any
// number of nodes. Rows are ascending; both are built by counting, in time linear in the incidences
// (plus the sort of each short row).
//
//     Csr around = node_elements(mesh.elements, mesh.vertices.size());
//     for (int32_t tet : around.row(node)) ...
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::mesh {

struct Csr {
  std::vector<int64_t> offset{0};  // row i is index[offset[i]] .. index[offset[i + 1]]
  std::vector<int32_t> index;

  int64_t rows() const { return static_cast<int64_t>(offset.size()) - 1; }
  std::span<const int32_t> row(int64_t i) const {
    return {index.data() + offset[i], static_cast<size_t>(offset[i + 1] - offset[i])};
  }
};

// `Elements` has size() and elements[e], a range of node ids.
template <class Elements>
Csr node_elements(const Elements& elements, int64_t node_count) {
  Csr csr;
  csr.offset.assign(node_count + 1, 0);
  for (size_t e = 0; e < elements.size(); ++e)
    for (int32_t node : elements[e]) ++csr.offset[node + 1];
  for (int64_t i = 0; i < node_count; ++i) csr.offset[i + 1] += csr.offset[i];
  csr.index.resize(csr.offset[node_count]);
  std::vector<int64_t> next(csr.offset.begin(), csr.offset.end() - 1);
  for (size_t e = 0; e < elements.size(); ++e)
    for (int32_t node : elements[e]) csr.index[next[node]++] = static_cast<int32_t>(e);
  return csr;
}

// Nodes that share an element with a node, without the node itself.
template <class Elements>
Csr node_nodes(const Elements& elements, int64_t node_count) {
  const Csr around = node_elements(elements, node_count);
  Csr csr;
  csr.offset.assign(node_count + 1, 0);
  std::vector<int32_t> row;
  for (int64_t i = 0; i < node_count; ++i) {
    row.clear();
    for (int32_t e : around.row(i))
      for (int32_t node : elements[e])
        if (node != i) row.push_back(node);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    csr.index.insert(csr.index.end(), row.begin(), row.end());
    csr.offset[i + 1] = static_cast<int64_t>(csr.index.size());
  }
  return csr;
}

}  // namespace sinew::mesh

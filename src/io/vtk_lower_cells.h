#pragma once
// Cells of lower dimension than a mesh's own, such as the triangles on the boundary of tets: both VTK readers
// leave them out, and such a cell gives its groups to its vertices.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace sinew::io {

class VtkLowerCells {
 public:
  template <class Id>
  void add(int64_t cell, std::span<const Id> nodes) {
    cells_.push_back(cell);
    nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
    ends_.push_back(static_cast<int64_t>(nodes_.size()));
  }
  const std::vector<int64_t>& cells() const { return cells_; }  // in the order they were added

  // The vertices of `members` (places in cells()) join the vertex group `name`. A group of such cells alone is
  // a vertex group and no element group. False: more vertices than the budget allows.
  bool give_group(const std::string& name, std::span<const int32_t> members, mesh::Groups& vertex_groups,
                  mesh::Groups& element_groups, int64_t& budget) const;

 private:
  std::vector<int64_t> cells_, ends_;  // ends_[i]: behind the last node of cell i
  std::vector<int32_t> nodes_;
};

}  // namespace sinew::io

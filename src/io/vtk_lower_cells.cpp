#include "io/vtk_lower_cells.h"

#include <algorithm>

namespace sinew::io {

bool VtkLowerCells::give_group(const std::string& name, std::span<const int32_t> members,
                               mesh::Groups& vertex_groups, mesh::Groups& element_groups,
                               int64_t& budget) const {
  if (members.empty()) return true;
  auto& group = vertex_groups[name];
  for (int32_t i : members) {
    const int64_t first = i ? ends_[i - 1] : 0;
    budget -= ends_[i] - first;
    if (budget < 0) return false;
    group.insert(group.end(), nodes_.begin() + first, nodes_.begin() + ends_[i]);
  }
  std::sort(group.begin(), group.end());
  group.erase(std::unique(group.begin(), group.end()), group.end());
  if (const auto own = element_groups.find(name); own != element_groups.end() && own->second.empty())
    element_groups.erase(own);
  return true;
}

}  // namespace sinew::io

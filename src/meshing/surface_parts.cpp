#include "meshing/surface_parts.h"

#include <algorithm>

#include "mesh/disjoint_sets.h"

namespace sinew::meshing {

void leave_out_parts(mesh::TriMesh& surface, std::span<const int32_t> points) {
  mesh::DisjointSets<> parts(static_cast<int64_t>(surface.vertices.size()));
  for (const auto& t : surface.elements)
    for (int k = 1; k < 3; ++k) parts.join(t[0], t[k]);
  std::vector<char> out(surface.vertices.size(), 0);
  for (const int32_t p : points) out[parts.find(p)] = 1;

  std::vector<int32_t> place(surface.elements.size(), -1);
  int32_t kept = 0;
  for (size_t t = 0; t < place.size(); ++t)
    if (!out[parts.find(surface.elements[t][0])]) place[t] = kept++;
  const auto keep = [&](auto& values, int width) {
    for (size_t t = 0; t < place.size(); ++t)
      if (place[t] >= 0)
        std::copy_n(values.begin() + static_cast<int64_t>(t) * width, width,
                    values.begin() + int64_t{place[t]} * width);
    values.resize(static_cast<size_t>(kept) * width);
  };
  keep(surface.elements, 1);
  for (auto& [name, data] : surface.element_data) keep(data.values, data.width);
  for (auto& [name, ids] : surface.element_groups) {
    for (int32_t& id : ids) id = place[id];
    std::erase(ids, -1);
  }
}

}  // namespace sinew::meshing

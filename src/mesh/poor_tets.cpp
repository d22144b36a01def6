#include "mesh/poor_tets.h"

#include <algorithm>
#include <fmt/format.h>

#include "mesh/properties.h"

namespace sinew::mesh {

void PoorTets::add(const Tet& tet) {
  for (size_t k = 0; k < bounds.size(); ++k) below[k] += tet.radius_ratio < bounds[k];
  if (!(tet.radius_ratio < bounds[0])) return;
  const auto place = std::upper_bound(worst.begin(), worst.end(), tet, [](const Tet& a, const Tet& b) {
    return a.radius_ratio < b.radius_ratio;
  });
  worst.insert(place, tet);
  if (worst.size() > listed) worst.pop_back();
}

PoorTets poor_tets(const TetMesh& mesh) {
  PoorTets poor;
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    const auto& [a, b, c, d] = mesh.elements[t];
    const auto& x = mesh.vertices;
    poor.add(
        {static_cast<int32_t>(t), radius_ratio(x, mesh.elements[t]), (x[a] + x[b] + x[c] + x[d]) * 0.25});
  }
  return poor;
}

std::string text_of(const PoorTets& poor, std::string_view noun) {
  if (poor.below[0] == 0) return {};
  std::string text = fmt::format("{} below {:g}", poor.below[0], PoorTets::bounds[0]);
  const char* words[] = {"slivers", "flat"};
  for (size_t k = 1; k < PoorTets::bounds.size(); ++k)
    if (poor.below[k] > 0)
      text += fmt::format(", {} below {:g} ({})", poor.below[k], PoorTets::bounds[k], words[k - 1]);
  for (size_t i = 0; i < poor.worst.size(); ++i) {
    const auto& [tet, ratio, centre] = poor.worst[i];
    text += fmt::format("{} {} {} at ({:.3g}, {:.3g}, {:.3g}) with {:.2g}", i == 0 ? "; the worst:" : ",",
                        noun, tet, centre[0], centre[1], centre[2], ratio);
  }
  return text;
}

}  // namespace sinew::mesh

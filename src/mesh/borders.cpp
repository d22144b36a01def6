#include "mesh/borders.h"

#include "mesh/faces.h"

namespace sinew::mesh {

std::vector<std::vector<int32_t>> border_loops(const TriMesh& mesh) {
  const auto partner = face_partners<3>(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
  const auto next = [](int64_t edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; };
  std::vector<char> seen(partner.size(), 0);
  std::vector<std::vector<int32_t>> loops;
  for (int64_t seed = 0; seed < static_cast<int64_t>(partner.size()); ++seed) {
    if (partner[seed] != no_partner || seen[seed]) continue;
    auto& loop = loops.emplace_back();
    for (int64_t edge = seed; !seen[edge];) {
      seen[edge] = 1;
      loop.push_back(mesh.elements[edge / 3][edge % 3]);
      // Around the end of the edge, over its fan of triangles, to where that ends.
      edge = next(edge);
      while (partner[edge] >= 0) edge = next(partner[edge]);
    }
  }
  return loops;
}

std::vector<char> border_vertices(const TriMesh& mesh) {
  const auto partner = face_partners<3>(mesh.elements, static_cast<int64_t>(mesh.vertices.size()));
  std::vector<char> at_border(mesh.vertices.size(), 0);
  for (size_t edge = 0; edge < partner.size(); ++edge)
    if (partner[edge] == no_partner)
      for (const int32_t v : face_of<3>(mesh.elements[edge / 3], static_cast<int>(edge % 3)))
        at_border[v] = 1;
  return at_border;
}

}  // namespace sinew::mesh

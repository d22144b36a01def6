#include "meshing/layer_gaps.h"

#include <algorithm>
#include <bit>

#include "mesh/coincident.h"

namespace sinew::meshing {
namespace {

constexpr double share = 0.15;  // of the way to the middle of the own cells around a node

// The cells around its node that each vertex has; bit k: the one that has the node as its corner k.
std::vector<uint8_t> cells_around(const GridMesh<3>& grid) {
  std::vector<uint8_t> cells(grid.nodes.size(), 0);
  for (const auto& element : grid.elements)
    for (int k = 0; k < 8; ++k) cells[element[k]] |= static_cast<uint8_t>(1 << k);
  return cells;
}

// From a node to the middle of some of the cells around it [cells].
math::Vec3d middle_of(uint8_t cells) {
  math::Vec3d sum = math::Vec3d::zero();
  for (int k = 0; k < 8; ++k)
    for (int a = 0; a < 3 && cells >> k & 1; ++a) sum[a] += k >> a & 1 ? -0.5 : 0.5;
  return sum / std::popcount(cells);
}

}  // namespace

int64_t open_gaps(const GridMesh<3>& grid, GridTets& tets) {
  const std::vector<uint8_t> cells = cells_around(grid);
  std::vector<int32_t> outer;  // vertices that have not all cells around their nodes
  for (int32_t v = 0; v < static_cast<int32_t>(cells.size()); ++v)
    if (cells[v] != 0xff) outer.push_back(v);
  std::sort(outer.begin(), outer.end(),
            [&](int32_t a, int32_t b) { return std::pair(grid.nodes[a], a) < std::pair(grid.nodes[b], b); });
  int64_t places = 0;
  std::vector<math::Vec3d> shift(tets.mesh.vertices.size(), math::Vec3d::zero());
  for (size_t first = 0, last; first < outer.size(); first = last) {
    for (last = first + 1; last < outer.size() && grid.nodes[outer[last]] == grid.nodes[outer[first]];)
      ++last;
    bool any = false;
    for (size_t i = first; i < last; ++i)
      for (size_t j = first; j < last; ++j) {
        if (i == j || (cells[outer[i]] & cells[outer[j]])) continue;
        shift[outer[i]] = middle_of(cells[outer[i]]) * (share * grid.lattice.spacing());
        any = true;
      }
    places += any;
  }
  if (places == 0) return 0;
  // A boundary face has four tets; each of its corners is in two of them.
  const auto corners = static_cast<int32_t>(grid.nodes.size());
  const auto past_centres = static_cast<int32_t>(corners + grid.elements.size());
  for (const auto& tet : tets.mesh.elements)
    for (const int32_t centre : tet)
      for (const int32_t corner : tet)
        if (centre >= past_centres && corner < corners) shift[centre] += shift[corner] / 8;
  for (size_t v = 0; v < shift.size(); ++v) tets.mesh.vertices[v] += shift[v];
  return places;
}

SharedPlaces shared_places(std::span<const math::Vec3d> vertices) {
  const std::vector<int32_t> first = mesh::first_at_place(vertices);
  std::vector<bool> counted(vertices.size(), false);
  SharedPlaces places;
  for (size_t v = 0; v < vertices.size(); ++v) {
    const auto at = static_cast<size_t>(first[v]);
    if (at == v || counted[at]) continue;
    counted[at] = true;
    if (places.count++ == 0) places.first = vertices[v];
  }
  return places;
}

}  // namespace sinew::meshing

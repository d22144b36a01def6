#include "meshing/thin_parts.h"

#include <algorithm>
#include <atomic>
#include <span>

#include "base/parallel.h"

namespace sinew::meshing {
namespace {

// Whether the triangles, of one element, hold together by shared points.
bool in_one_part(std::span<const int32_t> triangles, const mesh::TriMesh& surface,
                 std::vector<int32_t>& parent, std::vector<std::pair<int32_t, int32_t>>& corners) {
  const auto count = static_cast<int32_t>(triangles.size());
  parent.resize(count);
  corners.clear();
  for (int32_t i = 0; i < count; ++i) {
    parent[i] = i;
    for (const int32_t point : surface.elements[triangles[i]]) corners.push_back({point, i});
  }
  std::sort(corners.begin(), corners.end());
  const auto root = [&](int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  int32_t parts = count;
  for (size_t k = 1; k < corners.size(); ++k) {
    if (corners[k].first != corners[k - 1].first) continue;
    const int32_t a = root(corners[k].second), b = root(corners[k - 1].second);
    parts -= a != b;
    parent[a] = b;
  }
  return parts <= 1;
}

}  // namespace

int64_t count_thin_elements(const GridMesh<3>& grid, const mesh::TriMesh& surface) {
  std::vector<int64_t> first(grid.elements.size() + 1);
  for (const auto& piece : grid.pieces) ++first[piece.element + 1];
  for (size_t e = 0; e < grid.elements.size(); ++e) first[e + 1] += first[e];
  std::vector<int32_t> triangles(grid.pieces.size());
  std::vector<int64_t> next(first.begin(), first.end() - 1);
  for (const auto& piece : grid.pieces) triangles[next[piece.element]++] = piece.facet;
  std::atomic<int64_t> thin = 0;
  for_each_block(static_cast<int64_t>(grid.elements.size()), 4096, [&](int64_t begin, int64_t end) {
    std::vector<int32_t> parent;
    std::vector<std::pair<int32_t, int32_t>> corners;
    int64_t here = 0;
    for (int64_t e = begin; e < end; ++e)
      here += !in_one_part({triangles.data() + first[e], static_cast<size_t>(first[e + 1] - first[e])},
                           surface, parent, corners);
    thin += here;
  });
  return thin;
}

}  // namespace sinew::meshing

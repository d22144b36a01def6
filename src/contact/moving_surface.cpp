#include "contact/moving_surface.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace sinew::contact {

namespace {
constexpr int64_t block = 1024;
constexpr int32_t large = 16384;  // triangles of a body that is worth all threads
}  // namespace

MovingSurface::MovingSurface(const Surface& surface) : surface_(surface), trees_(surface.parts.size()) {
  for (size_t b = 0; b < trees_.size(); ++b) {
    trees_[b].triangle_boxes.resize(surface.parts[b].triangles.size());
    trees_[b].edge_boxes.resize(surface.parts[b].edges.size());
    fill(static_cast<int32_t>(b), surface.X, surface.X, false);
    trees_[b].triangles.build(trees_[b].triangle_boxes);
    trees_[b].edges.build(trees_[b].edge_boxes);
  }
}

void MovingSurface::move(std::span<const Vec3d> x0, std::span<const Vec3d> x1, bool sweep) {
  const auto move_body = [&](int32_t body) {
    fill(body, x0, x1, sweep);
    trees_[body].triangles.refit(trees_[body].triangle_boxes);
    trees_[body].edges.refit(trees_[body].edge_boxes);
  };
  std::vector<int32_t> small;
  for (size_t b = 0; b < trees_.size(); ++b) {
    if (surface_.parts[b].triangles.size() < large)
      small.push_back(static_cast<int32_t>(b));
    else
      move_body(static_cast<int32_t>(b));
  }
  for_each_index(static_cast<int64_t>(small.size()), [&](int64_t i) { move_body(small[i]); });
}

void MovingSurface::fill(int32_t body, std::span<const Vec3d> x0, std::span<const Vec3d> x1, bool sweep) {
  const Surface::Part& part = surface_.parts[body];
  Trees& trees = trees_[body];
  trees.swept = trees.end = Box{};
  double displacement2 = 0, longest2 = 0;
  for (int32_t v = part.vertices.begin; v < part.vertices.end; ++v) {
    const int32_t node = surface_.vertices[v];
    trees.end.add(x1[node]);
    if (sweep) trees.swept.add(x0[node]);
    displacement2 = std::max(displacement2, norm2(x1[node] - x0[node]));
  }
  trees.swept.add(trees.end);
  for (int32_t e = part.edges.begin; e < part.edges.end; ++e)
    longest2 = std::max(longest2, norm2(x1[surface_.edges[e][1]] - x1[surface_.edges[e][0]]));
  trees.displacement = std::sqrt(displacement2);
  trees.longest_edge = std::sqrt(longest2);

  const auto fill_boxes = [&](const auto* primitives, std::vector<Box>& boxes) {
    for_each_block(static_cast<int64_t>(boxes.size()), block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        Box box;
        for (int32_t node : primitives[i]) {
          box.add(x1[node]);
          if (sweep) box.add(x0[node]);
        }
        boxes[i] = box;
      }
    });
  };
  fill_boxes(surface_.triangles.data() + part.triangles.begin, trees.triangle_boxes);
  fill_boxes(surface_.edges.data() + part.edges.begin, trees.edge_boxes);
}

}  // namespace sinew::contact

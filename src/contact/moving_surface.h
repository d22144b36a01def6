#pragma once
// The surfaces of bodies in a motion, each in two trees of boxes: triangles and edges. A box holds its primitive at x1 and,
// in a sweep, at x0 too, so that it holds it at all times between.
//
//     MovingSurface moving(surface);
//     moving.move(x0, x1, true);
//     moving.triangles(body).query(box, [&](int32_t i) { ... });   // i + surface.parts[body].triangles.begin
#include <span>
#include <vector>

#include "contact/surface.h"
#include "geometry/bvh.h"

namespace sinew::contact {

using geometry::Box;
using geometry::Bvh;

class MovingSurface {
 public:
  explicit MovingSurface(const Surface& surface);  // the trees are built at rest
  void move(std::span<const Vec3d> x0, std::span<const Vec3d> x1, bool sweep);

  const Bvh& triangles(int32_t body) const { return trees_[body].triangles; }
  const Bvh& edges(int32_t body) const { return trees_[body].edges; }
  const Box& swept(int32_t body) const { return trees_[body].swept; }
  const Box& end(int32_t body) const { return trees_[body].end; }                // at x1
  double displacement(int32_t body) const { return trees_[body].displacement; }  // the largest [m]
  double longest_edge(int32_t body) const { return trees_[body].longest_edge; }  // at x1 [m]

 private:
  struct Trees {
    Bvh triangles, edges;
    std::vector<Box> triangle_boxes, edge_boxes;
    Box swept, end;
    double displacement = 0, longest_edge = 0;
  };
  void fill(int32_t body, std::span<const Vec3d> x0, std::span<const Vec3d> x1, bool sweep);

  const Surface& surface_;
  std::vector<Trees> trees_;
};

}  // namespace sinew::contact

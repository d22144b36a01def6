#pragma once
// A tree of boxes over primitives, in flat arrays. build() sorts the primitives along a Morton curve (Karras: Maximizing
// Parallelism in the Construction of BVHs, Octrees, and k-d Trees, 2012); refit() keeps the tree and takes new boxes. The
// tree, and the order of what queries give, do not depend on the number of threads.
//
//     Bvh tree;  tree.build(boxes);  tree.refit(moved);
//     tree.query(box, [&](int32_t primitive) { ... });
//     std::vector<std::array<int32_t, 2>> pairs;  overlaps(points_tree, faces_tree, pairs);
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/box.h"

namespace sinew::contact {

class Bvh {
 public:
  void build(std::span<const Box> boxes);
  void refit(std::span<const Box> boxes);  // as many as were built
  int64_t size() const;                    // primitives
  Box bounds() const;

  // visit(primitive) for every primitive whose box meets `box`; it may be called for some that do not quite (rounding).
  template <class F>
  void query(const Box& box, F&& visit) const;
  // The least of distance(primitive) over all primitives: distance returns the squared distance of one to a point, of
  // which the squared distance from p to the primitive's box is a lower bound. Ties: the lowest primitive. -1: none is
  // closer than sqrt(limit).
  template <class F>
  int32_t nearest(const Vec3d& p, double limit, F&& distance) const;
};

// All pairs {i of a, j of b} whose boxes meet, ascending in i, then j.
void overlaps(const Bvh& a, const Bvh& b, std::vector<std::array<int32_t, 2>>& pairs);
// All pairs {i, j}, i < j, of one tree, ascending.
void overlaps(const Bvh& tree, std::vector<std::array<int32_t, 2>>& pairs);

}  // namespace sinew::contact

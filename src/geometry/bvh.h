#pragma once
// The broad phase: a tree of boxes over primitives, in flat arrays. build() sorts the primitives along a Hilbert curve and groups eight
// neighbours on it, eight groups, and so on (Kamel, Faloutsos: On Packing R-trees, 1993): no pointers. The jumps of a Morton
// curve would make nearest() visit twice as many nodes. A node has the boxes of its eight children side by side, rounded
// outwards to single precision. refit() keeps the tree and takes new boxes. Empty boxes and those with a NaN meet nothing.
// The tree, and the order of what queries give, do not depend on the number of threads.
//
//     Bvh tree;  tree.build(boxes);  tree.refit(moved);
//     tree.query(box, [&](int32_t primitive) { ... });
//     std::vector<std::array<int32_t, 2>> pairs;  overlaps(points_tree, faces_tree, pairs);
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>
#ifdef __AVX__
#include <immintrin.h>
#endif

#include "geometry/box.h"

namespace sinew::geometry {

class Bvh {
 public:
  void build(std::span<const Box> boxes);
  void refit(std::span<const Box> boxes);  // as many as were built
  int64_t size() const { return static_cast<int64_t>(order_.size()); }
  Box bounds() const;  // of all, with the rounding

  // visit(primitive) for every primitive whose box meets `box`; it may be called for some that do not quite (rounding).
  template <class F>
  void query(const Box& box, F&& visit) const;
  // The least of distance(primitive) over all primitives: distance returns the squared distance of one to a point, of
  // which the squared distance from p to the primitive's box is a lower bound. Ties: the lowest primitive. -1: none is
  // closer than sqrt(limit).
  template <class F>
  int32_t nearest(const Vec3d& p, double limit, F&& distance) const;

  static constexpr int width = 8;  // children of a node
  struct FloatBox {
    float low[3], high[3];
  };
  struct alignas(32) Node {
    float low[3][width], high[3][width];  // NaN where there is no child

    FloatBox child(int k) const {
      return {{low[0][k], low[1][k], low[2][k]}, {high[0][k], high[1][k], high[2][k]}};
    }
    void set_child(int k, const FloatBox& box) {
      for (int i = 0; i < 3; ++i) {
        low[i][k] = box.low[i];
        high[i][k] = box.high[i];
      }
    }
    // Bit k: child k meets the box.
    uint32_t meets(const FloatBox& box) const;
    // The least squared distances from p to the children; NaN where there is none.
    void distances(const Vec3d& p, double* squared) const;
  };
  static FloatBox round_out(const Box& box);

  // Node i of level 0 has the primitives order()[8 i], ...; node i of level l has the nodes 8 i, ... of level l - 1.
  std::span<const int32_t> order() const { return order_; }
  std::span<const Node> leaves() const { return {nodes_.data(), static_cast<size_t>(level_[1])}; }
  // visit(leaf, lanes that meet the box).
  template <class F>
  void visit_leaves(const FloatBox& box, F&& visit) const;

 private:
  int levels() const { return static_cast<int>(level_.size()) - 1; }
  const Node& node(int level, int64_t i) const { return nodes_[level_[level] + i]; }
  void fit_leaf(int64_t i, std::span<const Box> boxes);
  void fit_inner(int level, int64_t i);

  // Seven siblings wait at each level: 2^31 primitives have 11.
  static constexpr int max_open = 11 * (width - 1) + 1;
  struct Open {
    int32_t level, node;  // level -1: a place in the order
  };

  std::vector<int32_t> order_;
  std::vector<Node> nodes_;              // level 0, level 1, ..., root
  std::vector<int64_t> level_ = {0, 0};  // where each begins, and the end
};

// All pairs {i of a, j of b} whose boxes meet, and some that do not quite (rounding), ascending in i, then j.
void overlaps(const Bvh& a, const Bvh& b, std::vector<std::array<int32_t, 2>>& pairs);
// All pairs {i, j}, i < j, of one tree, ascending.
void overlaps(const Bvh& tree, std::vector<std::array<int32_t, 2>>& pairs);

inline uint32_t Bvh::Node::meets(const FloatBox& box) const {
#ifdef __AVX__
  __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
  for (int i = 0; i < 3; ++i) {
    all = _mm256_and_ps(all, _mm256_cmp_ps(_mm256_load_ps(low[i]), _mm256_set1_ps(box.high[i]), _CMP_LE_OQ));
    all = _mm256_and_ps(all, _mm256_cmp_ps(_mm256_load_ps(high[i]), _mm256_set1_ps(box.low[i]), _CMP_GE_OQ));
  }
  return static_cast<uint32_t>(_mm256_movemask_ps(all));
#else
  uint32_t bits = 0;
  for (int k = 0; k < width; ++k) {
    bool all = true;
    for (int i = 0; i < 3; ++i) all = all && low[i][k] <= box.high[i] && high[i][k] >= box.low[i];
    bits |= static_cast<uint32_t>(all) << k;
  }
  return bits;
#endif
}

inline void Bvh::Node::distances(const Vec3d& p, double* squared) const {
  for (int k = 0; k < width; ++k) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      const double below = low[i][k] - p[i], above = p[i] - high[i][k];
      const double out = below < above ? above : below;
      sum += out < 0 ? 0 : out * out;
    }
    squared[k] = sum;
  }
}

template <class F>
void Bvh::visit_leaves(const FloatBox& box, F&& visit) const {
  if (order_.empty()) return;
  std::array<Open, max_open> open;
  int count = 0;
  open[count++] = {levels() - 1, 0};
  while (count > 0) {
    const Open at = open[--count];
    uint32_t hit = node(at.level, at.node).meets(box);
    if (at.level == 0) {
      if (hit) visit(at.node, hit);
      continue;
    }
    for (; hit; hit &= hit - 1) open[count++] = {at.level - 1, at.node * width + std::countr_zero(hit)};
  }
}

template <class F>
void Bvh::query(const Box& box, F&& visit) const {
  visit_leaves(round_out(box), [&](int64_t leaf, uint32_t hit) {
    for (; hit; hit &= hit - 1) visit(order_[leaf * width + std::countr_zero(hit)]);
  });
}

template <class F>
int32_t Bvh::nearest(const Vec3d& p, double limit, F&& distance) const {
  if (order_.empty()) return -1;
  struct Bounded {
    double bound;
    Open open;
  };
  std::array<Bounded, max_open> open;
  int count = 0;
  open[count++] = {0, {levels() - 1, 0}};
  double best = limit;
  int32_t found = -1;
  while (count > 0) {
    const auto [bound, at] = open[--count];
    if (bound > best) continue;
    if (at.level < 0) {
      const int32_t primitive = order_[at.node];
      const double d = distance(primitive);
      if (d < best || (d == best && primitive < found)) {
        best = d;
        found = primitive;
      }
      continue;
    }
    double squared[width];
    node(at.level, at.node).distances(p, squared);
    for (int k = 0, first = count; k < width; ++k) {
      if (!(squared[k] <= best)) continue;
      // The closest on top.
      int place = count++;
      for (; place > first && open[place - 1].bound < squared[k]; --place) open[place] = open[place - 1];
      open[place] = {squared[k], {at.level - 1, at.node * width + k}};
    }
  }
  return found;
}

}  // namespace sinew::geometry

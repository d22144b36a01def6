#include "geometry/bvh.h"

#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "math/pack.h"

namespace sinew::geometry {

namespace {

constexpr int digit_bits = 12, digits = 1 << digit_bits;
constexpr int axis_bits = 16;
constexpr int64_t sort_block = 1 << 16;

struct Keyed {
  uint64_t key;
  int32_t primitive;
};

// Two zero bits between each of the lowest 16 bits.
uint64_t spread(uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

// Cells side by side, so that the compiler works on all of them at once.
constexpr int lanes = 16;
using Lanes = std::array<uint32_t, lanes>;

// From cells to bits of their places on the Hilbert curve: the highest of x, y, z, then the next, and so on (Skilling:
// Programming the Hilbert curve, 2004).
void along_hilbert(Lanes& x, Lanes& y, Lanes& z) {
  constexpr uint32_t top = 1u << (axis_bits - 1);
  for (uint32_t bit = top; bit > 1; bit >>= 1) {
    const uint32_t below = bit - 1;
    for (int k = 0; k < lanes; ++k) {
      const uint32_t a = x[k] ^ (x[k] & bit ? below : 0);
      const uint32_t swap_y = y[k] & bit ? 0 : (a ^ y[k]) & below;
      const uint32_t b = a ^ (y[k] & bit ? below : swap_y);
      const uint32_t swap_z = z[k] & bit ? 0 : (b ^ z[k]) & below;
      x[k] = b ^ (z[k] & bit ? below : swap_z);
      y[k] ^= swap_y;
      z[k] ^= swap_z;
    }
  }
  Lanes turn = {};
  for (int k = 0; k < lanes; ++k) {
    y[k] ^= x[k];
    z[k] ^= y[k];
  }
  for (uint32_t bit = top; bit > 1; bit >>= 1)
    for (int k = 0; k < lanes; ++k) turn[k] ^= z[k] & bit ? bit - 1 : 0;
  for (int k = 0; k < lanes; ++k) {
    x[k] ^= turn[k];
    y[k] ^= turn[k];
    z[k] ^= turn[k];
  }
}

Vec3d centre(const Box& box) { return box.low * 0.5 + box.high * 0.5; }

bool finite(const Vec3d& p) { return std::isfinite(p[0] + p[1] + p[2]); }

Box bounds_of_centres(std::span<const Box> boxes) {
  const auto n = static_cast<int64_t>(boxes.size());
  std::vector<Box> partial((n + sort_block - 1) / sort_block);
  for_each_block(n, sort_block, [&](int64_t begin, int64_t end) {
    Box& box = partial[begin / sort_block];
    for (int64_t i = begin; i < end; ++i)
      if (const Vec3d c = centre(boxes[i]); finite(c)) box.add(c);
  });
  Box all;
  for (const Box& box : partial) all.add(box);
  return all;
}

// Stable, by blocks whose counts decide where each puts its keys.
void sort_by_key(std::vector<Keyed>& keyed) {
  const auto n = static_cast<int64_t>(keyed.size());
  const int64_t blocks = (n + sort_block - 1) / sort_block;
  std::vector<Keyed> other(n);
  std::vector<std::array<int32_t, digits>> count(blocks);
  for (int shift = 0; shift < 3 * axis_bits; shift += digit_bits) {
    const auto digit = [&](const Keyed& k) { return k.key >> shift & (digits - 1); };
    for_each_block(n, sort_block, [&](int64_t begin, int64_t end) {
      auto& c = count[begin / sort_block];
      c.fill(0);
      for (int64_t i = begin; i < end; ++i) ++c[digit(keyed[i])];
    });
    int32_t next = 0;
    for (int d = 0; d < digits; ++d)
      for (auto& c : count) next += std::exchange(c[d], next);
    for_each_block(n, sort_block, [&](int64_t begin, int64_t end) {
      auto& place = count[begin / sort_block];
      for (int64_t i = begin; i < end; ++i) other[place[digit(keyed[i])]++] = keyed[i];
    });
    keyed.swap(other);
  }
}

Bvh::FloatBox bounds_of_children(const Bvh::Node& node) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Bvh::FloatBox box = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < Bvh::width; ++k) {
      box.low[i] = math::min(box.low[i], node.low[i][k]);
      box.high[i] = math::max(box.high[i], node.high[i][k]);
    }
  return box;
}

}  // namespace

// At least half a unit in the last place outwards, so that rounding in what is computed from a primitive stays inside.
Bvh::FloatBox Bvh::round_out(const Box& box) {
  constexpr float unit = 0x1p-23f, tiny = std::numeric_limits<float>::min();
  constexpr double most = std::numeric_limits<float>::max();
  FloatBox out;
  bool empty = false;
  for (int i = 0; i < 3; ++i) {
    const auto low = static_cast<float>(math::min(box.low[i], most));
    const auto high = static_cast<float>(math::max(box.high[i], -most));
    out.low[i] = low - (std::abs(low) * unit + tiny);
    out.high[i] = high + (std::abs(high) * unit + tiny);
    empty = empty || !(box.low[i] <= box.high[i]);
  }
  if (empty)
    for (int i = 0; i < 3; ++i) out.low[i] = out.high[i] = std::numeric_limits<float>::quiet_NaN();
  return out;
}

void Bvh::build(std::span<const Box> boxes) {
  const auto n = static_cast<int64_t>(boxes.size());
  const Box all = bounds_of_centres(boxes);
  double extent = 0;
  for (int i = 0; i < 3; ++i) extent = std::max(extent, all.high[i] - all.low[i]);
  constexpr double cells = 1 << axis_bits;
  const double scale = extent > 0 ? cells / extent : 0;

  std::vector<Keyed> keyed(n);
  for_each_block(n, sort_block, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += lanes) {
      std::array<Lanes, 3> cell = {};
      const int here = static_cast<int>(std::min<int64_t>(lanes, end - first));
      for (int k = 0; k < here; ++k) {
        const Vec3d c = centre(boxes[first + k]);
        // Not a number, and not finite, fall on either end.
        for (int i = 0; i < 3; ++i)
          cell[i][k] =
              static_cast<uint32_t>(math::max(0.0, math::min(cells - 1, (c[i] - all.low[i]) * scale)));
      }
      along_hilbert(cell[0], cell[1], cell[2]);
      for (int k = 0; k < here; ++k)
        keyed[first + k] = {spread(cell[0][k]) << 2 | spread(cell[1][k]) << 1 | spread(cell[2][k]),
                            static_cast<int32_t>(first + k)};
    }
  });
  sort_by_key(keyed);
  order_.resize(n);
  for_each_block(n, sort_block, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) order_[i] = keyed[i].primitive;
  });

  level_ = {0};
  int64_t count = n;
  do {
    count = (count + width - 1) / width;
    level_.push_back(level_.back() + count);
  } while (count > 1);
  nodes_.resize(level_.back());
  refit(boxes);
}

void Bvh::refit(std::span<const Box> boxes) {
  if (order_.empty()) return;
  // A subtree of four levels at a time stays in the cache.
  constexpr int deep = 3;
  const int top = std::min(deep, levels() - 1);
  for_each_index(level_[top + 1] - level_[top], [&](int64_t root) {
    for (int level = 0; level <= top; ++level) {
      const int64_t each = int64_t{1} << 3 * (top - level);
      const int64_t end = std::min((root + 1) * each, level_[level + 1] - level_[level]);
      for (int64_t i = root * each; i < end; ++i) level == 0 ? fit_leaf(i, boxes) : fit_inner(level, i);
    }
  });
  for (int level = top + 1; level < levels(); ++level)
    for (int64_t i = 0; i < level_[level + 1] - level_[level]; ++i) fit_inner(level, i);
}

void Bvh::fit_leaf(int64_t i, std::span<const Box> boxes) {
  Node& node = nodes_[i];
  for (int k = 0; k < width; ++k) {
    const int64_t place = i * width + k;
    const FloatBox box = round_out(place < size() ? boxes[order_[place]] : Box{});
    node.set_child(k, box);
  }
}

void Bvh::fit_inner(int level, int64_t i) {
  constexpr float none = std::numeric_limits<float>::quiet_NaN();
  Node& node = nodes_[level_[level] + i];
  const int64_t below = level_[level] - level_[level - 1];
  for (int k = 0; k < width; ++k) {
    const int64_t place = i * width + k;
    FloatBox box = {{none, none, none}, {none, none, none}};
    if (place < below) box = bounds_of_children(this->node(level - 1, place));
    node.set_child(k, box);
  }
}

Box Bvh::bounds() const {
  Box box;
  if (order_.empty()) return box;
  const Node& root = nodes_.back();
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < width; ++k) {
      box.low[i] = math::min(box.low[i], double{root.low[i][k]});
      box.high[i] = math::max(box.high[i], double{root.high[i][k]});
    }
  return box;
}

namespace {

void find_overlaps(const Bvh& a, const Bvh& b, bool self, std::vector<std::array<int32_t, 2>>& pairs) {
  constexpr int width = Bvh::width;
  constexpr int64_t leaf_block = 64;
  const auto leaves = a.leaves();
  const auto count = static_cast<int64_t>(leaves.size());
  // For each block, the partners of its primitives one after the other.
  std::vector<std::vector<int32_t>> found((count + leaf_block - 1) / leaf_block);
  std::vector<int64_t> begin_of(a.size() + 1, 0);  // the length of each row, then where it begins
  for_each_block(count, leaf_block, [&](int64_t begin, int64_t end) {
    std::vector<int32_t>& partners = found[begin / leaf_block];
    std::array<std::vector<int32_t>, width> row;
    for (int64_t leaf = begin; leaf < end; ++leaf) {
      const Bvh::Node& mine = leaves[leaf];
      const int here = static_cast<int>(std::min<int64_t>(width, a.size() - leaf * width));
      const int32_t* primitive = &a.order()[leaf * width];
      for (auto& r : row) r.clear();
      b.visit_leaves(bounds_of_children(mine), [&](int64_t other, uint32_t hit) {
        for (; hit; hit &= hit - 1) {
          const int lane = std::countr_zero(hit);
          const int32_t j = b.order()[other * width + lane];
          for (uint32_t meets = mine.meets(b.leaves()[other].child(lane)); meets; meets &= meets - 1) {
            const int k = std::countr_zero(meets);
            if (!self || primitive[k] < j) row[k].push_back(j);
          }
        }
      });
      for (int k = 0; k < here; ++k) {
        std::sort(row[k].begin(), row[k].end());
        partners.insert(partners.end(), row[k].begin(), row[k].end());
        begin_of[primitive[k]] = static_cast<int64_t>(row[k].size());
      }
    }
  });
  int64_t total = 0;
  for (int64_t& length : begin_of) total += std::exchange(length, total);
  pairs.resize(total);
  for_each_block(count, leaf_block, [&](int64_t begin, int64_t end) {
    const int32_t* partner = found[begin / leaf_block].data();
    for (int64_t place = begin * width; place < std::min(end * width, a.size()); ++place) {
      const int32_t i = a.order()[place];
      for (int64_t to = begin_of[i]; to < begin_of[i + 1]; ++to) pairs[to] = {i, *partner++};
    }
  });
}

}  // namespace

void overlaps(const Bvh& a, const Bvh& b, std::vector<std::array<int32_t, 2>>& pairs) {
  find_overlaps(a, b, false, pairs);
}

void overlaps(const Bvh& tree, std::vector<std::array<int32_t, 2>>& pairs) {
  find_overlaps(tree, tree, true, pairs);
}

}  // namespace sinew::geometry

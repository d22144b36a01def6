#pragma once
// The body-centred cubic lattice over a block of cells. A cell (i, j, k) has two points: its low corner, with
// the id 2 (i + sx j + sxy k), and its centre, with the next id. A point has 14 neighbours, in slots: six of
// its own kind along the axes (2 axis, and 1 more downwards), then eight of the other kind, one for each
// sign of x, y and z. The tets have two edges of the first sort, which face each other, and four of the
// second. Points of the outermost cells lack neighbours: ask only for those further in.
#include <array>
#include <cstdint>
#include <span>

#include "math/vec.h"

namespace sinew::mesh {

class Bcc {
 public:
  static constexpr int slots = 14;

  Bcc() = default;
  Bcc(const math::Vec3d& origin, double cell, const std::array<int64_t, 3>& cells);

  int64_t point_count() const { return 2 * stride_[2] * (cells_[2] + 1); }
  int64_t cells(int axis) const { return cells_[axis]; }
  int64_t stride(int axis) const { return stride_[axis]; }  // in cells
  math::Vec3d position(int64_t point) const;

  static bool is_long(int slot) { return slot < 6; }
  double length(int slot) const { return is_long(slot) ? cell_ : cell_ * 0.8660254037844386; }
  int64_t neighbour(int64_t point, int slot) const { return point + step_[point & 1][slot]; }
  // The slot of the same edge seen from its other end.
  static int opposite(int slot) { return is_long(slot) ? slot ^ 1 : slot; }
  int slot_between(int64_t from, int64_t to) const;

  // The 24 faces across from a point, as slots: one tet of the point for each.
  using Link = std::array<std::array<int, 3>, 24>;
  static const Link& link(int64_t point);

 private:
  double cell_ = 1;
  math::Vec3d origin_{};
  std::array<int64_t, 3> cells_{}, stride_{};
  std::array<std::array<int64_t, slots>, 2> step_{};  // to the neighbours, by kind of point
};

// Whether the surface would touch itself at a point that lies on it, given the signs of the points: -1 inside,
// 0 on the surface, 1 outside. It does not where its trace on the faces across is nothing or one simple loop.
bool pinched(const Bcc& lattice, std::span<const int8_t> sign, int64_t point);

}  // namespace sinew::mesh

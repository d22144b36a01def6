#include "mesh/bcc.h"

#include <algorithm>
#include <utility>

namespace sinew::mesh {
namespace {

constexpr Bcc::Link make_link(bool centre) {
  Bcc::Link link{};
  size_t count = 0;
  for (int slot = 0; slot < 6; ++slot) {
    const int axis = slot / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    // The bits of a slot of the second sort count upwards for a centre and downwards for a corner.
    const int along = ((slot % 2 == 0) == centre ? 1 : 0) << axis;
    const int ring[4] = {along, along | 1 << u, along | 1 << u | 1 << v, along | 1 << v};
    for (int k = 0; k < 4; ++k) link[count++] = {slot, 6 + ring[k], 6 + ring[(k + 1) % 4]};
  }
  return link;
}

// Pieces of the surface's trace, between points of it: neighbours on the surface (their slot) and cuts of the
// edges between neighbours.
struct Trace {
  std::array<std::pair<int, int>, 48> pieces;
  int count = 0;

  static int cut(int a, int b) { return 14 + std::min(a, b) * 14 + std::max(a, b); }

  void add(int a, int b) { pieces[count++] = std::minmax(a, b); }
  // An edge that two faces share is inside if both add it.
  void toggle(int a, int b) {
    const std::pair<int, int> piece = std::minmax(a, b);
    const auto found = std::find(pieces.begin(), pieces.begin() + count, piece);
    if (found == pieces.begin() + count)
      pieces[count++] = piece;
    else
      *found = pieces[--count];
  }

  // Follows the trace from its first piece. A node where more than two pieces meet, or a second loop, leaves
  // pieces over.
  bool one_loop() const {
    if (count == 0) return true;
    std::array<bool, 48> used{};
    const int start = pieces[0].first;
    int at = start, steps = 0;
    do {
      int next = -1;
      for (int i = 0; i < count && next < 0; ++i) {
        if (used[i] || (pieces[i].first != at && pieces[i].second != at)) continue;
        used[i] = true;
        next = pieces[i].first == at ? pieces[i].second : pieces[i].first;
      }
      if (next < 0) return false;
      at = next;
      ++steps;
    } while (at != start);
    return steps == count && simple();
  }

 private:
  bool simple() const {
    std::array<int8_t, 14 + 14 * 14> meet{};
    for (int i = 0; i < count; ++i)
      if (++meet[pieces[i].first] > 2 || ++meet[pieces[i].second] > 2) return false;
    return true;
  }
};

}  // namespace

Bcc::Bcc(const math::Vec3d& origin, double cell, const std::array<int64_t, 3>& cells)
    : cell_(cell), origin_(origin), cells_(cells), stride_{1, cells[0] + 1, (cells[0] + 1) * (cells[1] + 1)} {
  for (int s = 0; s < 6; ++s) step_[0][s] = step_[1][s] = (s % 2 ? -2 : 2) * stride_[s / 2];
  for (int s = 0; s < 8; ++s) {
    const int64_t corner = (s & 1) * stride_[0] + (s >> 1 & 1) * stride_[1] + (s >> 2) * stride_[2];
    step_[1][6 + s] = 2 * corner - 1;
    step_[0][6 + s] = 1 - 2 * corner;
  }
}

math::Vec3d Bcc::position(int64_t point) const {
  const int64_t cell = point / 2;
  const int64_t at[3] = {cell % stride_[1], cell % stride_[2] / stride_[1], cell / stride_[2]};
  math::Vec3d x;
  for (int k = 0; k < 3; ++k)
    x[k] = origin_[k] + cell_ * (static_cast<double>(at[k]) + 0.5 * static_cast<double>(point & 1));
  return x;
}

int Bcc::slot_between(int64_t from, int64_t to) const {
  const auto& steps = step_[from & 1];
  return static_cast<int>(std::find(steps.begin(), steps.end(), to - from) - steps.begin());
}

const Bcc::Link& Bcc::link(int64_t point) {
  static constexpr Link links[2] = {make_link(false), make_link(true)};
  return links[point & 1];
}

bool pinched(const Bcc& lattice, std::span<const int8_t> sign, int64_t point) {
  int8_t around[Bcc::slots];
  for (int slot = 0; slot < Bcc::slots; ++slot) around[slot] = sign[lattice.neighbour(point, slot)];
  Trace trace;
  for (const auto& face : Bcc::link(point)) {
    int inside = 0, ends = 0, end[3] = {};
    for (int a = 0; a < 3; ++a) inside += around[face[a]] < 0;
    if (inside == 0) continue;
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3;
      if (around[face[a]] == 0) end[ends++] = face[a];
      if (around[face[a]] * around[face[b]] < 0) end[ends++] = Trace::cut(face[a], face[b]);
    }
    if (ends != 2) continue;
    if (inside == 1 && end[0] < Bcc::slots && end[1] < Bcc::slots)
      trace.toggle(end[0], end[1]);
    else
      trace.add(end[0], end[1]);
  }
  return !trace.one_loop();
}

}  // namespace sinew::mesh

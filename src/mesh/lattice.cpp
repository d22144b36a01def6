#include "mesh/lattice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "mesh/bcc.h"
#include "mesh/request.h"

namespace sinew::mesh {
namespace {

constexpr int padding = 2;         // cells around the bounds: cut edges stay away from the lattice's own rim
constexpr double touching = 1e-9;  // values below this fraction of a cell are on the surface

Result<void> check_lattice(const Lattice& lattice) {
  if (auto ok = first_error({check_length("lattice", "cell", lattice.cell), check_solid(lattice.solid)}); !ok)
    return ok;
  const Bounds b = bounds(lattice.solid);
  double reach = 0;
  for (int k = 0; k < 3; ++k) {
    if (b.low[k] > b.high[k])
      return usage_error("lattice: the solid is empty: its parts have nothing in common");
    reach = std::max({reach, std::abs(b.low[k]), std::abs(b.high[k])});
  }
  if (!std::isfinite(reach))
    return usage_error("lattice: the solid is not bounded; intersect its half spaces with a box");
  if (lattice.cell < 1e-9 * reach)
    return usage_error(
        fmt::format("lattice: cell {} is too small for coordinates of {}", lattice.cell, reach));
  return {};
}

// Cells along each axis, as reals: an absurd request must not overflow.
Vec3d cell_counts(const Bounds& b, double cell) {
  Vec3d n;
  for (int k = 0; k < 3; ++k) n[k] = std::ceil((b.high[k] - b.low[k]) / cell * (1 - 1e-12)) + 2 * padding;
  return n;
}

class Stuffing {
 public:
  explicit Stuffing(const Lattice& lattice) : solid_(lattice.solid), h_(lattice.cell) {
    const Bounds b = bounds(solid_);
    const Vec3d n = cell_counts(b, h_);
    lattice_ = Bcc(b.low - Vec3d::filled(padding * h_), h_,
                   {static_cast<int64_t>(n[0]), static_cast<int64_t>(n[1]), static_cast<int64_t>(n[2])});
    sign_.assign(lattice_.point_count(), 1);
  }

  Result<TetMesh> make() {
    find_signs();
    find_cuts();
    warp();
    if (auto ok = number_nodes(); !ok) return ok.error();
    fill();
    return finish();
  }

 private:
  // The fraction of an edge within which a cut is too near to the end.
  static double threshold(int slot) { return Bcc::is_long(slot) ? 0.24999 : 0.41189; }

  // Blocks that are far from the surface are of one sign: f is not steeper than the distance.
  void find_signs() {
    constexpr int64_t side = 8;
    constexpr double radius = 6.6;  // 3.75 sqrt(3), and a little for rounding
    int64_t blocks[3];
    for (int k = 0; k < 3; ++k) blocks[k] = lattice_.cells(k) / side + 1;
    for_each_index(blocks[0] * blocks[1] * blocks[2], [&](int64_t b) {
      const int64_t low[3] = {b % blocks[0] * side, b / blocks[0] % blocks[1] * side,
                              b / (blocks[0] * blocks[1]) * side};
      int64_t high[3];
      for (int k = 0; k < 3; ++k) high[k] = std::min(low[k] + side, lattice_.cells(k));
      const auto point_at = [&](int64_t i, int64_t j, int64_t k) {
        return 2 * (i + j * lattice_.stride(1) + k * lattice_.stride(2));
      };
      const Vec3d middle = lattice_.position(point_at(low[0], low[1], low[2])) + Vec3d::filled(3.75 * h_);
      const double far = value(solid_, middle);
      if (far > radius * h_) return;  // outside, as all are at first
      for (int64_t k = low[2]; k < high[2]; ++k)
        for (int64_t j = low[1]; j < high[1]; ++j)
          for (int64_t i = low[0]; i < high[0]; ++i)
            for (int64_t point = point_at(i, j, k), end = point + 2; point < end; ++point)
              if (far < -radius * h_ || value(solid_, lattice_.position(point)) < -touching * h_)
                sign_[point] = -1;
    });
  }

  // Finds where the surface crosses an edge, as a fraction of the way from its inside end, by the rule of false
  // position with the Illinois weights.
  double crossing(const Vec3d& inside, const Vec3d& outside) const {
    double a = 0, b = 1, fa = value(solid_, inside), fb = value(solid_, outside);
    if (fb <= touching * h_) return 1;
    int kept = 0;
    for (int iteration = 0; iteration < 60 && b - a > 1e-14; ++iteration) {
      const double t = std::clamp(a - fa * (b - a) / (fb - fa), a, b);
      const double f = value(solid_, inside + (outside - inside) * t);
      if (std::abs(f) < 1e-14 * h_) return t;
      if (f < 0) {
        a = t;
        fa = f;
        if (kept == 1) fb /= 2;
        kept = 1;
      } else {
        b = t;
        fb = f;
        if (kept == -1) fa /= 2;
        kept = -1;
      }
    }
    return (a + b) / 2;
  }

  // Every edge from an inside to an outside point, in ascending order of point and slot.
  void find_cuts() {
    for (int64_t point = 0; point < lattice_.point_count(); ++point)
      if (sign_[point] < 0)
        for (int slot = 0; slot < Bcc::slots; ++slot)
          if (sign_[lattice_.neighbour(point, slot)] > 0) cut_edge_.push_back(point * Bcc::slots + slot);
    cut_at_.resize(cut_edge_.size());
    for_each_block(static_cast<int64_t>(cut_edge_.size()), 256, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c)
        cut_at_[c] = crossing(lattice_.position(inside_end(c)), lattice_.position(outside_end(c)));
    });
  }
  int64_t inside_end(int64_t c) const { return cut_edge_[c] / Bcc::slots; }
  int64_t outside_end(int64_t c) const {
    return lattice_.neighbour(inside_end(c), static_cast<int>(cut_edge_[c] % Bcc::slots));
  }
  int64_t cut_index(int64_t inside, int slot) const {
    const int64_t edge = inside * Bcc::slots + slot;
    return std::lower_bound(cut_edge_.begin(), cut_edge_.end(), edge) - cut_edge_.begin();
  }

  // Ends of cut edges with a cut too near move onto the nearest one and count as surface from then on. Where
  // the surface would touch itself there, the cuts keep their distance instead: the surface stays a manifold
  // and the angles stay bounded, and what is too thin for the lattice moves by a fraction of a cell.
  void warp() {
    std::vector<int64_t> ends;
    for (int64_t c = 0; c < static_cast<int64_t>(cut_edge_.size()); ++c) {
      ends.push_back(inside_end(c));
      ends.push_back(outside_end(c));
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    for (int64_t point : ends) warp(point);
  }

  void warp(int64_t point) {
    struct Near {
      int64_t cut;
      int slot;
    };
    std::array<Near, Bcc::slots> near;
    int count = 0, nearest = 0;
    const bool inside = sign_[point] < 0;
    const auto fraction = [&](const Near& n) { return inside ? cut_at_[n.cut] : 1 - cut_at_[n.cut]; };
    const auto distance = [&](const Near& n) { return fraction(n) * lattice_.length(n.slot); };
    for (int slot = 0; slot < Bcc::slots; ++slot) {
      const int64_t other = lattice_.neighbour(point, slot);
      if (sign_[point] * sign_[other] >= 0) continue;
      near[count] = {inside ? cut_index(point, slot) : cut_index(other, Bcc::opposite(slot)), slot};
      if (fraction(near[count]) >= threshold(slot)) continue;
      // Symmetric solids have many equal distances: rounding must not choose among them.
      if (distance(near[count]) < distance(near[nearest]) - touching * h_) nearest = count;
      ++count;
    }
    if (count == 0) return;
    if (may_move(point)) {
      const Vec3d from = lattice_.position(point);
      const Vec3d to = lattice_.position(lattice_.neighbour(point, near[nearest].slot));
      moved_.emplace_back(point, from + (to - from) * fraction(near[nearest]));
      return;
    }
    for (int i = 0; i < count; ++i)
      cut_at_[near[i].cut] = inside ? threshold(near[i].slot) : 1 - threshold(near[i].slot);
  }

  // Puts the point on the surface unless that pinches it here or at a neighbour.
  bool may_move(int64_t point) {
    const int8_t before = std::exchange(sign_[point], int8_t{0});
    bool good = !pinched(lattice_, sign_, point);
    for (int slot = 0; slot < Bcc::slots && good; ++slot) {
      const int64_t other = lattice_.neighbour(point, slot);
      good = sign_[other] != 0 || !pinched(lattice_, sign_, other);
    }
    if (!good) sign_[point] = before;
    return good;
  }

  // Nodes: points inside, points of the surface with a neighbour inside, then the cuts that are left.
  Result<void> number_nodes() {
    if (std::count(sign_.begin(), sign_.end(), -1) == 0)
      return usage_error(fmt::format(
          "lattice: no point of the lattice is inside: the solid is empty, or thinner than the cell {}", h_));
    node_.assign(sign_.size(), -1);
    auto moved = moved_.begin();
    for (int64_t point = 0; point < lattice_.point_count(); ++point) {
      if (sign_[point] > 0) continue;
      Vec3d x = lattice_.position(point);
      if (sign_[point] == 0) x = (moved++)->second;
      bool used = sign_[point] < 0;
      for (int slot = 0; slot < Bcc::slots && !used; ++slot)
        used = sign_[lattice_.neighbour(point, slot)] < 0;
      if (used && !add_node(x, node_[point])) return too_many();
    }
    cut_node_.assign(cut_edge_.size(), -1);
    for (int64_t c = 0; c < static_cast<int64_t>(cut_edge_.size()); ++c) {
      if (sign_[inside_end(c)] == 0 || sign_[outside_end(c)] == 0) continue;
      const Vec3d from = lattice_.position(inside_end(c)), to = lattice_.position(outside_end(c));
      if (!add_node(from + (to - from) * cut_at_[c], cut_node_[c])) return too_many();
    }
    return {};
  }
  bool add_node(const Vec3d& x, int32_t& id) {
    if (mesh_.vertices.size() >= static_cast<size_t>(std::numeric_limits<int32_t>::max())) return false;
    id = static_cast<int32_t>(mesh_.vertices.size());
    mesh_.vertices.push_back(x);
    return true;
  }
  static Error too_many() { return usage_error("lattice: more nodes or tets than a 32-bit id can name"); }

  // A tet of the lattice: two centres, then two corners, each with its own kind along an axis.
  using Points = std::array<int64_t, 4>;

  int32_t cut(int64_t inside, int64_t outside) const {
    return cut_node_[cut_index(inside, lattice_.slot_between(inside, outside))];
  }

  // The face of inside points a, b and an outside point o leaves a quadrilateral; its diagonal goes from a to
  // the cut of b where this is true. It depends on the face alone, so that both its tets agree. The end of a
  // short edge comes before that of a long one, so the three faces of a tet never go round in a circle; of
  // two short ones, the one with o above it along an odd number of axes.
  bool first(int64_t a, int64_t b, int64_t o) const {
    const int slot_a = lattice_.slot_between(a, o), slot_b = lattice_.slot_between(b, o);
    if (Bcc::is_long(slot_a) != Bcc::is_long(slot_b)) return !Bcc::is_long(slot_a);
    const int bits = slot_a - 6;
    return ((bits ^ bits >> 1 ^ bits >> 2) & 1) == (a & 1);
  }

  void fill() {
    const int64_t layer = lattice_.stride(2), row = lattice_.stride(1);
    for (int64_t k = 1; k + 1 < lattice_.cells(2); ++k)
      for (int64_t j = 1; j + 1 < lattice_.cells(1); ++j)
        for (int64_t i = 1; i + 1 < lattice_.cells(0); ++i)
          for (int axis = 0; axis < 3; ++axis) {
            const int64_t cell = i + j * row + k * layer, next = cell + lattice_.stride(axis);
            const int64_t u = lattice_.stride((axis + 1) % 3), v = lattice_.stride((axis + 2) % 3);
            const int64_t corner[4] = {2 * next, 2 * (next + u), 2 * (next + u + v), 2 * (next + v)};
            for (int c = 0; c < 4; ++c) add({2 * cell + 1, 2 * next + 1, corner[c], corner[(c + 1) % 4]});
          }
  }

  void emit(int32_t a, int32_t b, int32_t c, int32_t d, bool flip) {
    if (flip) std::swap(c, d);
    mesh_.elements.push_back({a, b, c, d});
  }

  // Adds the part of one lattice tet that lies inside the surface.
  void add(Points p) {
    int inside = 0, outside = 0;
    for (int64_t point : p) {
      inside += sign_[point] < 0;
      outside += sign_[point] > 0;
    }
    if (inside == 0) return;
    // Inside first, outside last; an odd number of swaps turns the tet inside out.
    bool flip = false;
    for (int round = 0; round < 3; ++round)
      for (int i = 0; i < 3; ++i)
        if (sign_[p[i]] > sign_[p[i + 1]]) {
          std::swap(p[i], p[i + 1]);
          flip = !flip;
        }
    if (inside == 1) {
      int32_t at[4] = {node_[p[0]]};
      for (int i = 1; i < 4; ++i) at[i] = sign_[p[i]] > 0 ? cut(p[0], p[i]) : node_[p[i]];
      emit(at[0], at[1], at[2], at[3], flip);
    } else if (outside == 0) {
      emit(node_[p[0]], node_[p[1]], node_[p[2]], node_[p[3]], flip);
    } else if (outside == 2) {
      add_wedge(p, flip);
    } else if (inside == 3) {
      add_prism(p, flip);
    } else {
      add_pyramid(p, flip);
    }
  }

  // Two inside, one on the surface, one outside.
  void add_pyramid(const Points& p, bool flip) {
    int64_t a = p[0], b = p[1];
    if (!first(a, b, p[3])) {
      std::swap(a, b);
      flip = !flip;
    }
    const int32_t z = node_[p[2]], cut_a = cut(a, p[3]), cut_b = cut(b, p[3]);
    emit(node_[a], node_[b], z, cut_b, flip);
    emit(node_[a], cut_b, z, cut_a, flip);
  }

  // Three inside, one outside.
  void add_prism(Points p, bool flip) {
    for (int round = 0; round < 2; ++round)
      for (int i = 0; i < 2; ++i)
        if (!first(p[i], p[i + 1], p[3])) {
          std::swap(p[i], p[i + 1]);
          flip = !flip;
        }
    const int32_t a = node_[p[0]], b = node_[p[1]], c = node_[p[2]];
    const int32_t cut_a = cut(p[0], p[3]), cut_b = cut(p[1], p[3]), cut_c = cut(p[2], p[3]);
    emit(a, b, c, cut_c, flip);
    emit(a, b, cut_c, cut_b, flip);
    emit(a, cut_b, cut_c, cut_a, flip);
  }

  // Two inside, two outside. The diagonals of the two faces never leave from the same point, whichever edge the
  // inside points have between them, and so leave one way for the third side, which is on the surface.
  void add_wedge(Points p, bool flip) {
    if (!first(p[0], p[1], p[2])) {
      std::swap(p[2], p[3]);
      flip = !flip;
    }
    const int32_t a = node_[p[0]], b = node_[p[1]];
    const int32_t ao = cut(p[0], p[2]), aq = cut(p[0], p[3]), bo = cut(p[1], p[2]), bq = cut(p[1], p[3]);
    emit(a, b, bo, aq, flip);
    emit(a, bo, ao, aq, flip);
    emit(b, bo, aq, bq, flip);
  }

  Result<TetMesh> finish() {
    if (mesh_.elements.size() > static_cast<size_t>(std::numeric_limits<int32_t>::max())) return too_many();
    for (const auto& tet : mesh_.elements)
      if (!(tet_volume(mesh_.vertices, tet) > 0))
        return usage_error("lattice: a tet has no volume: the cell is too small for doubles");
    std::vector<int32_t>& surface = mesh_.vertex_groups["surface"];
    for (const auto& triangle : boundary(mesh_).triangles)
      surface.insert(surface.end(), triangle.begin(), triangle.end());
    std::sort(surface.begin(), surface.end());
    surface.erase(std::unique(surface.begin(), surface.end()), surface.end());
    return std::move(mesh_);
  }

  const Solid& solid_;
  double h_;
  Bcc lattice_;
  std::vector<int8_t> sign_;                      // -1 inside, 0 on the surface, 1 outside
  std::vector<int64_t> cut_edge_;                 // inside end * slots + slot, ascending
  std::vector<double> cut_at_;                    // fraction of the way from the inside end
  std::vector<std::pair<int64_t, Vec3d>> moved_;  // points that were moved, ascending
  std::vector<int32_t> node_, cut_node_;          // ids in the mesh
  TetMesh mesh_;
};

}  // namespace

SplitSize lattice_size(const Lattice& lattice) {
  if (!check_lattice(lattice)) return {};
  const Bounds b = bounds(lattice.solid);
  const Vec3d n = cell_counts(b, lattice.cell);
  const double cells = n[0] * n[1] * n[2];
  constexpr int samples = 24;  // along each axis
  const Vec3d step = (b.high - b.low) / samples;
  const double reach = norm(step) / 2 + lattice.cell / 2;
  int hit = 0;
  for (int s = 0; s < samples * samples * samples; ++s) {
    const int at[3] = {s % samples, s / samples % samples, s / (samples * samples)};
    Vec3d x;
    for (int k = 0; k < 3; ++k) x[k] = b.low[k] + (at[k] + 0.5) * step[k];
    hit += value(lattice.solid, x) <= reach;
  }
  SplitSize size;
  size.tets = 12 * cells * hit / (samples * samples * samples);
  size.nodes = size.tets / 4;
  size.bytes = 10 * cells + size.tets * 140 + size.nodes * 60;
  return size;
}

Result<TetMesh> make_lattice(const Lattice& lattice, int64_t max_bytes) {
  if (auto ok = check_lattice(lattice); !ok) return ok.error();
  if (auto ok = check_size("lattice", lattice_size(lattice), max_bytes); !ok) return ok.error();
  return Stuffing(lattice).make();
}

}  // namespace sinew::mesh

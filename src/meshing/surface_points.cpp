// cut_at_flat_triangles, leave_out_backs, split_fans, part_folds and expect_closed of meshing/rough_surface.h: points on edges, and points where parts touch.
#include <deque>
#include <fmt/format.h>

#include "meshing/rough_surface.h"

namespace sinew::meshing {

namespace {

bool before(const Vec3d& a, const Vec3d& b) {
  return std::lexicographical_compare(a.v, a.v + 3, b.v, b.v + 3);
}

// The half edge of a flat triangle whose apex lies between its ends. Points of a line are in order when their coordinates are.
int32_t long_half(const RoughSurface& surface, int32_t triangle) {
  for (int32_t h = 3 * triangle; h < 3 * triangle + 3; ++h) {
    const Vec3d &a = surface.points[surface.start(h)], &b = surface.points[surface.end(h)];
    const Vec3d& p = surface.points[surface.apex(h)];
    if ((before(a, p) && before(p, b)) || (before(b, p) && before(p, a))) return h;
  }
  return -1;
}

enum class Cut { done, stays };

// The flat triangle is left out; what was beyond its short edges is joined to what is beyond the long one.
Cut cut_at(RoughSurface& surface, int32_t flat, std::vector<int32_t>& changed) {
  using Surface = RoughSurface;
  const int32_t h = long_half(surface, flat);
  if (h < 0) return Cut::stays;
  // flat = (c, a, b), h runs from c to a and b lies between; other = (a, c, d).
  const int32_t c = surface.start(h), a = surface.end(h), b = surface.apex(h);
  const int32_t g = surface.across[h];
  const int32_t beyond_ab = surface.across[Surface::next(h)],
                beyond_bc = surface.across[Surface::previous(h)];
  if (g == Surface::crowded || beyond_ab == Surface::crowded || beyond_bc == Surface::crowded)
    return Cut::stays;
  if (g == Surface::open) {
    surface.join(beyond_ab, Surface::open);
    surface.join(beyond_bc, Surface::open);
    surface.leave_out(flat);
    return Cut::done;
  }
  const int32_t other = g / 3, d = surface.apex(g);
  const int32_t beyond_cd = surface.across[Surface::next(g)],
                beyond_da = surface.across[Surface::previous(g)];
  if (other == flat || beyond_cd == Surface::crowded || beyond_da == Surface::crowded) return Cut::stays;
  if (beyond_ab >= 0 && beyond_ab / 3 == other) return Cut::stays;
  if (beyond_bc >= 0 && beyond_bc / 3 == other) return Cut::stays;
  if (d == b) {
    surface.join(beyond_ab, beyond_da);
    surface.join(beyond_bc, beyond_cd);
    surface.leave_out(flat);
    surface.leave_out(other);
    return Cut::done;
  }
  surface.triangles[other] = {a, b, d};
  surface.triangles[flat] = {b, c, d};
  surface.source[flat] = surface.source[other];
  surface.turned[flat] = surface.turned[other];
  const auto set = [&](int32_t half, int32_t to) {
    surface.across[half] = to;
    if (to >= 0) surface.across[to] = half;
  };
  set(3 * other, beyond_ab);
  set(3 * other + 2, beyond_da);
  set(3 * flat, beyond_bc);
  set(3 * flat + 1, beyond_cd);
  set(3 * other + 1, 3 * flat + 2);
  changed.push_back(other);
  changed.push_back(flat);
  return Cut::done;
}

}  // namespace

int64_t cut_at_flat_triangles(RoughSurface& surface) {
  std::deque<int32_t> flat;
  for (int32_t t = 0; t < surface.count(); ++t)
    if (!surface.left_out(t) && surface.flat(surface.triangles[t])) flat.push_back(t);
  const auto found = static_cast<int64_t>(flat.size());
  // Flat triangles beside each other may hand a point on several times; rows of them need as many as they have points.
  constexpr int64_t tries_each = 64;
  std::vector<int32_t> changed;
  for (int64_t tries = 0; !flat.empty() && tries < tries_each * found; ++tries) {
    const int32_t t = flat.front();
    flat.pop_front();
    if (surface.left_out(t) || !surface.flat(surface.triangles[t])) continue;
    changed.clear();
    if (cut_at(surface, t, changed) == Cut::stays) continue;
    for (const int32_t c : changed)
      if (surface.flat(surface.triangles[c])) flat.push_back(c);
  }
  return found;
}

int64_t leave_out_backs(RoughSurface& surface) {
  int64_t found = 0;
  for (int32_t t = 0; t < surface.count(); ++t) {
    if (surface.left_out(t)) continue;
    const int32_t *beyond = &surface.across[3 * t], other = beyond[0] / 3;
    if (beyond[0] < 0 || beyond[1] / 3 != other || beyond[2] / 3 != other) continue;
    surface.leave_out(t);
    surface.leave_out(other);
    found += 2;
  }
  return found;
}

void split_fans(RoughSurface& surface, std::vector<int32_t>& original) {
  const auto halves = static_cast<int32_t>(3 * surface.count());
  std::vector<char> seen(halves, 0), taken(surface.points.size(), 0);
  for (int32_t seed = 0; seed < halves; ++seed) {
    if (seen[seed] || surface.left_out(seed / 3)) continue;
    const int32_t point = surface.start(seed);
    const bool first = !taken[point];
    taken[point] = 1;
    int32_t to = point;
    if (!first) {
      to = static_cast<int32_t>(surface.points.size());
      surface.points.push_back(Vec3d(surface.points[point]));
      original.push_back(point);
    }
    int32_t half = seed;
    do {
      seen[half] = 1;
      if (!first) surface.triangles[half / 3][half % 3] = to;
      half = surface.across[RoughSurface::previous(half)];
    } while (half != seed);
  }
}

namespace {

// Cuts the triangle of a half edge in two at a point on that edge: (a, b, c) becomes (a, m, c), and (m, b, c) is added, whose first
// half edge is that from m to b.
void cut_at_middle(RoughSurface& surface, int32_t half, int32_t m) {
  using Surface = RoughSurface;
  const int32_t b = surface.end(half), c = surface.apex(half),
                beyond_bc = surface.across[Surface::next(half)];
  const auto added = static_cast<int32_t>(3 * surface.count());
  surface.add({m, b, c}, half / 3);
  surface.triangles[half / 3][(half + 1) % 3] = m;
  surface.join(added + 1, beyond_bc);
  surface.join(added + 2, Surface::next(half));
}

}  // namespace

int64_t part_folds(RoughSurface& surface, std::vector<int32_t>& original) {
  std::vector<int32_t> folds;  // a half edge of each
  for_each_edge(surface, [&](std::span<const int32_t> edge) {
    for (const int32_t h : edge)
      if (const int32_t g = surface.across[h]; h < g && std::min(edge[0], surface.across[edge[0]]) != h)
        folds.push_back(h);
  });
  const size_t given = surface.points.size() - original.size();
  for (const int32_t h : folds) {
    const int32_t g = surface.across[h], a = surface.start(h);
    const auto m = static_cast<int32_t>(surface.points.size());
    surface.points.push_back(surface.points[a] * 0.5 + surface.points[surface.end(h)] * 0.5);
    original.push_back(static_cast<size_t>(a) < given ? a : original[a - given]);
    const auto first = static_cast<int32_t>(3 * surface.count());
    cut_at_middle(surface, h, m);
    cut_at_middle(surface, g, m);
    surface.join(h, first + 3);
    surface.join(g, first);
  }
  return static_cast<int64_t>(folds.size());
}

Result<void> expect_closed(const RoughSurface& surface) {
  std::vector<int32_t> wrong;
  for_each_edge(surface, [&](std::span<const int32_t> edge) {
    if (edge.size() != 2 || surface.start(edge[0]) == surface.start(edge[1])) wrong.push_back(edge[0]);
  });
  if (wrong.empty()) return {};
  return input_error(
      surface.name,
      fmt::format("{} edges belong to two folds that hold together at both ends: {}; expected two triangles "
                  "at each edge, in opposite directions",
                  wrong.size(), name_edges(surface, wrong)));
}

}  // namespace sinew::meshing

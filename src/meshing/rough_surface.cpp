#include "meshing/rough_surface.h"

#include <bit>
#include <fmt/format.h>

#include "base/hash.h"
#include "math/predicates.h"

namespace sinew::meshing {

void RoughSurface::add(const Triangle& triangle, int32_t from) {
  triangles.push_back(triangle);
  source.push_back(source[from]);
  turned.push_back(0);
  across.insert(across.end(), 3, open);
}

void RoughSurface::join(int32_t a, int32_t b) {
  if (a >= 0) across[a] = b;
  if (b >= 0) across[b] = a;
}

bool RoughSurface::same_place(int32_t a, int32_t b) const {
  const Vec3d &p = points[a], &q = points[b];
  return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

bool RoughSurface::flat(const Triangle& triangle) const {
  const auto [a, b, c] = corners(triangle);
  for (int k = 0; k < 3; ++k) {
    const int i = k, j = (k + 1) % 3;
    if (math::orient2d({a[i], a[j]}, {b[i], b[j]}, {c[i], c[j]}) != 0) return false;
  }
  return true;
}

std::string name_edges(const RoughSurface& surface, std::span<const int32_t> halves) {
  constexpr size_t most = 8;
  std::string text;
  for (size_t i = 0; i < std::min(most, halves.size()); ++i) {
    const int32_t from = surface.start(halves[i]), to = surface.end(halves[i]);
    const Vec3d &p = surface.points[from], &q = surface.points[to];
    text += fmt::format("{}{}-{} from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g})", i ? ", " : "",
                        from, to, p[0], p[1], p[2], q[0], q[1], q[2]);
  }
  if (halves.size() > most) text += fmt::format(" and {} more", halves.size() - most);
  return text;
}

int64_t leave_out_collapsed(RoughSurface& surface) {
  int64_t found = 0;
  for (int64_t t = 0; t < surface.count(); ++t) {
    if (surface.left_out(t)) continue;
    const auto [a, b, c] = surface.triangles[t];
    if (!surface.same_place(a, b) && !surface.same_place(b, c) && !surface.same_place(c, a)) continue;
    surface.leave_out(t);
    ++found;
  }
  return found;
}

int64_t join_open_points(RoughSurface& surface, std::vector<int32_t>& joined) {
  const auto points = static_cast<int32_t>(surface.points.size());
  std::vector<char> on_rim(points, 0);
  int64_t rim = 0;
  for (int32_t h = 0; h < static_cast<int32_t>(surface.across.size()); ++h) {
    if (surface.left_out(h / 3) || surface.across[h] != RoughSurface::open) continue;
    for (const int32_t v : {surface.start(h), surface.end(h)}) {
      rim += !on_rim[v];
      on_rim[v] = 1;
    }
  }
  joined.resize(points);
  for (int32_t v = 0; v < points; ++v) joined[v] = v;

  const uint64_t slots = std::bit_ceil(static_cast<uint64_t>(2 * rim));
  std::vector<int32_t> table(slots, -1);
  int64_t found = 0;
  for (int32_t v = 0; v < points; ++v) {
    if (!on_rim[v]) continue;
    const Vec3d place = surface.points[v] + Vec3d::zero();  // -0 becomes 0
    Hash hash;
    hash.add(place.v, sizeof place.v);
    uint64_t slot = hash.value() & (slots - 1);
    while (table[slot] >= 0 && !surface.same_place(table[slot], v)) slot = (slot + 1) & (slots - 1);
    if (table[slot] < 0) {
      table[slot] = v;
    } else {
      joined[v] = table[slot];
      ++found;
    }
  }
  if (found > 0)
    for (auto& triangle : surface.triangles)
      for (int32_t& v : triangle)
        if (v >= 0) v = joined[v];
  return found;
}

namespace {

// Says which of two triangles on an edge the third one agrees with: 0 or 1, and -1 unless there are three.
int agreed(const RoughSurface& surface, std::span<const int32_t> halves, int32_t first, int32_t second) {
  if (halves.size() != 3) return -1;
  for (const int32_t h : halves) {
    if (h / 3 == first || h / 3 == second) continue;
    for (const int32_t other : halves)
      if (other / 3 == first) return surface.start(other) != surface.start(h) ? 0 : 1;
  }
  return -1;
}

}  // namespace

Repeated leave_out_repeated(RoughSurface& surface) {
  Repeated repeated;
  std::vector<int32_t> twice;
  std::vector<std::array<int32_t, 2>> opposite;
  std::vector<std::pair<int32_t, int32_t>> here;  // apex, half edge
  for_each_edge(surface, [&](std::span<const int32_t> halves) {
    if (halves.size() < 2) return;
    // A triangle is looked at from the edge of its two lowest points.
    here.clear();
    for (const int32_t h : halves)
      if (surface.apex(h) > std::max(surface.start(h), surface.end(h))) here.emplace_back(surface.apex(h), h);
    std::sort(here.begin(), here.end());
    for (size_t first = 0, last; first < here.size(); first = last) {
      int32_t kept[2] = {-1, -1};
      for (last = first; last < here.size() && here[last].first == here[first].first; ++last) {
        const int32_t h = here[last].second;
        int32_t& same = kept[surface.start(h) < surface.end(h)];
        if (same < 0) {
          same = h / 3;
        } else {
          twice.push_back(h / 3);
        }
      }
      if (kept[0] >= 0 && kept[1] >= 0)
        opposite.push_back({std::min(kept[0], kept[1]), std::max(kept[0], kept[1])});
    }
  });
  for (const int32_t t : twice) surface.leave_out(t);
  repeated.twice = static_cast<int64_t>(twice.size());
  if (opposite.empty()) return repeated;

  // For each pair: edges with nothing else on them, and votes of edges with one more triangle.
  std::vector<int32_t> pair_of(surface.count(), -1);
  for (size_t p = 0; p < opposite.size(); ++p)
    for (const int32_t t : opposite[p]) pair_of[t] = static_cast<int32_t>(p);
  struct Edges {
    int alone = 0;
    int votes[2] = {0, 0};
  };
  std::vector<Edges> edges(opposite.size());
  for_each_edge(surface, [&](std::span<const int32_t> halves) {
    if (halves.size() == 2) {
      const int32_t p = pair_of[halves[0] / 3];
      if (p >= 0 && p == pair_of[halves[1] / 3]) ++edges[p].alone;
    } else if (halves.size() == 3) {
      for (const int32_t h : halves) {
        const int32_t p = pair_of[h / 3];
        if (p < 0 || h / 3 != opposite[p][0]) continue;
        const int vote = agreed(surface, halves, opposite[p][0], opposite[p][1]);
        if (vote >= 0) ++edges[p].votes[vote];
      }
    }
  });
  for (size_t p = 0; p < opposite.size(); ++p) {
    if (edges[p].alone == 3) {
      for (const int32_t t : opposite[p]) surface.leave_out(t);
      repeated.back_to_back += 2;
    } else if (edges[p].votes[0] + edges[p].votes[1] == 3) {
      surface.leave_out(opposite[p][edges[p].votes[0] >= edges[p].votes[1] ? 1 : 0]);
      ++repeated.twice;
    }
  }
  return repeated;
}

EdgeCounts join_edges(RoughSurface& surface) {
  EdgeCounts counts;
  surface.across.assign(3 * surface.triangles.size(), RoughSurface::open);
  surface.crowds.clear();
  for_each_edge(surface, [&](std::span<const int32_t> halves) {
    if (halves.size() == 1) ++counts.open;
    if (halves.size() == 2) {
      surface.join(halves[0], halves[1]);
      counts.twins += surface.apex(halves[0]) == surface.apex(halves[1]);
    }
    if (halves.size() <= 2) return;
    ++counts.crowded;
    for (const int32_t h : halves) surface.across[h] = RoughSurface::crowded;
    surface.crowds.emplace_back(halves.begin(), halves.end());
  });
  return counts;
}

Parts parts_of(const RoughSurface& surface) {
  Parts parts;
  parts.of_triangle.assign(surface.count(), -1);
  std::vector<int32_t> todo;
  for (int32_t seed = 0; seed < surface.count(); ++seed) {
    if (surface.left_out(seed) || parts.of_triangle[seed] >= 0) continue;
    parts.of_triangle[seed] = parts.count;
    todo.assign(1, seed);
    while (!todo.empty()) {
      const int32_t t = todo.back();
      todo.pop_back();
      for (int k = 0; k < 3; ++k) {
        const int32_t other = surface.across[3 * t + k];
        if (other < 0 || parts.of_triangle[other / 3] >= 0) continue;
        parts.of_triangle[other / 3] = parts.count;
        todo.push_back(other / 3);
      }
    }
    ++parts.count;
  }
  return parts;
}

}  // namespace sinew::meshing

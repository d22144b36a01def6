// close_holes of meshing/rough_surface.h: lids of least area (Barequet, Sharir, Filling gaps in the boundary of a polyhedron, 1995).
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "meshing/rough_surface.h"

namespace sinew::meshing {

namespace {

// The lids of a part may have this share of its area: half a ball is closed, a sheet is not.
constexpr double max_covered = 0.75;

using Rim = std::vector<int32_t>;  // open half edges, each from where the one before ends

// All rims. One that comes back to a point is parted there, so that each passes through a point once.
std::vector<Rim> find_rims(const RoughSurface& surface) {
  std::vector<Rim> rims;
  std::vector<char> seen(surface.across.size(), 0);
  std::vector<int32_t> place(surface.points.size(), -1);  // where the walk has passed a point
  Rim walk;
  for (int32_t seed = 0; seed < static_cast<int32_t>(surface.across.size()); ++seed) {
    if (surface.left_out(seed / 3) || surface.across[seed] >= 0 || seen[seed]) continue;
    walk.clear();
    for (int32_t half = seed; !seen[half];) {
      seen[half] = 1;
      const int32_t from = surface.start(half);
      if (place[from] >= 0) {
        rims.emplace_back(walk.begin() + place[from], walk.end());
        for (const int32_t h : rims.back()) place[surface.start(h)] = -1;
        walk.resize(walk.size() - rims.back().size());
      }
      place[from] = static_cast<int32_t>(walk.size());
      walk.push_back(half);
      // Around the end of the half edge, over its fan of triangles, to where that ends.
      half = RoughSurface::next(half);
      while (surface.across[half] >= 0) half = RoughSurface::next(surface.across[half]);
    }
    for (const int32_t h : walk) place[surface.start(h)] = -1;
    rims.push_back(walk);
  }
  return rims;
}

// The lid of one rim: triangles of rim places i < j < k, by the table of the cheapest ways to fill the rim from i to k.
class Lid {
 public:
  // `apart`: without edges between points that have one already.
  Lid(const RoughSurface& surface, const Rim& rim, bool apart)
      : surface_(surface), rim_(rim), n_(static_cast<int32_t>(rim.size())) {
    Vec3d low = at(0), high = at(0);
    for (int32_t i = 1; i < n_; ++i)
      for (int a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], at(i)[a]);
        high[a] = std::max(high[a], at(i)[a]);
      }
    much_ = 10 * n_ * norm2(high - low);
    joined_.assign(static_cast<size_t>(n_) * n_, 0);
    if (apart) mark_joined();
    fill();
  }

  bool possible() const { return cost_[place(0, n_ - 1)] < std::numeric_limits<double>::infinity(); }
  double area() const {
    double sum = 0;
    for (const auto& [i, j, k] : triangles()) sum += norm(cross(at(j) - at(i), at(k) - at(i))) / 2;
    return sum;
  }
  // Places on the rim, ascending.
  std::vector<std::array<int32_t, 3>> triangles() const {
    std::vector<std::array<int32_t, 3>> list;
    std::vector<std::array<int32_t, 2>> open = {{0, n_ - 1}};
    while (!open.empty()) {
      const auto [i, k] = open.back();
      open.pop_back();
      if (k - i < 2) continue;
      const int32_t j = middle_[place(i, k)];
      list.push_back({i, j, k});
      open.push_back({i, j});
      open.push_back({j, k});
    }
    return list;
  }

 private:
  const Vec3d& at(int32_t i) const { return surface_.points[surface_.start(rim_[i])]; }
  size_t place(int32_t i, int32_t k) const { return static_cast<size_t>(i) * n_ + k; }

  // Points of the rim that have an edge already: a second one between them would be a crowded edge.
  void mark_joined() {
    std::vector<std::pair<int32_t, int32_t>> rank;
    for (int32_t i = 0; i < n_; ++i) rank.emplace_back(surface_.start(rim_[i]), i);
    std::sort(rank.begin(), rank.end());
    const auto mark = [&](int32_t i, int32_t point) {
      const auto found = std::lower_bound(rank.begin(), rank.end(), std::pair(point, 0));
      if (found == rank.end() || found->first != point) return;
      joined_[place(i, found->second)] = joined_[place(found->second, i)] = 1;
    };
    for (int32_t i = 0; i < n_; ++i) {
      int32_t half = rim_[i];
      for (;;) {
        mark(i, surface_.end(half));
        const int32_t into = RoughSurface::previous(half);
        mark(i, surface_.start(into));
        if (surface_.across[into] < 0) break;
        half = surface_.across[into];
      }
    }
  }

  // Short edges decide between lids of equal area; flat triangles are the last choice.
  double weight(int32_t i, int32_t j, int32_t k) const {
    const Vec3d a = at(j) - at(i), b = at(k) - at(j), c = at(i) - at(k);
    const double size = norm(cross(a, b)) / 2 + 0.01 * (norm2(a) + norm2(b) + norm2(c));
    return surface_.flat({surface_.start(rim_[i]), surface_.start(rim_[j]), surface_.start(rim_[k])})
               ? size + much_
               : size;
  }

  void fill() {
    cost_.assign(static_cast<size_t>(n_) * n_, 0);
    middle_.assign(static_cast<size_t>(n_) * n_, -1);
    for (int32_t length = 2; length < n_; ++length)
      for (int32_t i = 0; i + length < n_; ++i) {
        const int32_t k = i + length;
        double& best = cost_[place(i, k)];
        best = std::numeric_limits<double>::infinity();
        if (length < n_ - 1 && joined_[place(i, k)]) continue;
        for (int32_t j = i + 1; j < k; ++j) {
          const double below = cost_[place(i, j)] + cost_[place(j, k)];
          if (!(below < best)) continue;
          const double sum = below + weight(i, j, k);
          if (!(sum < best)) continue;
          best = sum;
          middle_[place(i, k)] = j;
        }
      }
  }

  const RoughSurface& surface_;
  const Rim& rim_;
  int32_t n_;
  double much_ = 0;
  std::vector<char> joined_;
  std::vector<double> cost_;
  std::vector<int32_t> middle_;
};

void put_on(RoughSurface& surface, const Rim& rim, const std::vector<std::array<int32_t, 3>>& lid) {
  const auto n = static_cast<int32_t>(rim.size());
  std::vector<int32_t> points(n);
  for (int32_t i = 0; i < n; ++i) points[i] = surface.start(rim[i]);
  // Half edges of the lid by the places (i, k), i < k, that they join; the first of each waits for the other.
  std::vector<std::pair<std::array<int32_t, 2>, int32_t>> halves;
  for (const auto& [i, j, k] : lid) {
    const auto first = static_cast<int32_t>(3 * surface.count());
    surface.add({points[j], points[i], points[k]}, rim[i] / 3);
    halves.push_back({{i, j}, first});
    halves.push_back({{i, k}, first + 1});
    halves.push_back({{j, k}, first + 2});
  }
  for (int32_t i = 0; i < n; ++i)
    halves.push_back({{std::min(i, (i + 1) % n), std::max(i, (i + 1) % n)}, rim[i]});
  std::sort(halves.begin(), halves.end());
  for (size_t i = 0; i + 1 < halves.size(); i += 2) surface.join(halves[i].second, halves[i + 1].second);
}

}  // namespace

namespace {

double area_of(const RoughSurface& surface, int64_t triangle) {
  const auto [a, b, c] = surface.corners(surface.triangles[triangle]);
  return norm(cross(b - a, c - a)) / 2;
}

// The lids of all rims, none for those that are too long; and what of each part they would cover.
struct Plan {
  std::vector<Rim> rims;
  std::vector<std::vector<std::array<int32_t, 3>>> lids;
  Parts parts;
  std::vector<double> area, covered;  // of each part

  int32_t part(size_t rim) const { return parts.of_triangle[rims[rim][0] / 3]; }
  bool sheet(int32_t p) const { return covered[p] > max_covered * area[p]; }
};

Plan plan_lids(const RoughSurface& surface, int32_t max_edges) {
  Plan plan{.rims = find_rims(surface), .lids = {}, .parts = {}, .area = {}, .covered = {}};
  if (plan.rims.empty()) return plan;
  plan.parts = parts_of(surface);
  plan.area.assign(plan.parts.count, 0);
  plan.covered.assign(plan.parts.count, 0);
  for (int64_t t = 0; t < surface.count(); ++t)
    if (!surface.left_out(t)) plan.area[plan.parts.of_triangle[t]] += area_of(surface, t);
  plan.lids.resize(plan.rims.size());
  for (size_t r = 0; r < plan.rims.size(); ++r) {
    if (plan.rims[r].size() < 3 || static_cast<int64_t>(plan.rims[r].size()) > max_edges) continue;
    const Lid apart(surface, plan.rims[r], true);
    const Lid lid = apart.possible() ? apart : Lid(surface, plan.rims[r], false);
    plan.lids[r] = lid.triangles();
    plan.covered[plan.part(r)] += lid.area();
  }
  return plan;
}

// Sheets beside a body are left out; false where they are more than the body.
bool leave_out_sheets(RoughSurface& surface, const Plan& plan, Lids& lids) {
  double sheets = 0, rest = 0;
  for (int32_t p = 0; p < plan.parts.count; ++p) (plan.sheet(p) ? sheets : rest) += plan.area[p];
  if (!(sheets > 0) || sheets > rest) return false;
  for (int32_t p = 0; p < plan.parts.count; ++p) lids.sheets += plan.sheet(p);
  bool first = true;
  for (int64_t t = 0; t < surface.count(); ++t) {
    if (surface.left_out(t) || !plan.sheet(plan.parts.of_triangle[t])) continue;
    if (std::exchange(first, false)) lids.at = surface.points[surface.triangles[t][0]];
    surface.leave_out(t);
  }
  return true;
}

}  // namespace

Result<Lids> close_holes(RoughSurface& surface, int32_t max_edges) {
  Lids lids;
  const Plan plan = plan_lids(surface, max_edges);
  const bool without_sheets = max_edges > 0 && leave_out_sheets(surface, plan, lids);
  std::vector<int32_t> left_open;
  int64_t longer = 0, sheets = 0;
  for (size_t r = 0; r < plan.rims.size(); ++r) {
    const Rim& rim = plan.rims[r];
    const bool sheet = plan.sheet(plan.part(r));
    if (sheet && without_sheets) continue;
    if (rim.size() == 2 && max_edges >= 2) {  // a slit
      surface.join(rim[0], rim[1]);
      ++lids.holes;
      continue;
    }
    if (plan.lids[r].empty() || sheet) {
      ++(static_cast<int64_t>(rim.size()) > max_edges ? longer : sheets);
      left_open.insert(left_open.end(), rim.begin(), rim.end());
      continue;
    }
    ++lids.holes;
    lids.triangles += static_cast<int64_t>(plan.lids[r].size());
    put_on(surface, rim, plan.lids[r]);
  }
  if (left_open.empty()) return lids;
  std::string why;
  if (longer > 0)
    why +=
        fmt::format("; {} rims are longer than the {} edges up to which holes are closed", longer, max_edges);
  if (sheets > 0)
    why += fmt::format("; {} rims are those of sheets, which a lid would cover once more", sheets);
  return input_error(surface.name, fmt::format("{} open edges: {}{}; expected a closed surface",
                                               left_open.size(), name_edges(surface, left_open), why));
}

}  // namespace sinew::meshing

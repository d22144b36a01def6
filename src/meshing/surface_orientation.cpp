// turn, orient and pair_crowded_edges of meshing/rough_surface.h.
#include <fmt/format.h>

#include "math/predicates.h"
#include "meshing/rough_surface.h"

namespace sinew::meshing {

void turn(RoughSurface& surface, const std::vector<char>& flags) {
  // (a, b, c) becomes (a, c, b): the edge of half edge k then belongs to half edge 2 - k.
  const auto moved = [&](int32_t half) {
    return half >= 0 && flags[half / 3] ? half - half % 3 + 2 - half % 3 : half;
  };
  for (int64_t t = 0; t < surface.count(); ++t) {
    if (!flags[t]) continue;
    std::swap(surface.triangles[t][1], surface.triangles[t][2]);
    std::swap(surface.across[3 * t], surface.across[3 * t + 2]);
    surface.turned[t] ^= 1;
  }
  for (int32_t& half : surface.across) half = moved(half);
  for (auto& crowd : surface.crowds)
    for (int32_t& half : crowd) half = moved(half);
}

Result<void> orient(RoughSurface& surface, bool allowed) {
  constexpr char unseen = 2;
  std::vector<char> flags(surface.count(), unseen);
  std::vector<int32_t> patch, twisted, disagreeing;
  bool any = false;
  for (int32_t seed = 0; seed < surface.count(); ++seed) {
    if (surface.left_out(seed) || flags[seed] != unseen) continue;
    patch.assign(1, seed);
    flags[seed] = 0;
    size_t flagged = 0;
    for (size_t i = 0; i < patch.size(); ++i) {
      const int32_t t = patch[i];
      for (int32_t h = 3 * t; h < 3 * t + 3; ++h) {
        const int32_t other = surface.across[h];
        if (other < 0) continue;
        const bool disagree = surface.start(other) == surface.start(h);
        if (disagree && h < other) disagreeing.push_back(h);
        char& flag = flags[other / 3];
        const auto wanted = static_cast<char>(flags[t] ^ static_cast<char>(disagree));
        if (flag == unseen) {
          flag = wanted;
          flagged += wanted;
          patch.push_back(other / 3);
        } else if (flag != wanted && h < other) {
          twisted.push_back(h);
        }
      }
    }
    any = any || flagged > 0;
    if (2 * flagged > patch.size())
      for (const int32_t t : patch) flags[t] ^= 1;
  }
  if (!twisted.empty())
    return input_error(
        surface.name,
        fmt::format("a part is one-sided, as a Moebius band is, and no turning of triangles makes "
                    "neighbours agree at {} edges: {}; expected a surface with an inside",
                    twisted.size(), name_edges(surface, twisted)));
  if (!any) return {};
  if (!allowed)
    return input_error(
        surface.name,
        fmt::format("neighbours disagree about the outside at {} edges: {}; expected triangles that "
                    "run along each edge in opposite directions",
                    disagreeing.size(), name_edges(surface, disagreeing)));
  for (char& flag : flags) flag = flag == 1;
  turn(surface, flags);
  return {};
}

namespace {

// The half edges of a crowded edge in the order of the angles at which their triangles stand around it.
class Around {
 public:
  // False where a triangle is flat.
  bool sort(const RoughSurface& surface, std::vector<int32_t>& halves) {
    for (const int32_t h : halves)
      if (surface.flat(surface.triangles[h / 3])) return false;
    const int32_t first = halves[0];
    low_ = surface.points[std::min(surface.start(first), surface.end(first))];
    high_ = surface.points[std::max(surface.start(first), surface.end(first))];
    reference_ = surface.points[surface.apex(first)];
    for (axis_ = 0; flat_side(reference_) == 0;) ++axis_;
    sorted_.clear();
    for (const int32_t h : halves) {
      const Vec3d& p = surface.points[surface.apex(h)];
      sorted_.push_back({sector(p), p, h});
    }
    const auto before = [&](const Standing& a, const Standing& b) {
      if (a.sector != b.sector) return a.sector < b.sector;
      return a.sector % 2 == 1 && math::orient3d(low_, high_, a.apex, b.apex) > 0;
    };
    std::sort(sorted_.begin(), sorted_.end(), before);
    rank.assign(1, 0);
    for (size_t i = 1; i < sorted_.size(); ++i)
      rank.push_back(rank.back() + (before(sorted_[i - 1], sorted_[i]) ? 1 : 0));
    for (size_t i = 0; i < sorted_.size(); ++i) halves[i] = sorted_[i].half;
    return true;
  }

  std::vector<int32_t> rank;  // equal where the angles are

 private:
  struct Standing {
    int sector;  // 0: at the angle of the first one, 1: up to half a turn on, 2: half a turn, 3: beyond
    Vec3d apex;
    int32_t half;
  };
  int flat_side(const Vec3d& p) const {
    const int i = axis_, j = (axis_ + 1) % 3;
    return math::orient2d({low_[i], low_[j]}, {high_[i], high_[j]}, {p[i], p[j]});
  }
  int sector(const Vec3d& p) const {
    const int side = math::orient3d(low_, high_, reference_, p);
    if (side != 0) return side > 0 ? 1 : 3;
    return flat_side(p) == flat_side(reference_) ? 0 : 2;
  }

  Vec3d low_, high_, reference_;
  int axis_ = 0;
  std::vector<Standing> sorted_;
};

// Material begins at triangles that run down the edge and ends at those that run up. The half edges in an order in which
// beginnings and ends alternate, the first being an end if `inside`; where angles are equal either may come first. Empty: there is
// no such order.
std::vector<int32_t> alternate(const RoughSurface& surface, const std::vector<int32_t>& halves,
                               const std::vector<int32_t>& rank, bool inside) {
  std::vector<int32_t> order;
  for (size_t first = 0, last; first < halves.size(); first = last) {
    std::vector<int32_t> waiting[2];
    for (last = first; last < halves.size() && rank[last] == rank[first]; ++last)
      waiting[surface.start(halves[last]) < surface.end(halves[last])].push_back(halves[last]);
    for (size_t left = last - first; left > 0; --left) {
      auto& wanted = waiting[inside];
      if (wanted.empty()) return {};
      order.push_back(wanted.back());
      wanted.pop_back();
      inside = !inside;
    }
  }
  if (order.size() % 2 == 1) return {};
  return order;
}

// If triangles lie back to back, both orders may alternate; one of them then pairs no triangle with its own back.
bool pairs_backs(const std::vector<int32_t>& order, const std::vector<int32_t>& halves,
                 const std::vector<int32_t>& rank) {
  const auto rank_of = [&](int32_t half) {
    return rank[std::find(halves.begin(), halves.end(), half) - halves.begin()];
  };
  for (size_t i = 0; i < order.size(); i += 2)
    if (rank_of(order[i]) == rank_of(order[i + 1])) return true;
  return false;
}

void join_in_order(RoughSurface& surface, const std::vector<int32_t>& order) {
  for (size_t i = 0; i < order.size(); i += 2) surface.join(order[i], order[i + 1]);
}

// Edges inside a wall between two bodies, or on a fin: clear once the rim of these is. Those of a surface that faces both ways
// everywhere have no such rim and stay.
void join_from_rims(RoughSurface& surface, std::vector<std::vector<int32_t>>& unclear) {
  std::vector<std::pair<int32_t, int32_t>> edge_of;  // half edge, place in `unclear`
  std::vector<int32_t> todo;
  for (int32_t e = 0; e < static_cast<int32_t>(unclear.size()); ++e)
    for (const int32_t h : unclear[e]) edge_of.emplace_back(h, e);
  std::sort(edge_of.begin(), edge_of.end());
  for (const auto& [half, e] : edge_of)
    if (surface.across[RoughSurface::next(half)] >= 0 || surface.across[RoughSurface::previous(half)] >= 0)
      todo.push_back(e);
  while (!todo.empty()) {
    std::vector<int32_t>& order = unclear[todo.back()];
    todo.pop_back();
    if (order.empty()) continue;
    join_in_order(surface, order);
    for (const int32_t half : order)
      for (const int32_t beside : {RoughSurface::next(half), RoughSurface::previous(half)}) {
        const auto found = std::lower_bound(edge_of.begin(), edge_of.end(), std::pair(beside, 0));
        if (found != edge_of.end() && found->first == beside) todo.push_back(found->second);
      }
    order.clear();
  }
}

}  // namespace

Result<void> pair_crowded_edges(RoughSurface& surface) {
  std::vector<int32_t> refused;
  std::vector<std::vector<int32_t>> unclear;
  Around around;
  for (auto& crowd : surface.crowds) {
    std::erase_if(crowd, [&](int32_t half) { return surface.left_out(half / 3); });
    if (crowd.empty()) continue;
    std::vector<int32_t> outside, inside;
    if (around.sort(surface, crowd)) {
      outside = alternate(surface, crowd, around.rank, false);
      inside = alternate(surface, crowd, around.rank, true);
      if (!inside.empty()) std::rotate(inside.begin(), inside.begin() + 1, inside.end());
    }
    if (outside.empty() != inside.empty()) {
      join_in_order(surface, outside.empty() ? inside : outside);
    } else if (!outside.empty() &&
               pairs_backs(outside, crowd, around.rank) != pairs_backs(inside, crowd, around.rank)) {
      unclear.push_back(pairs_backs(outside, crowd, around.rank) ? inside : outside);
    } else {
      refused.push_back(crowd[0]);
    }
  }
  join_from_rims(surface, unclear);
  for (const auto& order : unclear)
    if (!order.empty()) refused.push_back(order[0]);
  if (!refused.empty())
    return input_error(
        surface.name,
        fmt::format(
            "{} edges have more than two triangles, and which of them belong together is not clear: {}; "
            "expected two at each edge, or pairs with material between them",
            refused.size(), name_edges(surface, refused)));
  surface.crowds.clear();
  return {};
}

}  // namespace sinew::meshing

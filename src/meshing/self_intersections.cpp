#include "meshing/self_intersections.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "geometry/bvh.h"
#include "math/predicates.h"
#include "meshing/triangle_boxes.h"

namespace sinew::meshing {

namespace {

using math::orient3d;
using math::Vec3d;
using Corners = std::array<Vec3d, 3>;
using Pair = std::array<int32_t, 2>;
using Sides = std::array<int, 3>;
using Flat = math::Vec<double, 2>;

enum class Meeting { none, touching, crossing };

Sides sides_of(const Corners& plane, const Corners& of) {
  Sides sides;
  for (int k = 0; k < 3; ++k) sides[k] = orient3d(plane[0], plane[1], plane[2], of[k]);
  return sides;
}
bool on_one_side(const Sides& s) {
  return (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0);
}
bool on_both_sides(const Sides& s) {
  return std::min({s[0], s[1], s[2]}) < 0 && std::max({s[0], s[1], s[2]}) > 0;
}

// A triangle whose first corner is alone on its side of a plane.
struct Turned {
  Vec3d p, q, r;
};
Turned lone_first(const Corners& x, const Sides& s) {
  for (int k = 0; k < 3; ++k) {
    const int a = s[k], b = s[(k + 1) % 3], c = s[(k + 2) % 3];
    if (a != 0 && a * b <= 0 && a * c <= 0) return {x[k], x[(k + 1) % 3], x[(k + 2) % 3]};
  }
  return {x[0], x[1], x[2]};
}

// Each triangle has corners strictly on both sides of the other's plane. Both meet the line of the two planes in an interval;
// these overlap in more than a point (Devillers, Guigue, Faster Triangle-Triangle Intersection Tests, 2002).
bool intervals_overlap(const Corners& a, const Sides& sa, const Corners& b, const Sides& sb) {
  Turned u = lone_first(a, sa), v = lone_first(b, sb);
  // Both lone corners above the other's plane; turning a triangle round turns its plane over.
  if (orient3d(v.p, v.q, v.r, u.p) < 0) std::swap(v.q, v.r);
  if (orient3d(u.p, u.q, u.r, v.p) < 0) std::swap(u.q, u.r);
  return orient3d(u.p, u.q, v.p, v.q) < 0 && orient3d(u.p, u.r, v.r, v.p) < 0;
}

// Exact tests in the plane of a triangle, seen along an axis across which it has an area.
class InPlane {
 public:
  explicit InPlane(const Corners& x) {
    for (; axis_ < 3; ++axis_) {
      for (int k = 0; k < 3; ++k) x_[k] = flat(x[k]);
      turn_ = math::orient2d(x_[0], x_[1], x_[2]);
      if (turn_ != 0) return;
    }
  }
  bool degenerate() const { return turn_ == 0; }
  Flat flat(const Vec3d& p) const { return {p[axis_], p[(axis_ + 1) % 3]}; }
  bool holds(const Vec3d& p) const {
    const Flat at = flat(p);
    for (int k = 0; k < 3; ++k)
      if (math::orient2d(x_[k], x_[(k + 1) % 3], at) * turn_ < 0) return false;
    return true;
  }
  bool meets(const Vec3d& p, const Vec3d& q) const {
    if (holds(p) || holds(q)) return true;
    const Flat a = flat(p), b = flat(q);
    for (int k = 0; k < 3; ++k)
      if (segments_meet(a, b, x_[k], x_[(k + 1) % 3])) return true;
    return false;
  }

 private:
  static bool within(const Flat& a, const Flat& b, const Flat& p) {
    for (int i = 0; i < 2; ++i)
      if (p[i] < std::min(a[i], b[i]) || p[i] > std::max(a[i], b[i])) return false;
    return true;
  }
  static bool segments_meet(const Flat& a, const Flat& b, const Flat& c, const Flat& d) {
    const int abc = math::orient2d(a, b, c), abd = math::orient2d(a, b, d);
    const int cda = math::orient2d(c, d, a), cdb = math::orient2d(c, d, b);
    if (abc * abd < 0 && cda * cdb < 0) return true;
    return (abc == 0 && within(a, b, c)) || (abd == 0 && within(a, b, d)) || (cda == 0 && within(c, d, a)) ||
           (cdb == 0 && within(c, d, b));
  }

  int axis_ = 0, turn_ = 0;
  std::array<Flat, 3> x_;
};

// Whether a closed segment, whose ends are on the given sides of the plane of a closed triangle, meets it.
bool segment_meets(const Corners& x, const Vec3d& p, int side_p, const Vec3d& q, int side_q) {
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) return InPlane(x).meets(p, q);
  int low = 0, high = 0;
  for (int k = 0; k < 3; ++k) {
    const int s = orient3d(p, q, x[k], x[(k + 1) % 3]);
    low = std::min(low, s);
    high = std::max(high, s);
  }
  return low == 0 || high == 0;
}

// Triangles that share no point, or corner 0 of both.
Meeting meeting(const Corners& a, const Corners& b, bool share_first) {
  const auto beside = [&](const Sides& s) { return share_first ? s[1] * s[2] > 0 : on_one_side(s); };
  const Sides sb = sides_of(a, b);  // of b's corners to a's plane
  if (beside(sb)) return Meeting::none;
  const Sides sa = sides_of(b, a);
  if (beside(sa)) return Meeting::none;
  if (on_both_sides(sa) && on_both_sides(sb) && intervals_overlap(a, sa, b, sb)) return Meeting::crossing;
  // If they share a corner, whatever else they have in common reaches the opposite edge of one of them.
  for (int k = share_first ? 1 : 0; k < (share_first ? 2 : 3); ++k) {
    const int l = (k + 1) % 3;
    if (segment_meets(a, b[k], sb[k], b[l], sb[l]) || segment_meets(b, a[k], sa[k], a[l], sa[l]))
      return Meeting::touching;
  }
  return Meeting::none;
}

// Triangles (u, v, a) and (u, v, b) have more than the edge in common if one lies on the other.
Meeting folded(const Vec3d& u, const Vec3d& v, const Vec3d& a, const Vec3d& b) {
  if (orient3d(u, v, a, b) != 0) return Meeting::none;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const Flat p = {u[i], u[j]}, q = {v[i], v[j]};
    if (const int side = math::orient2d(p, q, {a[i], a[j]}); side != 0)
      return side == math::orient2d(p, q, {b[i], b[j]}) ? Meeting::touching : Meeting::none;
  }
  return Meeting::none;
}

// The points where the plane of one triangle cuts the edges of the other that reach through it.
std::array<Vec3d, 2> cut(const Corners& plane, const Corners& x) {
  const Vec3d n = cross(plane[1] - plane[0], plane[2] - plane[0]);
  const Sides s = sides_of(plane, x);
  const Turned t = lone_first(x, s);
  const double hp = std::abs(dot(n, t.p - plane[0])), hq = std::abs(dot(n, t.q - plane[0])),
               hr = std::abs(dot(n, t.r - plane[0]));
  const auto share = [](double from, double to) { return from + to > 0 ? from / (from + to) : 0.5; };
  return {t.p + (t.q - t.p) * share(hp, hq), t.p + (t.r - t.p) * share(hp, hr)};
}

std::array<Vec3d, 2> segment(const Corners& a, const Corners& b) {
  const auto [a0, a1] = cut(b, a);
  const auto [b0, b1] = cut(a, b);
  const Vec3d along = norm2(a1 - a0) > norm2(b1 - b0) ? a1 - a0 : b1 - b0;
  std::array<std::pair<double, Vec3d>, 4> at;
  const std::array<Vec3d, 4> ends = {a0, a1, b0, b1};
  for (int k = 0; k < 4; ++k) at[k] = {dot(along, ends[k] - a0), ends[k]};
  std::sort(at.begin(), at.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
  return {at[1].second, at[2].second};
}

// A number of pairs, and the first of them.
struct Found {
  int64_t pairs = 0;
  std::vector<Pair> first;

  void add(Pair pair, int64_t most) {
    ++pairs;
    first.push_back(pair);
    if (static_cast<int64_t>(first.size()) >= 2 * most + 64) trim(most);
  }
  void add(const Found& other, int64_t most) {
    pairs += other.pairs;
    first.insert(first.end(), other.first.begin(), other.first.end());
    trim(most);
  }
  void trim(int64_t most) {
    std::sort(first.begin(), first.end());
    if (static_cast<int64_t>(first.size()) > most) first.resize(most);
  }
};
struct Meetings {
  Found crossing, touching;
};

class Search {
 public:
  explicit Search(const mesh::TriMesh& surface)
      : surface_(surface),
        boxes_(triangle_boxes(unit_frame(surface.vertices, surface.elements), surface.vertices,
                              surface.elements)) {
    const auto n = static_cast<int64_t>(boxes_.size());
    for_each_block(n, 4096, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t)
        if (InPlane(corners(t)).degenerate()) boxes_[t] = {};  // meets nothing
    });
    tree_.build(boxes_);
  }

  Corners corners(int64_t t) const {
    const auto& [a, b, c] = surface_.elements[t];
    return {surface_.vertices[a], surface_.vertices[b], surface_.vertices[c]};
  }

  // Pairs of the triangles of a leaf with later ones.
  void leaf(int64_t i, int64_t most, Meetings& found) const {
    const int64_t begin = i * geometry::Bvh::width;
    const int64_t end = std::min(begin + geometry::Bvh::width, tree_.size());
    geometry::Box all;
    for (int64_t k = begin; k < end; ++k) all.add(boxes_[tree_.order()[k]]);
    tree_.query(all, [&](int32_t other) {
      for (int64_t k = begin; k < end; ++k) {
        const int32_t t = tree_.order()[k];
        if (t >= other || !boxes_[t].meets(boxes_[other])) continue;
        const Meeting how = meet(t, other);
        if (how == Meeting::crossing) found.crossing.add({t, other}, most);
        if (how == Meeting::touching) found.touching.add({t, other}, most);
      }
    });
  }
  int64_t leaves() const { return boxes_.empty() ? 0 : static_cast<int64_t>(tree_.leaves().size()); }

 private:
  Meeting meet(int32_t i, int32_t j) const {
    const auto &a = surface_.elements[i], &b = surface_.elements[j];
    int shared = 0, at_a[3], at_b[3];
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l)
        if (a[k] == b[l] && shared < 3) {
          at_a[shared] = k;
          at_b[shared++] = l;
        }
    const Corners x = corners(i), y = corners(j);
    if (shared == 0) return meeting(x, y, false);
    if (shared == 1) {
      const auto from = [](const Corners& c, int k) { return Corners{c[k], c[(k + 1) % 3], c[(k + 2) % 3]}; };
      return meeting(from(x, at_a[0]), from(y, at_b[0]), true);
    }
    if (shared == 2)
      return folded(x[at_a[0]], x[at_a[1]], x[3 - at_a[0] - at_a[1]], y[3 - at_b[0] - at_b[1]]);
    return Meeting::touching;
  }

  const mesh::TriMesh& surface_;
  std::vector<geometry::Box> boxes_;
  geometry::Bvh tree_;
};

}  // namespace

SelfIntersections self_intersections(const mesh::TriMesh& surface, int64_t most) {
  const Search search(surface);
  constexpr int64_t block = 256;
  const int64_t leaves = search.leaves();
  std::vector<Meetings> blocks((leaves + block - 1) / block);
  for_each_block(leaves, block, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) search.leaf(i, most, blocks[begin / block]);
  });
  Meetings all;
  for (const Meetings& found : blocks) {
    all.crossing.add(found.crossing, most);
    all.touching.add(found.touching, most);
  }
  SelfIntersections crossings{all.crossing.pairs,
                              std::move(all.crossing.first),
                              {},
                              all.touching.pairs,
                              std::move(all.touching.first)};
  for (const auto& [i, j] : crossings.triangles)
    crossings.segments.push_back(segment(search.corners(i), search.corners(j)));
  return crossings;
}

mesh::TriMesh crossing_triangles(const mesh::TriMesh& surface, const SelfIntersections& crossings) {
  std::vector<int32_t> ids;
  for (const auto& pair : crossings.triangles) ids.insert(ids.end(), pair.begin(), pair.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());

  std::vector<int32_t> points;
  for (const int32_t t : ids)
    points.insert(points.end(), surface.elements[t].begin(), surface.elements[t].end());
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());

  mesh::TriMesh mesh;
  for (const int32_t v : points) mesh.vertices.push_back(surface.vertices[v]);
  auto& triangle = mesh.element_data["triangle"].values;
  for (const int32_t t : ids) {
    auto& element = mesh.elements.emplace_back();
    for (int k = 0; k < 3; ++k)
      element[k] = static_cast<int32_t>(
          std::lower_bound(points.begin(), points.end(), surface.elements[t][k]) - points.begin());
    triangle.push_back(t);
  }
  return mesh;
}

}  // namespace sinew::meshing

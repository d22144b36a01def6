// find_overlaps of contact/detect.h.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "contact/detect.h"

namespace sinew::contact {

namespace {

constexpr double tolerance = 1e-9;  // of the size of both bodies: what is not deeper touches
constexpr int64_t block = 256;

struct Inside {
  int32_t node;
  double depth;
};
struct Through {
  int32_t edge;
  Vec3d where;
};

class Overlaps {
 public:
  Overlaps(const model::Model& model, const Surface& surface, std::span<const Vec3d> x)
      : surface_(surface),
        x_(model::contact_points(model, x, points_)),
        moving_(surface),
        stiffness_(model, surface),
        held_(model.point_count(), 0),
        narrow_(model, surface, moving_, stiffness_, held_) {
    moving_.move(x_, x_, false);
    narrow_.begin({x_, {}, x_, {}, 0});
  }

  const Box& box(int32_t body) const { return moving_.end(body); }
  double size(int32_t a, int32_t b) const {
    Box both = box(a);
    both.add(box(b));
    return norm(both.high - both.low);
  }

  void vertices(int32_t a, int32_t b, Overlap& overlap) const {
    const double least = tolerance * size(a, b);
    for (const Inside& inside : collect<Inside>(surface_.parts[a].vertices, [&](int32_t v, auto&list) {
           const int32_t node = surface_.vertices[v];
           Box point;
           point.add(x_[node]);
           if (!point.meets(box(b))) return;
           const double distance = narrow_.closest(x_[node], b, x_).distance;
           if (distance < -least) list.push_back({node, -distance});
         })) {
      ++overlap.count;
      overlap.ignored.push_back({inside.node, b});
      if (inside.depth <= overlap.depth) continue;
      overlap.depth = inside.depth;
      overlap.where = x_[inside.node];
    }
  }

  void edges(int32_t a, int32_t b, Overlap& overlap) const {
    const double least = tolerance * size(a, b);
    for (const Through& through : collect<Through>(surface_.parts[a].edges, [&](int32_t e, auto&list) {
           const int32_t i = surface_.edges[e][0], j = surface_.edges[e][1];
           Box segment;
           segment.add(x_[i]);
           segment.add(x_[j]);
           if (!segment.meets(box(b))) return;
           bool found = false;
           moving_.triangles(b).query(segment, [&](int32_t t) {
             const int32_t triangle = surface_.parts[b].triangles.begin + t;
             if (found || !passes(e, triangle, least)) return;
             found = true;
             const Vec3d n = surface_.face_normal(triangle, x_), &a = x_[surface_.triangles[triangle][0]];
             const double hi = dot(n, x_[i] - a), hj = dot(n, x_[j] - a);
             list.push_back({e, x_[i] + (x_[j] - x_[i]) * (hi / (hi - hj))});
           });
         })) {
      if (overlap.count == 0) overlap.where = through.where;
      ++overlap.count;
      for (int32_t node : surface_.edges[through.edge]) overlap.ignored.push_back({node, b});
    }
  }

 private:
  // Collects what f(primitive, list) adds, in order.
  template <class T, class F>
  std::vector<T> collect(model::Range range, const F& f) const {
    std::vector<std::vector<T>> lists((range.size() + block - 1) / block);
    for_each_block(range.size(), block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) f(range.begin + static_cast<int32_t>(i), lists[begin / block]);
    });
    std::vector<T> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
  }

  bool pierced(int32_t edge, int32_t triangle, double least) const {
    const auto [i, j] = surface_.edges[edge];
    const auto& t = surface_.triangles[triangle];
    for (int32_t node : t)
      if (node == i || node == j) return false;
    return pierces(x_[i], x_[j], x_[t[0]], x_[t[1]], x_[t[2]], least);
  }

  // Through the rim of a triangle it passes only if it does so for the neighbour there: faces of boxes that touch share
  // planes, and edges run along rims.
  bool passes(int32_t edge, int32_t triangle, double least) const {
    if (!pierced(edge, triangle, least)) return false;
    const auto [i, j] = surface_.edges[edge];
    const auto& t = surface_.triangles[triangle];
    for (int k = 0; k < 3; ++k) {
      const int32_t rim = surface_.edge_between(t[k], t[(k + 1) % 3]);
      const auto [l, m] = surface_.edges[rim];
      const OnEdges on = closest_on_edges(x_[i], x_[j], x_[l], x_[m]);
      if (on.distance2 > least * least) continue;
      for (int32_t beside : surface_.edge_triangles[rim]) {
        if (beside < 0 || beside == triangle) continue;
        const Vec3d n = surface_.face_normal(beside, x_), &a = x_[surface_.triangles[beside][0]];
        const double hi = dot(n, x_[i] - a), hj = dot(n, x_[j] - a);
        if (!(std::min(hi, hj) < -least && std::max(hi, hj) > least)) return false;
      }
    }
    return true;
  }

  const Surface& surface_;
  std::vector<Vec3d> points_;
  std::span<const Vec3d> x_;
  MovingSurface moving_;
  ContactStiffness stiffness_;
  std::vector<char> held_;
  Narrow narrow_;
};

}  // namespace

std::vector<Overlap> find_overlaps(const model::Model& model, const Surface& surface,
                                   std::span<const Vec3d> x) {
  std::vector<Overlap> list;
  if (model.contact.rules.empty()) return list;
  const Overlaps overlaps(model, surface, x);
  const auto bodies = static_cast<int32_t>(model.bodies.size());
  for (int32_t a = 0; a < bodies; ++a)
    for (int32_t b = a; b < bodies; ++b) {
      if (!model.contact_rule(a, b).on || !overlaps.box(a).meets(overlaps.box(b))) continue;
      Overlap overlap;
      overlap.a = a;
      overlap.b = b;
      if (a != b) {
        if (surface.solid[b]) overlaps.vertices(a, b, overlap);
        if (surface.solid[a]) overlaps.vertices(b, a, overlap);
      }
      overlaps.edges(a, b, overlap);
      if (a != b) overlaps.edges(b, a, overlap);
      if (overlap.count == 0) continue;
      std::sort(overlap.ignored.begin(), overlap.ignored.end());
      overlap.ignored.erase(std::unique(overlap.ignored.begin(), overlap.ignored.end()),
                            overlap.ignored.end());
      list.push_back(std::move(overlap));
    }
  return list;
}

}  // namespace sinew::contact

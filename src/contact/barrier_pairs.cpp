#include "contact/barrier_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/parallel.h"
#include "base/stopwatch.h"

namespace sinew::contact {

namespace {

constexpr int32_t block = 64;         // vertices or edges of a task
constexpr int64_t list_block = 1024;  // listed pairs
// A step ends before two primitives meet, at this share of the thickness if they were further apart, else at this share of their gap:
// what comes too close is a force that takes many iterations to relax.
constexpr double kept_gap = 0.3, kept = 0.2;
constexpr double least_part = 1.0 / 64;  // of a way that is looked at in parts
// Of a mean edge: pairs that are closer than this beyond their thickness are listed, and serve all ways on which primitives come
// closer by less, half of it since they were listed, half of it on the way.
constexpr double list_margin = 0.2;
constexpr double longest_way = 10;   // of a vertex within its body, over the mean edge: longer ones are cut
constexpr double over_edge = 0.1;    // the thickness against colliders, over the mean surface edge
constexpr double of_rest = 0.5;      // of the distance at rest that a self-contact may be thick
constexpr double coincident = 1e-6;  // over the edge: what is closer at rest does not touch
constexpr double nearly_parallel =
    1e-3;  // sine squared of the angle between edges, below which their energy fades out
// Of a collider's half thickness that a vertex may go into it in one step: deeper it might leave on the other side. Of the mean edge,
// that a corner or edge of a collider may go through a sheet in a step, and that it may be on its other side at all.
constexpr double into_collider = 0.5, through_sheet = 0.1, beyond_sheet = 0.5;

// Between the boxes around the first corners and around the others: a lower bound for the distance of the primitives. Where a
// body turns, its parts sweep through the boxes of each other and hardly come closer.
double box_distance2(const Corners& x, int side) {
  Box a, b;
  for (int k = 0; k < side; ++k) a.add(x[k]);
  for (int k = side; k < 4; ++k) b.add(x[k]);
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const double gap = std::max({a.low[i] - b.high[i], b.low[i] - a.high[i], 0.0});
    sum += gap * gap;
  }
  return sum;
}

std::vector<double> mean_edges(const Surface& surface) {
  std::vector<double> sum(surface.parts.size(), 0.0), count = sum;
  for (size_t v = 0; v < surface.vertices.size(); ++v) {
    sum[surface.vertex_body[v]] += surface.edge_length[v];
    count[surface.vertex_body[v]] += 1;
  }
  for (size_t b = 0; b < sum.size(); ++b) sum[b] /= std::max(count[b], 1.0);
  return sum;
}

std::vector<ColliderFeatures> features_of(const model::Model& model, const Surface& surface,
                                          const ColliderShapes& shapes) {
  std::vector<ColliderFeatures> list;
  if (std::find(surface.solid.begin(), surface.solid.end(), false) == surface.solid.end()) return list;
  for (size_t c = 0; c < model.colliders.size(); ++c)
    list.emplace_back(model.colliders[c], shapes, static_cast<int32_t>(c));
  return list;
}

}  // namespace

struct BarrierPairs::Way {
  std::span<const Vec3d> from, to;
  const MovingSurface& moving;
  double margin = 0;  // beyond the thickness, of pairs that are listed

  Corners corners(std::span<const Vec3d> x, const std::array<int32_t, 4>& node) const {
    return {x[node[0]], x[node[1]], x[node[2]], x[node[3]]};
  }
  Vec3d step(int32_t node) const { return to[node] - from[node]; }
};

BarrierPairs::BarrierPairs(const model::Model& model)
    : model_(model),
      surface_(model),
      colliders_(model),
      features_(features_of(model, surface_, colliders_)),
      held_(rigidly_held(model)),
      edge_(mean_edges(surface_)),
      stiffness_(model, surface_),
      moving_(surface_),
      own_(surface_),
      margin_(edge_.empty() ? 0 : list_margin * *std::min_element(edge_.begin(), edge_.end())) {}

void BarrierPairs::begin(std::span<const double> inputs, double dt) {
  inputs_.assign(inputs.begin(), inputs.end());
  dt_ = dt;
  pairs_.clear();
}

// Thickness, inset and scale of a pair with a collider.
void BarrierPairs::measure_from_collider(BarrierPair& pair) const {
  const double begins = model_.contact_rule(pair.body[0], pair.body[1]).thickness;
  const bool sheet = !surface_.solid[pair.body[0]];
  pair.thickness = sheet && begins > 0 ? begins : over_edge * edge_[pair.body[0]];
  pair.inset = pair.thickness - begins;
  pair.scale = scale(pair);
}

// Bodies against themselves are followed in a frame that moves with them, in which most do next to nothing.
double BarrierPairs::clear_way(std::span<const Vec3d> x_nodes, std::span<const Vec3d> end_nodes) {
  const Stopwatch watch(seconds_);
  const std::span<const Vec3d> x = model::contact_points(model_, x_nodes, from_);
  if (const auto points = model::contact_points(model_, end_nodes, to_); points.data() != to_.data())
    to_.assign(points.begin(), points.end());
  const std::span<Vec3d> end = to_;
  end_own_.assign(end.begin(), end.end());
  double within = 1;
  for (size_t b = 0; b < surface_.parts.size(); ++b) {
    const model::Range part = surface_.parts[b].vertices;
    Vec3d mean = Vec3d::zero();
    for (int32_t v = part.begin; v < part.end; ++v)
      mean += end[surface_.vertices[v]] - x[surface_.vertices[v]];
    mean = mean / std::max(1, part.size());
    double longest2 = 0;
    for (int32_t v = part.begin; v < part.end; ++v) {
      const int32_t point = surface_.vertices[v];
      end_own_[point] -= mean;
      longest2 = std::max(longest2, norm2(end_own_[point] - x[point]));
    }
    const double most = longest_way * edge_[b];
    if (longest2 > most * most) within = std::min(within, most / std::sqrt(longest2));
  }
  if (within < 1)
    for (const int32_t point : surface_.vertices) {
      end[point] = x[point] + (end[point] - x[point]) * within;
      end_own_[point] = x[point] + (end_own_[point] - x[point]) * within;
    }
  pairs_.clear();
  plan_colliders(x, end);
  const Way way{x, end, moving_};
  const double share = std::min(1.0, find(way, way, pairs_));
  const bool is_short = 4 * moved(x, end) <= margin_;
  return within * std::min(share, is_short ? clear_of_listed(x, end) : clear_of_bodies(x, end));
}

// Runs the tasks; the least touch of any.
double BarrierPairs::find(const Way& world, const Way& own, std::vector<BarrierPair>& pairs) {
  if (found_.size() < tasks_.size()) found_.resize(tasks_.size());
  for_each_index(static_cast<int64_t>(tasks_.size()), [&](int64_t i) {
    const Task& task = tasks_[i];
    const bool self = task.a == task.b;
    found_[i].clear();
    if (task.kind == Task::Kind::vertices) vertices(task, self ? own : world, found_[i]);
    if (task.kind == Task::Kind::edges) edges(task, self ? own : world, found_[i]);
    if (task.kind == Task::Kind::collider) collider(task, world, found_[i]);
    if (task.kind == Task::Kind::collider_corners || task.kind == Task::Kind::collider_edges)
      features(task, world, found_[i]);
  });
  return take_found(static_cast<int64_t>(tasks_.size()), pairs);
}

double BarrierPairs::take_found(int64_t count, std::vector<BarrierPair>& pairs) const {
  double touch = std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < count; ++i) {
    pairs.insert(pairs.end(), found_[i].pairs.begin(), found_[i].pairs.end());
    touch = std::min(touch, found_[i].touch);
  }
  return touch;
}

// The longest difference of two states of the surface but for a translation of all of it.
double BarrierPairs::moved(std::span<const Vec3d> from, std::span<const Vec3d> to) const {
  Vec3d mean = Vec3d::zero();
  for (const int32_t point : surface_.vertices) mean += to[point] - from[point];
  mean = mean / static_cast<double>(std::max<size_t>(1, surface_.vertices.size()));
  double longest2 = 0;
  for (const int32_t point : surface_.vertices)
    longest2 = std::max(longest2, norm2(to[point] - from[point] - mean));
  return std::sqrt(longest2);
}

// Short ways are looked at for the pairs of a list. Which ways these are does not depend on the list, and neither does what is
// found: a list has all that is close enough, in the order of the trees.
double BarrierPairs::clear_of_listed(std::span<const Vec3d> x, std::span<const Vec3d> end) {
  if (listed_at_.empty() || 4 * moved(listed_at_, x) > margin_) list(x);
  const Way world{x, end, moving_}, own{x, end_own_, own_};
  const auto count = static_cast<int64_t>(listed_.size()), blocks = (count + list_block - 1) / list_block;
  if (static_cast<int64_t>(found_.size()) < blocks) found_.resize(blocks);
  for_each_index(blocks, [&](int64_t b) {
    found_[b].clear();
    for (int64_t i = b * list_block; i < std::min(count, (b + 1) * list_block); ++i)
      add(listed_[i], listed_[i].body[0] == listed_[i].body[1] ? own : world, found_[b]);
  });
  return std::min(1.0, take_found(blocks, pairs_));
}

void BarrierPairs::list(std::span<const Vec3d> x) {
  moving_.move(x, x, false);
  const Way way{x, x, moving_, margin_};
  plan_bodies();
  listed_.clear();
  find(way, way, listed_);
  listed_at_.assign(x.begin(), x.end());
}

// The way part by part, each twice as long as the one before, as far as nothing meets: few primitives come near each other on a
// part of it, many on the whole way of a step that is then cut.
double BarrierPairs::clear_of_bodies(std::span<const Vec3d> x, std::span<const Vec3d> end) {
  double part = first_part(x, end), share = 1;
  const auto between = [](std::span<const Vec3d> a, std::span<const Vec3d> b, double at,
                          std::vector<Vec3d>& memory) -> std::span<const Vec3d> {
    if (at == 0) return a;
    if (at == 1) return b;
    memory.resize(a.size());
    for (size_t i = 0; i < a.size(); ++i) memory[i] = a[i] + (b[i] - a[i]) * at;
    return memory;
  };
  const bool parts = part<1, others = surface_.parts.size()> 1;
  for (double begin = 0; begin < 1; begin += part, part *= 2) {
    const double until = begin + part < 1 ? begin + part : 1;
    const Way own{between(x, end_own_, begin, part_[0]), between(x, end_own_, until, part_[1]), own_};
    own_.move(own.from, own.to, true);
    const Way world =
        others ? Way{between(x, end, begin, part_[2]), between(x, end, until, part_[3]), moving_} : own;
    if (others) moving_.move(world.from, world.to, true);
    plan_bodies();
    if (const double touch = find(world, own, pairs_); touch <= 1) {
      share = begin + (until - begin) * touch;
      break;
    }
  }
  if (parts) {
    std::sort(pairs_.begin(), pairs_.end(), [](const BarrierPair& a, const BarrierPair& b) {
      return std::tie(a.collider, a.edges, a.node, a.wall) < std::tie(b.collider, b.edges, b.node, b.wall);
    });
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }
  return share;
}

// The share of the way in which no vertex goes further than a mean edge, against its own body or in the world where there are others.
double BarrierPairs::first_part(std::span<const Vec3d> x, std::span<const Vec3d> end) const {
  const bool others = surface_.parts.size() > 1;
  double share = 1;
  for (const int32_t v : surface_.vertices) {
    const double way2 = norm2((others ? end[v] : end_own_[v]) - x[v]), most = edge_[model_.body_of_point(v)];
    if (way2 * share * share > most * most) share = most / std::sqrt(way2);
  }
  return std::max(share, least_part);
}

void BarrierPairs::plan_bodies() {
  tasks_.clear();
  if (model_.contact.rules.empty()) return;
  const auto bodies = static_cast<int32_t>(model_.bodies.size());
  for (int32_t a = 0; a < bodies; ++a)
    for (int32_t b = a; b < bodies; ++b) {
      if (!model_.contact_rule(a, b).on) continue;
      if (a != b &&
          !moving_.swept(a).grown(model_.contact_rule(a, b).thickness + margin_).meets(moving_.swept(b)))
        continue;
      split(a, b, Task::Kind::vertices);
      if (a != b) split(b, a, Task::Kind::vertices);
      split(a, b, Task::Kind::edges);
    }
}

void BarrierPairs::plan_colliders(std::span<const Vec3d> x, std::span<const Vec3d> end) {
  tasks_.clear();
  if (model_.contact.rules.empty()) return;
  const auto bodies = static_cast<int32_t>(model_.bodies.size());
  for (int32_t a = 0; a < bodies && !model_.colliders.empty(); ++a) {
    const model::Range part = surface_.parts[a].vertices;
    Box box;
    for (int32_t v = part.begin; v < part.end; ++v) {
      box.add(x[surface_.vertices[v]]);
      box.add(end[surface_.vertices[v]]);
    }
    for (size_t c = 0; c < model_.colliders.size(); ++c) {
      const auto other = bodies + static_cast<int32_t>(c);
      if (!model_.contact_rule(a, other).on) continue;
      if (colliders_.bounds(static_cast<int32_t>(c), model_.contact_rule(a, other).thickness, inputs_)
              .meets(box)) {
        split(a, static_cast<int32_t>(c), Task::Kind::collider);
        if (surface_.solid[a] || features_[c].empty()) continue;
        split(a, static_cast<int32_t>(c), Task::Kind::collider_corners);
        split(a, static_cast<int32_t>(c), Task::Kind::collider_edges);
      }
    }
  }
}

// Blocks of what `a` has.
void BarrierPairs::split(int32_t a, int32_t b, Task::Kind kind) {
  const Surface::Part& part = surface_.parts[a];
  const model::Range range = kind == Task::Kind::edges || kind == Task::Kind::collider_edges ? part.edges
                             : kind == Task::Kind::collider_corners                          ? part.triangles
                                                                                             : part.vertices;
  for (int32_t begin = range.begin; begin < range.end; begin += block)
    tasks_.push_back({a, b, kind, {begin, std::min(begin + block, range.end)}});
}

bool BarrierPairs::left_out(const BarrierPair& pair) const {
  if (held_[pair.node[0]] && held_[pair.node[1]] && held_[pair.node[2]] && held_[pair.node[3]]) return true;
  const auto& ignored = model_.contact.ignored;
  for (int k = 0; k < 4 && !ignored.empty(); ++k) {
    const bool side_b = pair.edges ? k >= 2 : k >= 1;
    if (std::binary_search(ignored.begin(), ignored.end(),
                           std::array<int32_t, 2>{pair.node[k], pair.body[!side_b]}))
      return true;
  }
  return false;
}

double BarrierPairs::rest_distance(const BarrierPair& pair) const {
  const Vec3d &a = surface_.X[pair.node[0]], &b = surface_.X[pair.node[1]], &c = surface_.X[pair.node[2]],
              &d = surface_.X[pair.node[3]];
  return std::sqrt(pair.edges ? geometry::closest_on_edges(a, b, c, d).distance2
                              : geometry::closest_on_triangle(a, b, c, d).distance2);
}

// Takes a pair in if it can come within its thickness on the way, and shortens the way if it can touch.
void BarrierPairs::add(const BarrierPair& candidate, const Way& way, Found& found) const {
  const Corners x0 = way.corners(way.from, candidate.node);
  const int side = candidate.edges ? 2 : 1;
  double approach2 = 0;
  for (int i = 0; i < side; ++i)
    for (int j = side; j < 4; ++j)
      approach2 = std::max(approach2, norm2(way.step(candidate.node[i]) - way.step(candidate.node[j])));
  const double approach = std::sqrt(approach2), reach = approach + candidate.thickness + way.margin;
  if (box_distance2(x0, side) > reach * reach) return;
  const double distance =
      std::sqrt(candidate.edges ? geometry::closest_on_edges(x0[0], x0[1], x0[2], x0[3]).distance2
                                : geometry::closest_on_triangle(x0[0], x0[1], x0[2], x0[3]).distance2);
  if (distance - approach >= candidate.thickness + way.margin || left_out(candidate)) return;
  BarrierPair pair = candidate;
  if (pair.body[0] == pair.body[1]) {
    const double rest = rest_distance(pair);
    if (rest <= coincident * edge_[pair.body[0]]) return;
    pair.thickness = std::min(pair.thickness, of_rest * rest);
  }
  if (way.margin > 0) {
    if (distance < pair.thickness + way.margin) found.pairs.push_back(candidate);
    return;
  }
  if (distance - approach < pair.thickness) {
    pair.scale = scale(pair);
    if (pair.edges)
      pair.parallel = nearly_parallel * norm2(surface_.X[pair.node[1]] - surface_.X[pair.node[0]]) *
                      norm2(surface_.X[pair.node[3]] - surface_.X[pair.node[2]]);
    found.pairs.push_back(pair);
  }
  if (approach < distance) return;
  const Corners x1 = way.corners(way.to, pair.node);
  const auto touch = pair.edges ? first_touch_edges(x0, x1) : first_touch_point_triangle(x0, x1);
  if (touch)
    found.touch = std::min(found.touch, *touch * (1 - std::min(kept, kept_gap * pair.thickness / distance)));
}

void BarrierPairs::vertices(const Task& task, const Way& way, Found& found) const {
  const int32_t first = surface_.parts[task.b].triangles.begin;
  const double h = model_.contact_rule(task.a, task.b).thickness;
  for (int32_t v = task.range.begin; v < task.range.end; ++v) {
    const int32_t node = surface_.vertices[v];
    Box box;
    box.add(way.from[node]);
    box.add(way.to[node]);
    box = box.grown(h + way.margin);
    if (!box.meets(way.moving.swept(task.b))) continue;
    way.moving.triangles(task.b).query(box, [&](int32_t i) {
      const auto& [a, b, c] = surface_.triangles[first + i];
      if (node == a || node == b || node == c) return;
      add({.node = {node, a, b, c}, .body = {task.a, task.b}, .thickness = h}, way, found);
    });
  }
}

void BarrierPairs::edges(const Task& task, const Way& way, Found& found) const {
  const int32_t first = surface_.parts[task.b].edges.begin;
  const double h = model_.contact_rule(task.a, task.b).thickness;
  for (int32_t e = task.range.begin; e < task.range.end; ++e) {
    const int32_t i = surface_.edges[e][0], j = surface_.edges[e][1];
    Box box;
    for (const int32_t node : {i, j}) {
      box.add(way.from[node]);
      box.add(way.to[node]);
    }
    box = box.grown(h + way.margin);
    if (!box.meets(way.moving.swept(task.b))) continue;
    way.moving.edges(task.b).query(box, [&](int32_t k) {
      const auto [l, m] = surface_.edges[first + k];
      if (task.a == task.b && (first + k <= e || i == l || i == m || j == l || j == m)) return;
      add({.node = {i, j, l, m}, .edges = true, .body = {task.a, task.b}, .thickness = h}, way, found);
    });
  }
}

void BarrierPairs::collider(const Task& task, const Way& way, Found& found) const {
  const auto other = static_cast<int32_t>(model_.bodies.size()) + task.b;
  const double begins = model_.contact_rule(task.a, other).thickness,
               half = into_collider * half_thickness(model_.colliders[task.b]);
  std::vector<Nearest> walls;
  for (int32_t v = task.range.begin; v < task.range.end; ++v) {
    const int32_t node = surface_.vertices[v];
    if (held_[node]) continue;
    const double length = norm(way.step(node));
    walls.clear();
    colliders_.walls(task.b, way.from[node], inputs_, walls);
    for (size_t w = 0; w < walls.size(); ++w) {
      const double distance = walls[w].distance;
      if (distance - length >= begins) continue;
      BarrierPair pair{.node = {node, -1, -1, -1},
                       .collider = task.b,
                       .wall = static_cast<int32_t>(w),
                       .body = {task.a, other}};
      measure_from_collider(pair);
      found.pairs.push_back(pair);
      const double deepest = std::max(distance, 0.0) + half;
      if (length > deepest) found.touch = std::min(found.touch, deepest / length);
    }
  }
}

void BarrierPairs::features(const Task& task, const Way& way, Found& found) const {
  const auto other = static_cast<int32_t>(model_.bodies.size()) + task.b;
  const bool edges = task.kind == Task::Kind::collider_edges;
  const ColliderFeatures& features = features_[task.b];
  const double reach = std::max(model_.contact_rule(task.a, other).thickness, beyond_sheet * edge_[task.a]) +
                       features.radius();
  const model::Pose pose = colliders_.pose(task.b, inputs_);
  const Mat3d back = transpose(pose.A);
  for (int32_t p = task.range.begin; p < task.range.end; ++p) {
    BarrierPair pair{.collider = task.b, .edges = edges, .body = {task.a, other}};
    Box box;
    bool held = true;
    for (int k = 0; k < (edges ? 2 : 3); ++k) {
      const int32_t node = pair.node[k] = edges ? surface_.edges[p][k] : surface_.triangles[p][k];
      box.add(back * (way.from[node] - pose.b));
      box.add(back * (way.to[node] - pose.b));
      held = held && held_[node];
    }
    box = box.grown(reach);
    if (held || !box.meets(features.bounds())) continue;
    pair.borders = edges ? surface_.borders_of_edge(p) : surface_.borders_of_triangle(p);
    (edges ? features.edge_tree() : features.corner_tree()).query(box, [&](int32_t i) {
      pair.node[edges ? 2 : 3] = -2 - i;
      add_feature(pair, way, found);
    });
  }
}

// Takes a pair in if it can come within its thickness on the way. A sheet may be pierced by a little, as its vertices may enter: what
// would go further on the way shortens it.
void BarrierPairs::add_feature(const BarrierPair& candidate, const Way& way, Found& found) const {
  BarrierPair pair = candidate;
  const Corners x0 = corners(pair, way.from, inputs_);
  double approach2 = 0;
  for (int k = 0; k < pair.count(); ++k) approach2 = std::max(approach2, norm2(way.step(pair.node[k])));
  const double approach = std::sqrt(approach2),
               begins = model_.contact_rule(pair.body[0], pair.body[1]).thickness;
  const ColliderFeatures& features = features_[pair.collider];
  const Separation at = features.separation(pair.edges, pair.feature(), x0, pair.borders, inputs_);
  if (at.distance - approach >= begins) return;
  measure_from_collider(pair);
  if (pair.edges)
    pair.parallel =
        nearly_parallel * norm2(surface_.X[pair.node[1]] - surface_.X[pair.node[0]]) * norm2(x0[3] - x0[2]);
  found.pairs.push_back(pair);
  const double further = std::max(through_sheet * edge_[pair.body[0]], into_collider * features.radius());
  if (approach <= std::max(at.apart, 0.0)) return;
  double room = further;
  if (at.apart > 0) {
    Corners x1 = x0;
    for (int k = 0; k < pair.count(); ++k) x1[k] = way.to[pair.node[k]];
    const auto touch =
        pair.edges ? first_touch_edges(x0, x1)
                   : first_touch_point_triangle({x0[3], x0[0], x0[1], x0[2]}, {x1[3], x1[0], x1[1], x1[2]});
    if (!touch) return;
    // A ball is left with the rest of its radius.
    room = features.radius() > 0 ? std::max(at.distance, 0.0) + further : *touch * approach + further;
  }
  if (approach > room) found.touch = std::min(found.touch, room / approach);
}

double BarrierPairs::scale(const BarrierPair& pair) const {
  return pair.thickness * stiffness_.barrier_force(pair.node, pair.edges, pair.thickness, dt_);
}

}  // namespace sinew::contact

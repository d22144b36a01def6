#include "contact/detect.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"

namespace sinew::contact {

namespace {

constexpr int32_t block = 64;  // vertices or edges of a task

bool by_key(const Pair& a, const Pair& b) { return a.key() < b.key(); }

// Sorts by key, and keeps the first of those that have the same.
void sort_unique(std::vector<Pair>& pairs) {
  std::stable_sort(pairs.begin(), pairs.end(), by_key);
  pairs.erase(std::unique(pairs.begin(), pairs.end(),
                          [](const Pair& a, const Pair& b) { return a.key() == b.key(); }),
              pairs.end());
}

double smallest_extent(const Box& box) {
  const Vec3d size = box.high - box.low;
  return std::min({size[0], size[1], size[2]});
}

// A primitive that crosses something of a body in the motion: the vertex or edge, and the body.
using Crosser = std::array<int32_t, 3>;

std::vector<Crosser> crossers(const std::vector<Pair>& crossing) {
  std::vector<Crosser> list;
  for (const Pair& pair : crossing) {
    list.push_back({pair.node[0], pair.edges ? pair.node[1] : -1, pair.body[1]});
    if (pair.edges) list.push_back({pair.node[2], pair.node[3], pair.body[0]});
  }
  std::sort(list.begin(), list.end());
  return list;
}

bool crosses(const std::vector<Crosser>& list, const Pair& pair) {
  const auto has = [&](const Crosser& crosser) {
    return std::binary_search(list.begin(), list.end(), crosser);
  };
  if (!pair.edges) return has({pair.node[0], -1, pair.body[1]});
  return has({pair.node[0], pair.node[1], pair.body[1]}) || has({pair.node[2], pair.node[3], pair.body[0]});
}

// The points of what crosses something of a body in the motion, and the body.
std::vector<std::array<int32_t, 2>> crossing_points(const std::vector<Pair>& crossing) {
  std::vector<std::array<int32_t, 2>> list;
  for (const Pair& pair : crossing)
    for (int k = 0; k < 4; ++k) list.push_back({pair.node[k], pair.body[k < (pair.edges ? 2 : 1)]});
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

Detector::Detector(const model::Model& model)
    : model_(model),
      surface_(model),
      colliders_(model),
      held_(rigidly_held(model)),
      stiffness_(model, surface_),
      moving_(surface_),
      narrow_(model, surface_, moving_, stiffness_, held_),
      collider_pairs_(model, surface_, colliders_, stiffness_, held_),
      longest_edge_(model.bodies.size(), 0.0),
      thickness_(model.bodies.size(), 0.0) {
  for (size_t v = 0; v < surface_.vertices.size(); ++v) {
    double& longest = longest_edge_[surface_.vertex_body[v]];
    longest = std::max(longest, surface_.edge_length[v]);
  }
  if (model.contact.rules.empty()) return;
  for (size_t a = 0; a < model.bodies.size(); ++a)
    for (size_t b = 0; b < model.bodies.size(); ++b) {
      const auto& rule = model.contact_rule(static_cast<int32_t>(a), static_cast<int32_t>(b));
      if (rule.on) thickness_[a] = std::max(thickness_[a], rule.thickness);
    }
}

Motion Detector::of_points(const Motion& motion) {
  return {model::contact_points(model_, motion.x0, points0_), motion.inputs0,
          model::contact_points(model_, motion.x1, points1_), motion.inputs1, motion.dt};
}

void Detector::find(const Motion& nodes, ContactSet& set) {
  const Motion motion = of_points(nodes);
  set.pairs.clear();
  plan(motion, true);
  run(true);
  look_inside();
  gather(set.pairs);
  collider_pairs_.find(motion, moving_, set.pairs);
  add_sliding(set.pairs);
  sort_unique(set.pairs);
}

void Detector::crossings(const Motion& motion, std::vector<Pair>& found) {
  plan(of_points(motion), false);
  run(false);
  found.clear();
  for (size_t i = 0; i < tasks_.size(); ++i)
    found.insert(found.end(), found_[i].crossing.begin(), found_[i].crossing.end());
  sort_unique(found);
}

void Detector::sliding(const Motion& nodes, std::vector<Pair>& found) {
  found.clear();
  if (model_.sliding.empty()) return;
  const Motion motion = of_points(nodes);
  moving_.move(motion.x0, motion.x1, false);
  narrow_.begin(motion);
  add_sliding(found);
  sort_unique(found);
}

void Detector::near_colliders(const Motion& nodes, std::vector<Pair>& found) {
  found.clear();
  if (model_.colliders.empty()) return;
  const Motion motion = of_points(nodes);
  moving_.move(motion.x0, motion.x1, model_.contact.continuous);
  collider_pairs_.find(motion, moving_, found);
  sort_unique(found);
}

// The broad phase: picks the blocks of primitives of bodies that are to meet and whose boxes overlap.
void Detector::plan(const Motion& motion, bool nearby) {
  tasks_.clear();
  int64_t states = 0;
  moving_.move(motion.x0, motion.x1, model_.contact.continuous || !nearby);
  narrow_.begin(motion);
  const auto add = [&](int32_t a, int32_t b, bool edges) {
    const model::Range range = edges ? surface_.parts[a].edges : surface_.parts[a].vertices;
    for (int32_t begin = range.begin; begin < range.end; begin += block)
      tasks_.push_back({a, b, edges, {begin, std::min(begin + block, range.end)}, states});
    if (!edges) states += range.size();
  };
  if (!model_.contact.rules.empty()) {
    std::vector<Box> boxes;
    for (size_t b = 0; b < model_.bodies.size(); ++b)
      boxes.push_back(
          moving_.swept(static_cast<int32_t>(b)).grown(nearby ? reach(static_cast<int32_t>(b)) : 0));
    Bvh tree;
    tree.build(boxes);
    std::vector<std::array<int32_t, 2>> pairs;
    overlaps(tree, pairs);
    for (const auto& [a, b] : pairs) {
      if (!model_.contact_rule(a, b).on) continue;
      add(a, b, false);
      add(b, a, false);
      add(a, b, true);
    }
    for (size_t b = 0; b < model_.bodies.size(); ++b) {
      const auto body = static_cast<int32_t>(b);
      if (!model_.contact_rule(body, body).on) continue;
      add(body, body, false);
      add(body, body, true);
    }
  }
  if (found_.size() < tasks_.size()) found_.resize(tasks_.size());
  where_.assign(nearby ? states : 0, Narrow::Where::beyond);
}

// At least what Narrow looks for around any vertex or edge of a body.
double Detector::reach(int32_t body) const {
  return thickness_[body] + std::max(longest_edge_[body], moving_.longest_edge(body));
}

void Detector::run(bool nearby) {
  for_each_index(static_cast<int64_t>(tasks_.size()), [&](int64_t i) {
    const Task& task = tasks_[i];
    Found& found = found_[i];
    found.clear();
    const Box around = moving_.swept(task.b).grown(nearby ? reach(task.a) : 0);
    const Motion& motion = narrow_.motion();
    for (int32_t p = task.range.begin; p < task.range.end; ++p) {
      Box box;
      const auto add = [&](int32_t node) {
        box.add(motion.x0[node]);
        box.add(motion.x1[node]);
      };
      if (task.edges) {
        add(surface_.edges[p][0]);
        add(surface_.edges[p][1]);
      } else {
        add(surface_.vertices[p]);
      }
      if (!box.meets(around)) continue;
      if (nearby && task.edges)
        narrow_.edge(p, task.b, found);
      else if (nearby)
        where_[task.where + p - surface_.parts[task.a].vertices.begin] = narrow_.vertex(p, task.b, found);
      else if (task.edges)
        narrow_.edge_crossings(p, task.b, found);
      else
        narrow_.vertex_crossings(p, task.b, found);
    }
  });
}

void Detector::look_inside() {
  std::vector<int64_t> first;  // task of each pair of bodies
  for (size_t i = 0; i < tasks_.size(); ++i)
    if (!tasks_[i].edges && tasks_[i].a != tasks_[i].b && surface_.solid[tasks_[i].b] &&
        tasks_[i].range.begin == surface_.parts[tasks_[i].a].vertices.begin)
      first.push_back(static_cast<int64_t>(i));
  for_each_index(static_cast<int64_t>(first.size()),
                 [&](int64_t i) { look_inside(tasks_[first[i]], found_[first[i]].near); });
}

// Vertices of a that have nothing of b near them may still lie deep inside b. Neighbours among them are on the same side,
// and those next to a vertex beyond b's box are outside: one vertex of each remaining patch has to be asked.
void Detector::look_inside(const Task& task, std::vector<Pair>& pairs) {
  const model::Range range = surface_.parts[task.a].vertices;
  const auto where = [&](int32_t vertex) -> Narrow::Where& {
    return where_[task.where + vertex - range.begin];
  };
  const auto position = [&](int32_t vertex) { return narrow_.motion().x1[surface_.vertices[vertex]]; };
  std::vector<int32_t> patch;
  for (int32_t v = range.begin; v < range.end; ++v) {
    if (where(v) != Narrow::Where::far) continue;
    patch.assign(1, v);
    where(v) = Narrow::Where::near;  // done
    bool outside = false;
    for (size_t i = 0; i < patch.size(); ++i)
      for (int32_t e : surface_.edges_around.row(patch[i])) {
        const int32_t other =
            surface_
                .vertex_of_point[surface_.edges[e][0] + surface_.edges[e][1] - surface_.vertices[patch[i]]];
        outside = outside || where(other) == Narrow::Where::beyond;
        if (where(other) != Narrow::Where::far) continue;
        where(other) = Narrow::Where::near;
        patch.push_back(other);
      }
    if (outside || !(narrow_.closest(position(v), task.b, narrow_.motion().x1).distance < 0)) continue;
    for (int32_t vertex : patch)
      narrow_.inside(vertex, narrow_.closest(position(vertex), task.b, narrow_.motion().x1), pairs);
  }
}

void Detector::gather(std::vector<Pair>& pairs) {
  crossing_.clear();
  for (size_t i = 0; i < tasks_.size(); ++i)
    crossing_.insert(crossing_.end(), found_[i].crossing.begin(), found_[i].crossing.end());
  sort_unique(crossing_);
  const std::vector<Crosser> list = crossers(crossing_);
  const bool sheets = std::find(surface_.solid.begin(), surface_.solid.end(), false) != surface_.solid.end();
  const auto points = crossing_points(sheets ? crossing_ : std::vector<Pair>());
  // Beside the border of a sheet a vertex comes to the other side without crossing it, where its edges do cross.
  const auto beside_crossing = [&](const Pair& pair) {
    if (points.empty() || (surface_.solid[pair.body[0]] && surface_.solid[pair.body[1]]) ||
        dot(pair.normal, pair.start) > 0)
      return false;
    for (int k = 0; k < 4; ++k)
      if (std::binary_search(points.begin(), points.end(),
                             std::array{pair.node[k], pair.body[k < (pair.edges ? 2 : 1)]}))
        return true;
    return false;
  };
  pairs = crossing_;  // first: sort_unique keeps them

  // A vertex deeper than half of the thinner body is as likely to be pushed out on the wrong side: it counts only where
  // no other vertex tells. In a sheet nothing is deep.
  const auto extent = [&](int32_t body) {
    return surface_.solid[body] ? smallest_extent(moving_.end(body))
                                : std::numeric_limits<double>::infinity();
  };
  const auto deep = [&](const Pair& pair) {
    return pair.gap < 0 && pair.gap < -0.5 * std::min(extent(pair.body[0]), extent(pair.body[1]));
  };
  const auto bodies_of = [](const Pair& pair) {
    return std::array<int32_t, 2>{std::min(pair.body[0], pair.body[1]), std::max(pair.body[0], pair.body[1])};
  };
  std::vector<std::array<int32_t, 2>> told;  // bodies
  std::vector<const Pair*> kept;
  for (size_t i = 0; i < tasks_.size(); ++i)
    for (const Pair& pair : found_[i].near) {
      // A pair that crosses keeps to the side it came from.
      if (!list.empty() && crosses(list, pair) && (pair.gap < 0 || dot(pair.normal, pair.start) <= 0))
        continue;
      if (beside_crossing(pair)) continue;
      kept.push_back(&pair);
      if (pair.gap < 0 && !deep(pair)) told.push_back(bodies_of(pair));
    }
  std::sort(told.begin(), told.end());
  for (const Pair* pair : kept)
    if (!deep(*pair) || !std::binary_search(told.begin(), told.end(), bodies_of(*pair)))
      pairs.push_back(*pair);
}

void Detector::add_sliding(std::vector<Pair>& pairs) const {
  const Motion& motion = narrow_.motion();
  const size_t before = pairs.size();
  pairs.resize(before + model_.sliding.size());
  for_each_block(static_cast<int64_t>(model_.sliding.size()), block, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const model::SlidingLink& link = model_.sliding[i];
      const Narrow::Closest closest = narrow_.closest(motion.x1[link.node], link.body, motion.x1);
      Pair& pair = pairs[before + i];
      if (closest.triangle < 0) continue;
      pair = narrow_.vertex_pair(link.node, closest.triangle, closest.on.weight);
      pair.two_sided = true;
      // Near the surface the direction to it is lost in rounding.
      const double distance = std::abs(closest.distance);
      const bool clear =
          distance > 1e-6 * std::sqrt(norm2(moving_.end(link.body).high - moving_.end(link.body).low));
      pair.normal = clear ? normalized(closest.to * closest.distance) : closest.normal;
      pair.gap = dot(pair.normal, closest.to);
      pair.thickness = link.gap;
      pair.stiffness = link.stiffness;
    }
  });
  std::erase_if(pairs, [](const Pair& pair) { return pair.node[0] < 0; });
}

}  // namespace sinew::contact

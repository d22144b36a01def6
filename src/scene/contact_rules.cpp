// Builds the contact rules: which bodies and colliders touch, and how; and finds what overlaps at the start.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/barrier_pairs.h"
#include "contact/detect.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

using model::ContactRule;

constexpr double body_thickness = 0.1;  // of the mean surface edge
constexpr double min_share = 1e-3;      // of it, where bodies start closer or touch
constexpr double automatic = -1;        // a thickness that no entry gave

// The sizes that bound the thickness of a body's contacts [m].
struct Sizes {
  double mean_edge = 0, smallest_edge = std::numeric_limits<double>::infinity(), smallest_extent = 0;

  explicit Sizes(const BodyParts& body) {
    const auto& X = body.mesh.vertices;
    for (const auto& t : body.boundary.triangles)
      for (int k = 0; k < 3; ++k) {
        const double edge = norm(X[t[k]] - X[t[(k + 1) % 3]]);
        mean_edge += edge / (3.0 * static_cast<double>(body.boundary.triangles.size()));
        smallest_edge = std::min(smallest_edge, edge);
      }
    const mesh::Bounds box = mesh::bounding_box(X);
    const Vec3d extent = box.high - box.low;
    smallest_extent = std::min({extent[0], extent[1], extent[2]});
  }
  double most() const { return std::min(smallest_edge, smallest_extent / 2); }
};

class Rules {
 public:
  explicit Rules(Building& building)
      : building_(building),
        plan_(building.built.model.contact),
        bodies_(static_cast<int32_t>(building.bodies.size())),
        all_(bodies_ + static_cast<int32_t>(building.built.model.colliders.size())) {
    for (const BodyParts& body : building.bodies) sizes_.emplace_back(body);
  }

  void fill(const Json* contact) {
    const double friction = contact ? (*contact)["friction"].number() : 0;
    const Json* stiffness = contact ? contact->find("stiffness") : nullptr;
    plan_.rules.assign(size_t(bodies_) * all_, {.on = contact != nullptr,
                                                .friction = friction,
                                                .thickness = automatic,
                                                .stiffness = stiffness ? stiffness->number() : 0});
    for (int32_t a = 0; a < bodies_; ++a) {
      if (contact) rule(a, a).on = (*contact)["self"].boolean();
      for (int32_t b = bodies_; b < all_; ++b) rule(a, b).on = true;
    }
    if (contact) {
      const Json& pairs = (*contact)["pairs"];
      for (size_t i = 0; i < pairs.size(); ++i) add(pairs.item(i), "/contact/pairs/" + std::to_string(i));
    }
    set_thickness(contact ? contact->find("thickness") : nullptr);
  }

 private:
  ContactRule& rule(int32_t a, int32_t b) { return plan_.rules[size_t(a) * all_ + b]; }

  void add(const Json& json, const std::string& path) {
    const Json& between = json["between"];
    const std::vector<int32_t> first = building_.find_members(between.item(0), path + "/between/0"),
                               second = building_.find_members(between.item(1), path + "/between/1");
    if (first.empty() || second.empty()) return;
    const Json *on = json.find("contact"), *friction = json.find("friction"),
               *thickness = json.find("thickness"), *stiffness = json.find("stiffness");
    const auto set = [&](ContactRule& rule) {
      if (on) rule.on = on->boolean();
      if (friction) rule.friction = friction->number();
      if (thickness) rule.thickness = thickness->number();
      if (stiffness) rule.stiffness = stiffness->number();
    };
    bool any = false;
    for (int32_t a : first)
      for (int32_t b : second) {
        if (std::min(a, b) >= bodies_) continue;
        any = true;
        if (thickness && !fits(*thickness, path + "/thickness", a, b)) return;
        if (a < bodies_) set(rule(a, b));
        if (b < bodies_ && b != a) set(rule(b, a));
      }
    if (!any)
      building_.problem(between, path + "/between",
                        "found colliders alone behind these names, expected a body behind one of them");
  }

  // False, with a problem, where the thickness is larger than one of the two.
  bool fits(const Json& thickness, const std::string& path, int32_t a, int32_t b) {
    for (int32_t i : {a, b}) {
      if (i >= bodies_ || thickness.number() <= sizes_[i].most()) continue;
      const bool edge = thickness.number() > sizes_[i].smallest_edge;
      building_.problem(thickness, path,
                        "found " + json::number_text(thickness.number()) + " m, expected at most " +
                            json::number_text(sizes_[i].most()) +
                            " m: " + (edge ? "the smallest surface edge" : "half of the smallest extent") +
                            " of the body " + json::quote(building_.bodies[i].name));
      return false;
    }
    return true;
  }

  void set_thickness(const Json* given) {
    for (int32_t a = 0; a < bodies_; ++a)
      for (int32_t b = 0; b < all_; ++b) {
        ContactRule& r = rule(a, b);
        if (r.thickness != automatic) continue;
        if (given && r.on && !fits(*given, "/contact/thickness", a, b)) return;
        if (given) {
          r.thickness = given->number();
        } else if (b >= bodies_) {
          r.thickness = 0;
        } else {
          // A graded mesh may have edges shorter than the thickness of its mean one.
          const Sizes &s = sizes_[a], &t = sizes_[b];
          r.thickness = std::min({body_thickness * s.mean_edge, body_thickness * t.mean_edge,
                                  s.smallest_edge / 2, t.smallest_edge / 2});
          if (r.on && a != b)
            r.thickness = std::clamp(gap(a, b, r.thickness), min_share * r.thickness, r.thickness);
        }
      }
  }

  // Between two bodies at rest, as far as it is below the limit [m]: they must not start pressed.
  double gap(int32_t a, int32_t b, double limit) {
    double least = limit;
    for (const auto& [i, j] : {std::pair(a, b), std::pair(b, a)}) {
      const BodyParts &one = building_.bodies[i], &other = building_.bodies[j];
      std::unique_ptr<geometry::MeshDistance>& distance = distances_[j];
      if (!distance)
        distance = std::make_unique<geometry::MeshDistance>(other.mesh.vertices, other.boundary.triangles);
      const geometry::Box reach = distance->tree().bounds().grown(limit);
      for (const auto& triangle : one.boundary.triangles)
        for (int32_t node : triangle) {
          const Vec3d& p = one.mesh.vertices[node];
          if (!reach.meets({p, p})) continue;
          if (const auto found = distance->closest(p, least); found.triangle >= 0)
            least = std::min(least, std::max(found.distance, 0.0));
        }
    }
    return least;
  }

  Building& building_;
  model::ContactPlan& plan_;
  std::map<int32_t, std::unique_ptr<geometry::MeshDistance>> distances_;  // of the surfaces of bodies
  int32_t bodies_, all_;
  std::vector<Sizes> sizes_;
};

// "57 vertices and edges of 3 pairs of bodies overlap ...; the deepest: "a" in "b", 0.01 m at (1, 2, 3)".
std::string overlap_text(const model::Model& model, std::span<const contact::Overlap> overlaps) {
  int64_t count = 0;
  const contact::Overlap* deepest = &overlaps[0];
  for (const contact::Overlap& overlap : overlaps) {
    count += overlap.count;
    if (overlap.depth > deepest->depth) deepest = &overlap;
  }
  const std::string &a = model.bodies[deepest->a].name, &b = model.bodies[deepest->b].name;
  return std::to_string(overlaps.size()) + (overlaps.size() == 1 ? " pair" : " pairs") +
         " of bodies overlap at the start (" + std::to_string(count) +
         " vertices inside and edges through); the deepest: " +
         (deepest->a == deepest->b ? json::quote(a) + " and itself"
                                   : json::quote(a) + " and " + json::quote(b)) +
         ", " + json::number_text(deepest->depth) + " m at " + point_text(deepest->where);
}

}  // namespace

void add_contacts(Building& building) {
  model::Model& model = building.built.model;
  const Json& scene = building.scene.resolved;
  const Json* contact = scene.find("contact");
  if (model.colliders.size() != scene["colliders"].size()) return;  // told already
  if (contact) {
    model.contact.continuous = (*contact)["continuous"].boolean();
    model.contact.rounds = static_cast<int32_t>((*contact)["rounds"].number());
  } else if (model.colliders.empty()) {
    return;
  }
  const auto bodies = static_cast<double>(model.bodies.size());
  const double bytes = bodies * (bodies + static_cast<double>(model.colliders.size())) * sizeof(ContactRule);
  if (bytes > static_cast<double>(building.available_bytes)) {
    building.problem(scene[contact ? "contact" : "colliders"], contact ? "/contact" : "/colliders",
                     "found " + std::to_string(model.bodies.size()) + " bodies, whose pairs need about " +
                         bytes_text(bytes) + " of memory; expected no more than the " +
                         bytes_text(static_cast<double>(building.available_bytes)) + " that are available");
    return;
  }
  Rules(building).fill(contact);
}

namespace {

// No surfaces are so close at x that a barrier could not part them.
bool apart(const model::Model& model, std::span<const Vec3d> x) {
  constexpr double least = 1e-3;  // of the thickness
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(0, inputs);
  contact::BarrierPairs pairs(model);
  pairs.begin(inputs, 0);
  pairs.clear_way(x, x);
  return std::none_of(pairs.list().begin(), pairs.list().end(), [&](const contact::BarrierPair& pair) {
    return pair.collider < 0 && pairs.separation(pair, x, inputs).distance < least * pair.thickness;
  });
}

// The key `response`.
void choose_response(Building& building, const Json* contact) {
  Built& built = building.built;
  model::Model& model = built.model;
  if (model.contact.rules.empty() || (contact && (*contact)["response"].text() != "auto")) return;
  const bool able = built.settings.mode == step::Mode::dynamic && built.method &&
                    (built.method->name == "newton" || built.method->name == "hybrid");
  const bool soft = std::any_of(model.contact.rules.begin(), model.contact.rules.end(),
                                [](const ContactRule& rule) { return rule.on && rule.stiffness > 0; });
  if (!able || soft || !model.contact.continuous || !model.sliding.empty()) return;
  model.contact.barrier = apart(model, initial_state(built, model::StateLayout()).x());
}

}  // namespace

void look_for_overlaps(Building& building) {
  Built& built = building.built;
  model::Model& model = built.model;
  const Json* contact = building.scene.resolved.find("contact");
  if (!contact || model.contact.rules.empty()) return choose_response(building, contact);
  const model::State start = initial_state(built, model::StateLayout());
  std::vector<contact::Overlap> overlaps = contact::find_overlaps(model, contact::Surface(model), start.x());
  std::erase_if(overlaps, [&](const contact::Overlap& o) { return !model.contact_rule(o.a, o.b).on; });
  if (overlaps.empty()) return choose_response(building, contact);
  const std::string text = overlap_text(model, overlaps), &choice = (*contact)["overlap"].text();
  if (choice == "stop") {
    building.problem((*contact)["overlap"], "/contact/overlap",
                     text +
                         "; expected bodies apart: move them, or set \"overlap\" to \"ignore\" (what "
                         "overlaps passes through) or \"separate\" (contact pushes it apart)");
  } else if (choice == "ignore") {
    auto& ignored = model.contact.ignored;
    for (const contact::Overlap& overlap : overlaps)
      ignored.insert(ignored.end(), overlap.ignored.begin(), overlap.ignored.end());
    std::sort(ignored.begin(), ignored.end());
    ignored.erase(std::unique(ignored.begin(), ignored.end()), ignored.end());
    built.notes.push_back(text + "; " + std::to_string(ignored.size()) +
                          " vertices and the edges at them are left out of the contact between those two");
    choose_response(building, contact);
  } else {
    built.notes.push_back(text + "; contact pushes them apart");
  }
}

}  // namespace sinew::scene

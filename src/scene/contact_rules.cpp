// Builds the contact rules: which bodies and colliders touch, and how.
#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/mesh_distance.h"
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
  double sheet = 0;        // the thickness of a sheet; 0: it is none
  bool any_edges = false;  // of these the mean one counts

  // X: of all points at rest. A skin or a sheet may have any small edges: what is close to itself at rest does not touch there, or is
  // less thick.
  Sizes(const model::Model& model, size_t body, std::span<const Vec3d> X) {
    const std::vector<model::Triangle>& triangles = model.touching_surface(body);
    mean_edge = scene::mean_edge(X, triangles);
    any_edges = &triangles != &model.bodies[body].surface || model.bodies[body].kind->is_triangle();
    if (any_edges) smallest_edge = mean_edge;
    for (const auto& t : triangles)
      for (int k = 0; k < 3 && !any_edges; ++k)
        smallest_edge = std::min(smallest_edge, norm(X[t[k]] - X[t[(k + 1) % 3]]));
    const model::Range nodes = model.bodies[body].visible();
    const mesh::Bounds box = mesh::bounding_box(X.subspan(nodes.begin, nodes.size()));
    const Vec3d extent = box.high - box.low;
    smallest_extent = std::min({extent[0], extent[1], extent[2]});
    if (!model.bodies[body].kind->is_triangle()) return;
    sheet = std::min(model.bodies[body].thickness, smallest_edge / 2);
    smallest_extent = std::numeric_limits<double>::infinity();
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
    const model::Model& model = building.built.model;
    points_ = model::contact_points(model, model.X, carried_);
    for (size_t b = 0; b < model.bodies.size(); ++b) sizes_.emplace_back(model, b, points_);
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
                            json::number_text(sizes_[i].most()) + " m: " +
                            (!edge                 ? "half of the smallest extent"
                             : sizes_[i].any_edges ? "the mean surface edge"
                                                   : "the smallest surface edge") +
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
          r.thickness = sizes_[a].sheet / 2;
        } else if (sizes_[a].sheet > 0 || sizes_[b].sheet > 0) {
          // A sheet reaches from its middle to both sides by half of its thickness.
          r.thickness = (sizes_[a].sheet + sizes_[b].sheet) / 2;
          if (r.on && a != b)
            r.thickness = std::clamp(gap(a, b, r.thickness), min_share * r.thickness, r.thickness);
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
      const model::Model& model = building_.built.model;
      std::unique_ptr<geometry::MeshDistance>& distance = distances_[j];
      if (!distance) distance = std::make_unique<geometry::MeshDistance>(points_, model.touching_surface(j));
      const geometry::Box reach = distance->tree().bounds().grown(limit);
      for (const auto& triangle : model.touching_surface(i))
        for (int32_t point : triangle) {
          const Vec3d& p = points_[point];
          if (!reach.meets({p, p})) continue;
          if (const auto found = distance->closest(p, least); found.triangle >= 0)
            least = std::min(least,
                             sizes_[j].sheet > 0 ? std::abs(found.distance) : std::max(found.distance, 0.0));
        }
    }
    return least;
  }

  Building& building_;
  model::ContactPlan& plan_;
  std::vector<Vec3d> carried_;
  std::span<const Vec3d> points_;                                         // that touch, at rest
  std::map<int32_t, std::unique_ptr<geometry::MeshDistance>> distances_;  // of the surfaces of bodies
  int32_t bodies_, all_;
  std::vector<Sizes> sizes_;
};

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
  if (!contact || (*contact)["skins"].boolean()) touch_with_skins(building);
  Rules(building).fill(contact);
}

}  // namespace sinew::scene

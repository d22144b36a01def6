// Contact at the start: what overlaps, what touches, and which response such a scene can have.
#include <algorithm>
#include <cmath>
#include <map>

#include "contact/barrier_pairs.h"
#include "contact/detect.h"
#include "model/dof_map.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

using model::ContactRule;

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

// ""head" passes through itself at rest, at 12 edges, one at (1, 2, 3)".
std::string own_text(const model::Model& model, std::span<const contact::Overlap> own) {
  std::string text;
  for (const contact::Overlap& overlap : own)
    text += (text.empty() ? "" : ", ") + json::quote(model.bodies[overlap.a].name) +
            " passes through itself at rest, at " + std::to_string(overlap.count) + " edges, one at " +
            point_text(overlap.where);
  return text;
}

constexpr double least_gap = 1e-3;  // of the thickness, that a barrier can widen
constexpr double most_room = 1e-3;  // that a vertex is given, over the edges around it

std::vector<double> inputs_at_start(const model::Model& model) {
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(0, inputs);
  return inputs;
}

// The points at x that touch another surface, or are too close to it for a barrier, and the thickness of that contact.
std::map<int32_t, double> touching(contact::BarrierPairs& pairs, std::span<const Vec3d> x) {
  const model::Model& model = pairs.model();
  const std::vector<double> inputs = inputs_at_start(model);
  pairs.begin(inputs, 0);
  pairs.clear_way(x, x);
  std::map<int32_t, double> found;
  for (const contact::BarrierPair& pair : pairs.list()) {
    if (pair.collider >= 0) continue;
    const contact::Separation at = pairs.separation(pair, x, inputs);
    for (int k = 0; k < 4 && at.distance < least_gap * pair.thickness; ++k)
      if (std::abs(at.weight[k]) > 1e-9) found[pair.node[k]] = std::max(found[pair.node[k]], pair.thickness);
  }
  return found;
}

// Bodies that start on each other are given the room that a barrier needs: vertices that touch move inwards by the thickness, which
// is small where bodies start close. Those of sheets, which have no inside, stay. False: some are not free to move, and x is as before.
bool part(contact::BarrierPairs& pairs, const std::map<int32_t, double>& touch, std::vector<Vec3d>& x) {
  const contact::Surface& surface = pairs.surface();
  const std::vector<char> held = contact::rigidly_held(pairs.model());
  std::vector<Vec3d> moved = x;
  for (const auto& [point, thickness] : touch) {
    if (point >= static_cast<int32_t>(x.size())) return false;  // of a skin
    const int32_t vertex = surface.vertex_of_point[point];
    if (!held[point] && surface.solid[surface.vertex_body[vertex]])
      moved[point] -= surface.vertex_normal(vertex, x) *
                      (2 * std::min(thickness, most_room * surface.edge_length[vertex]));
  }
  model::DofMap dofs(pairs.model());  // nodes on planes and lines stay there
  dofs.set_targets(inputs_at_start(pairs.model()));
  dofs.retract(moved);
  if (!touching(pairs, moved).empty()) return false;
  x = std::move(moved);
  return true;
}

// The key `response`.
void choose_response(Building& building, const Json* contact) {
  Built& built = building.built;
  model::Model& model = built.model;
  if (model.contact.rules.empty() || (contact && (*contact)["response"].text() != "auto")) return;
  const bool able = built.method && built.method->barrier;
  const bool soft = std::any_of(model.contact.rules.begin(), model.contact.rules.end(),
                                [](const ContactRule& rule) { return rule.on && rule.stiffness > 0; });
  const auto bodies = static_cast<int32_t>(model.bodies.size());
  bool bare = false;  // without a thickness there is nothing for a barrier to rise in
  for (int32_t a = 0; a < bodies; ++a)
    for (int32_t b = a; b < bodies; ++b)
      bare |= model.contact_rule(a, b).on && !(model.contact_rule(a, b).thickness > 0);
  if (!able || soft || bare || !model.contact.continuous || !model.sliding.empty()) return;
  const model::State start = initial_state(built, model::StateLayout());
  std::vector<Vec3d> x(start.x().begin(), start.x().end());
  contact::BarrierPairs pairs(model);
  const std::map<int32_t, double> touch = touching(pairs, x);
  model.contact.barrier = touch.empty() || part(pairs, touch, x);
  if (touch.empty() || !model.contact.barrier) return;
  if (built.x0.empty()) built.v0.assign(x.size(), Vec3d::zero());
  built.x0 = std::move(x);
}

// Leaves vertices, and the edges at them, out of the contact between the two.
void ignore(Building& building, std::span<const contact::Overlap> overlaps, const std::string& text) {
  auto& ignored = building.built.model.contact.ignored;
  const size_t before = ignored.size();
  for (const contact::Overlap& overlap : overlaps)
    ignored.insert(ignored.end(), overlap.ignored.begin(), overlap.ignored.end());
  std::sort(ignored.begin(), ignored.end());
  ignored.erase(std::unique(ignored.begin(), ignored.end()), ignored.end());
  building.built.notes.push_back(text + "; " + std::to_string(ignored.size() - before) +
                                 " vertices and the edges at them are left out of the contact there");
}

// Bodies that are closer to each other than a skin is moved by being made coarser touch with theirs as it is. False: none is left.
bool keep_skins(Building& building, std::span<const contact::Overlap> overlaps) {
  bool changed = false;
  for (const contact::Overlap& overlap : overlaps) {
    if (overlap.a == overlap.b) continue;
    for (const int32_t b : {overlap.a, overlap.b}) {
      const auto& skins = building.built.model.contact.skins;
      if (skins.empty() || skins[b].empty() || !building.bodies[b].coarsen_skin) continue;
      building.bodies[b].coarsen_skin = false;
      changed = true;
    }
  }
  return changed;
}

}  // namespace

void look_for_overlaps(Building& building) {
  Built& built = building.built;
  model::Model& model = built.model;
  const Json* contact = building.scene.resolved.find("contact");
  if (!contact || model.contact.rules.empty()) return choose_response(building, contact);
  const contact::Surface surface(model);
  const auto overlaps_at = [&](std::span<const Vec3d> x, bool self) {
    std::vector<contact::Overlap> found = contact::find_overlaps(model, surface, x);
    std::erase_if(found, [&](const contact::Overlap& o) {
      return !model.contact_rule(o.a, o.b).on || (self && o.a != o.b);
    });
    return found;
  };
  const model::State start = initial_state(built, model::StateLayout());
  std::vector<contact::Overlap> overlaps = overlaps_at(start.x(), false);
  if (keep_skins(building, overlaps)) {
    add_contacts(building);
    return look_for_overlaps(building);
  }
  const std::string& choice = (*contact)["overlap"].text();
  if (choice == "separate") {
    if (overlaps.empty()) return choose_response(building, contact);
    built.notes.push_back(overlap_text(model, overlaps) + "; contact pushes them apart");
    return;
  }
  // A body whose shape at rest passes through itself is none that was put in the wrong place.
  if (const auto own = overlaps_at(model.X, true); !own.empty()) {
    ignore(building, own, own_text(model, own));
    std::erase_if(overlaps, [&](const contact::Overlap& o) {
      return o.a == o.b &&
             std::any_of(own.begin(), own.end(), [&](const auto& at_rest) { return at_rest.a == o.a; });
    });
  }
  if (overlaps.empty()) return choose_response(building, contact);
  const std::string text = overlap_text(model, overlaps);
  if (choice == "ignore") {
    ignore(building, overlaps, text);
    choose_response(building, contact);
  } else {
    building.problem((*contact)["overlap"], "/contact/overlap",
                     text +
                         "; expected bodies apart: move them, or set \"overlap\" to \"ignore\" (what "
                         "overlaps passes through) or \"separate\" (contact pushes it apart)");
  }
}

}  // namespace sinew::scene

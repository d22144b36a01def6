#include "scene/check_contact.h"

#include <algorithm>
#include <limits>

#include "contact/collider.h"
#include "mesh/properties.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

using model::Collider;

constexpr size_t max_named = 20;
constexpr double touching = 1e-9;  // depth that is rounding, over the size of the body

// "colliders: floor (plane), lid (box, moves)".
void list_colliders(const model::Model& model, std::vector<Finding>& out) {
  if (model.colliders.empty()) return;
  constexpr const char* shapes[] = {"plane", "sphere", "capsule", "box", "cylinder", "mesh"};
  constexpr const char* responses[] = {"", ", project", ", clamp"};
  std::string text;
  for (size_t c = 0; c < model.colliders.size() && c < max_named; ++c) {
    const Collider& collider = model.colliders[c];
    bool moves = false;
    for (const model::InputCurve::Block& block : model.inputs.blocks())
      if (block.first == collider.pose) moves = block.poses.size() > 1;
    text += (c ? ", " : "colliders: ") + collider.name + " (" + shapes[static_cast<int>(collider.shape)] +
            (collider.hollow ? ", hollow" : "") + (moves ? ", moves" : "") +
            responses[static_cast<int>(collider.response)] + ")";
  }
  if (model.colliders.size() > max_named)
    text += " and " + std::to_string(model.colliders.size() - max_named) + " more";
  out.push_back({Severity::note, text});
}

void count_pairs(const model::Model& model, std::vector<Finding>& out) {
  const auto bodies = static_cast<int32_t>(model.bodies.size());
  const auto all = bodies + static_cast<int32_t>(model.colliders.size());
  int64_t between = 0, self = 0, with_colliders = 0;
  double thinnest = std::numeric_limits<double>::infinity(), thickest = 0;
  for (int32_t a = 0; a < bodies; ++a)
    for (int32_t b = a; b < all; ++b) {
      const model::ContactRule& rule = model.contact_rule(a, b);
      if (!rule.on) continue;
      ++(b >= bodies ? with_colliders : b == a ? self : between);
      thinnest = std::min(thinnest, rule.thickness);
      thickest = std::max(thickest, rule.thickness);
    }
  std::string text = "contact: " + std::to_string(between) + " pairs of bodies, " + std::to_string(self) +
                     " bodies with themselves, " + std::to_string(with_colliders) +
                     " pairs of a body and a collider";
  if (between + self + with_colliders > 0)
    text += "; thickness " + json::number_text(thinnest) +
            (thickest > thinnest ? " to " + json::number_text(thickest) : "") + " m";
  out.push_back({Severity::note, text});
}

// The vertices of all bodies that start inside one collider.
struct Inside {
  int64_t vertices = 0;
  int32_t bodies = 0;
  int32_t whole = -1;  // a body that lies inside with all its surface
  double depth = 0;
  int32_t deepest = -1;  // point
};

Inside start_inside(const model::Model& model, const contact::ColliderShapes& shapes, int32_t c,
                    std::span<const Vec3d> x, std::span<const double> inputs) {
  Inside inside;
  const geometry::Box bounds = shapes.bounds(c, 0, inputs);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    if (!model.contact_rule(static_cast<int32_t>(b), static_cast<int32_t>(model.bodies.size()) + c).on)
      continue;
    const mesh::Bounds box = mesh::bounding_box(x.subspan(body.nodes.begin, body.visible().size()));
    if (!bounds.meets({box.low, box.high})) continue;
    std::vector<int32_t> nodes;
    for (const model::Triangle& t : model.touching_surface(b)) nodes.insert(nodes.end(), t.begin(), t.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    int64_t count = 0;
    for (int32_t node : nodes) {
      const double depth = -shapes.nearest(c, x[node], inputs).distance;
      if (!(depth > touching * norm(box.high - box.low))) continue;
      ++count;
      if (depth > inside.depth) {
        inside.depth = depth;
        inside.deepest = node;
      }
    }
    inside.vertices += count;
    inside.bodies += count > 0;
    if (count == static_cast<int64_t>(nodes.size()) && inside.whole < 0)
      inside.whole = static_cast<int32_t>(b);
  }
  return inside;
}

void look_inside(const Built& built, std::vector<Finding>& out) {
  const model::Model& model = built.model;
  const model::State start = initial_state(built, model::StateLayout());
  std::vector<double> inputs(model.inputs.size());
  model.inputs.evaluate(0, inputs);
  const contact::ColliderShapes shapes(model);
  std::vector<Vec3d> carried;
  const std::span<const Vec3d> points = model::contact_points(model, start.x(), carried);
  for (size_t c = 0; c < model.colliders.size(); ++c) {
    const Inside inside = start_inside(model, shapes, static_cast<int32_t>(c), points, inputs);
    if (inside.vertices == 0) continue;
    std::string text = std::to_string(inside.vertices) + " vertices of " + std::to_string(inside.bodies) +
                       (inside.bodies == 1 ? " body" : " bodies") + " start inside the collider " +
                       json::quote(model.colliders[c].name) + "; the deepest: " +
                       json::quote(model.bodies[model.body_of_point(inside.deepest)].name) + ", " +
                       json::number_text(inside.depth) + " m at " + point_text(points[inside.deepest]);
    if (inside.whole >= 0)
      text += "; the body " + json::quote(model.bodies[inside.whole].name) + " lies inside as a whole" +
              (model.colliders[c].shape == Collider::Shape::plane
                   ? ": the normal of a plane points to the side where bodies are"
                   : "");
    out.push_back({Severity::warning, text});
  }
}

}  // namespace

void check_contact(const Built& built, std::vector<Finding>& out) {
  if (built.model.contact.rules.empty()) return;
  if (!built.model.colliders.empty()) look_inside(built, out);
  list_colliders(built.model, out);
  count_pairs(built.model, out);
}

}  // namespace sinew::scene

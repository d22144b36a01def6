#include "sensitivity/param_derivatives.h"

namespace sinew::sensitivity {

namespace {

using model::Link;
using model::Site;

// The force at the difference d = a - b is linear in both stiffnesses.
struct Parts {
  Vec3d normal, tangent;  // [m]
};

Parts parts_of(const Link& link, std::span<const double> inputs, std::span<const Vec3d> x) {
  const Vec3d d = model::position(link.a, x, inputs) - model::position(link.b, x, inputs);
  if (link.rest_length == 0) {
    const Vec3d along = link.normal * dot(link.normal, d);
    return {along, d - along};
  }
  const double length = norm(d);
  return {length > 0 ? d * (1 - link.rest_length / length) : Vec3d{0, 0, 0}, {0, 0, 0}};
}

// visit(node, weight in d)
template <class F>
void for_each_node(const Link& link, const F& visit) {
  for (const auto& [site, sign] : {std::pair<const Site*, double>{&link.a, 1.0}, {&link.b, -1.0}})
    for (int k = 0; k < site->count; ++k) visit(site->node[k], sign * site->weight[k]);
}

}  // namespace

void add_link_change(const model::Model& model, std::span<const double> inputs, std::span<const Vec3d> x,
                     const model::Params& change, std::span<Vec3d> out) {
  for (size_t i = 0; i < model.links.size(); ++i) {
    const Parts parts = parts_of(model.links[i], inputs, x);
    Vec3d force = {0, 0, 0};
    if (!change.link_normal.empty()) force += parts.normal * change.link_normal[i];
    if (!change.link_tangent.empty()) force += parts.tangent * change.link_tangent[i];
    for_each_node(model.links[i], [&](int32_t node, double weight) { out[node] += force * weight; });
  }
}

void add_link_gradient(const model::Model& model, std::span<const double> inputs, std::span<const Vec3d> x,
                       std::span<const Vec3d> direction, model::Params& out) {
  for (size_t i = 0; i < model.links.size(); ++i) {
    const Parts parts = parts_of(model.links[i], inputs, x);
    Vec3d along = {0, 0, 0};
    for_each_node(model.links[i], [&](int32_t node, double weight) { along += direction[node] * weight; });
    out.link_normal[i] += dot(parts.normal, along);
    out.link_tangent[i] += dot(parts.tangent, along);
  }
}

}  // namespace sinew::sensitivity

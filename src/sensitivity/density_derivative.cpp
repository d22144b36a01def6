#include "sensitivity/param_derivatives.h"

namespace sinew::sensitivity {

namespace {

// visit(node, integral of its shape function over the material [m^3]) for the nodes of an element.
template <class F>
void for_each_share(const model::Model& model, const model::Body& body, int32_t element, const F& visit) {
  const std::span<const int32_t> nodes = model.elements[element];
  const element::Kind& kind = *body.kind;
  double weight[element::max_points];
  model.point_volumes(body, element, weight);
  for (int q = 0; q < kind.points; ++q)
    for (int a = 0; a < kind.nodes; ++a)
      visit(nodes[a], model.covered(element) * weight[q] * kind.point_values[q * kind.nodes + a]);
}

Vec3d gravity_of(const model::Model& model, std::span<const double> inputs) {
  if (model.gravity < 0) return {0, 0, 0};
  return {inputs[model.gravity], inputs[model.gravity + 1], inputs[model.gravity + 2]};
}

}  // namespace

void add_density_change(const model::Model& model, std::span<const double> inputs,
                        const model::Params& change, std::span<Vec3d> out) {
  const Vec3d down = gravity_of(model, inputs);
  for (size_t b = 0; b < change.density.size(); ++b) {
    if (change.density[b].values.empty()) continue;
    const auto& [begin, end] = model.bodies[b].elements;
    for (int32_t e = begin; e < end; ++e) {
      const Vec3d weight = down * change.density[b].at(e - begin);
      for_each_share(model, model.bodies[b], e,
                     [&](int32_t node, double volume) { out[node] -= weight * volume; });
    }
  }
}

void add_density_gradient(const model::Model& model, std::span<const double> inputs,
                          std::span<const Vec3d> direction, model::Params& out) {
  const Vec3d down = gravity_of(model, inputs);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Range elements = model.bodies[b].elements;
    for (int32_t e = elements.begin; e < elements.end; ++e)
      for_each_share(model, model.bodies[b], e, [&](int32_t node, double volume) {
        out.density[b].values[e - elements.begin] -= volume * dot(down, direction[node]);
      });
  }
}

}  // namespace sinew::sensitivity

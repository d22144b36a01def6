#include "mesh/tet_shape.h"
#include "sensitivity/param_derivatives.h"

namespace sinew::sensitivity {

namespace {

// visit(node, integral of its shape function [m^3]) for the nodes of a tet.
template <int nodes, class F>
void for_each_share(const model::Model& model, const std::array<int32_t, nodes>& node, const F& visit) {
  std::array<Vec3d, nodes> X;
  for (int a = 0; a < nodes; ++a) X[a] = model.X[node[a]];
  for (const mesh::Barycentric& L : mesh::tet_points<nodes>) {
    const double weight = mesh::shape_gradients<nodes>(X, L).weight;
    const auto N = mesh::shape_values<nodes>(L);
    for (int a = 0; a < nodes; ++a) visit(node[a], weight * N[a]);
  }
}

template <class F>
void for_each_share(const model::Model& model, int32_t tet, const F& visit) {
  if (model.second_order(tet))
    for_each_share<10>(model, model.all_nodes(tet), visit);
  else
    for_each_share<4>(model, model.tets[tet], visit);
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
    const model::Range tets = model.bodies[b].tets;
    for (int32_t t = tets.begin; t < tets.end; ++t) {
      const Vec3d weight = down * change.density[b].at(t - tets.begin);
      for_each_share(model, t, [&](int32_t node, double volume) { out[node] -= weight * volume; });
    }
  }
}

void add_density_gradient(const model::Model& model, std::span<const double> inputs,
                          std::span<const Vec3d> direction, model::Params& out) {
  const Vec3d down = gravity_of(model, inputs);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const model::Range tets = model.bodies[b].tets;
    for (int32_t t = tets.begin; t < tets.end; ++t)
      for_each_share(model, t, [&](int32_t node, double volume) {
        out.density[b].values[t - tets.begin] -= volume * dot(down, direction[node]);
      });
  }
}

}  // namespace sinew::sensitivity

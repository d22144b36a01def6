#include "model/model.h"

#include <algorithm>
#include <cmath>

#include "mesh/tet_shape.h"
#include "model/rest_hessian.h"

namespace sinew::model {

Vec3d position(const Site& site, std::span<const Vec3d> x, std::span<const double> inputs) {
  if (site.count == 0) return site.pose < 0 ? site.point : pose_at(inputs, site.pose)(site.point);
  return geometry::position(site, x);
}

Counts Model::counts() const {
  return {static_cast<int64_t>(X.size()), static_cast<int64_t>(tets.size()),
          static_cast<int64_t>(bodies.size()), static_cast<int64_t>(links.size())};
}

State Model::make_state(const StateLayout& layout) const {
  State state(layout, counts());
  std::copy(X.begin(), X.end(), state.x().begin());
  return state;
}

std::array<int32_t, 10> Model::all_nodes(int32_t tet) const {
  std::array<int32_t, 10> nodes;
  std::copy(tets[tet].begin(), tets[tet].end(), nodes.begin());
  std::copy(edge_nodes[tet].begin(), edge_nodes[tet].end(), nodes.begin() + 4);
  return nodes;
}

namespace {

// Gives every tet's mass to its nodes: a quarter to each corner of a linear one, share(model, tet, density, mass) of
// the others.
template <class Share>
std::vector<double> nodal_mass(const Model& model, const Params& params, const Share& share) {
  std::vector<double> mass(model.X.size(), 0.0);
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Range range = model.bodies[b].tets;
    for (int32_t t = range.begin; t < range.end; ++t) {
      const double density = params.density[b].at(t - range.begin);
      if (model.second_order(t)) {
        share(t, density, mass);
      } else {
        const double quarter = density * model.rest_volume(model.tets[t]) / 4;
        for (int32_t node : model.tets[t]) mass[node] += quarter;
      }
    }
  }
  return mass;
}

std::array<Vec3d, 10> rest_positions(const Model& model, const std::array<int32_t, 10>& nodes) {
  std::array<Vec3d, 10> X;
  for (int a = 0; a < 10; ++a) X[a] = model.X[nodes[a]];
  return X;
}

}  // namespace

std::vector<double> Model::lumped_mass(const Params& params) const {
  return nodal_mass(*this, params, [&](int32_t t, double density, std::vector<double>& mass) {
    const auto nodes = all_nodes(t);
    const auto X = rest_positions(*this, nodes);
    double volume = 0;
    for (const auto& L : mesh::tet_points<10>) volume += mesh::shape_gradients<10>(X, L).weight;
    for (int a = 0; a < 10; ++a) mass[nodes[a]] += density * volume * (a < 4 ? 1.0 / 36 : 4.0 / 27);
  });
}

std::vector<double> Model::load_mass(const Params& params) const {
  return nodal_mass(*this, params, [&](int32_t t, double density, std::vector<double>& mass) {
    const auto nodes = all_nodes(t);
    const auto X = rest_positions(*this, nodes);
    for (const auto& L : mesh::tet_points<10>) {
      const double weight = density * mesh::shape_gradients<10>(X, L).weight;
      const auto N = mesh::shape_values<10>(L);
      for (int a = 0; a < 10; ++a) mass[nodes[a]] += weight * N[a];
    }
  });
}

Model::Scales Model::scales(const Params& params, int32_t body) const {
  Scales scales{0, 0, 0, 0};
  for (size_t s = 0; s < sets.size(); ++s) {
    if (sets[s].body != body) continue;
    for_each_rest_hessian(*sets[s].law, params.material[s], [&](size_t, const double* C) {
      for (int i = 0; i < 9; ++i) scales.modulus = std::max(scales.modulus, C[material::upper(i, i)]);
    });
    const auto& fields = sets[s].law->fields;
    for (size_t f = 0; f < fields.size(); ++f)
      if (fields[f].unit == "Pa")
        for (double value : params.material[s][f].values)
          scales.stiffness = std::max(scales.stiffness, std::abs(value));
  }
  const Range range = bodies[body].tets;
  for (int32_t t = range.begin; t < range.end; ++t) {
    const Tet& tet = tets[t];
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) scales.edge += norm(X[tet[a]] - X[tet[b]]) / 6;
    scales.volume += rest_volume(tet);
  }
  if (range.size() > 0) scales.edge /= range.size();
  return scales;
}

double Model::rest_volume(const Tet& tet) const {
  const Vec3d& x0 = X[tet[0]];
  return dot(X[tet[1]] - x0, cross(X[tet[2]] - x0, X[tet[3]] - x0)) / 6;
}

int32_t Model::body_of_node(int32_t node) const {
  const auto after = std::upper_bound(bodies.begin(), bodies.end(), node,
                                      [](int32_t n, const Body& body) { return n < body.nodes.begin; });
  return static_cast<int32_t>(after - bodies.begin()) - 1;
}

}  // namespace sinew::model

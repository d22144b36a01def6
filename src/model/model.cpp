#include "model/model.h"

#include <algorithm>
#include <cmath>

#include "element/shape.h"
#include "model/rest_hessian.h"

namespace sinew::model {

Vec3d position(const Site& site, std::span<const Vec3d> x, std::span<const double> inputs) {
  if (site.count == 0) return site.pose < 0 ? site.point : pose_at(inputs, site.pose)(site.point);
  return geometry::position(site, x);
}

Counts Model::counts() const {
  return {static_cast<int64_t>(X.size()), static_cast<int64_t>(elements.size()),
          static_cast<int64_t>(bodies.size()), static_cast<int64_t>(links.size())};
}

State Model::make_state(const StateLayout& layout) const {
  State state(layout, counts());
  std::copy(X.begin(), X.end(), state.x().begin());
  return state;
}

namespace {

using element::Kind;

// f(kind, nodes, volumes of the quadrature points, density of what is material, spread over the volume) of every element.
template <class F>
void for_each_element(const Model& model, const Params& params, const F& f) {
  double volume[element::max_points];
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const auto [begin, end] = model.bodies[b].elements;
    for (int32_t e = begin; e < end; ++e) {
      model.point_volumes(model.bodies[b], e, volume);
      f(*model.bodies[b].kind, model.elements[e], volume, params.density[b].at(e - begin) * model.covered(e));
    }
  }
}

}  // namespace

std::vector<double> Model::lumped_mass(const Params& params) const {
  std::vector<double> mass(X.size(), 0.0);
  for_each_element(*this, params, [&](const Kind& kind, auto nodes, const double* weight, double density) {
    double volume = 0;
    for (int q = 0; q < kind.points; ++q) volume += weight[q];
    for (int a = 0; a < kind.nodes; ++a) mass[nodes[a]] += density * volume * kind.mass_shares[a];
  });
  return mass;
}

std::vector<double> Model::load_mass(const Params& params) const {
  std::vector<double> mass(X.size(), 0.0);
  for_each_element(*this, params, [&](const Kind& kind, auto nodes, const double* weight, double density) {
    for (int q = 0; q < kind.points; ++q) {
      const double at_point = density * weight[q];
      for (int a = 0; a < kind.nodes; ++a) mass[nodes[a]] += at_point * kind.point_values[q * kind.nodes + a];
    }
  });
  return mass;
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
  const Range range = bodies[body].elements;
  const Kind& kind = *bodies[body].kind;
  for (int32_t e = range.begin; e < range.end; ++e) {
    const std::span<const int32_t> nodes = elements[e];
    for (const auto& [a, b] : kind.edges)
      scales.edge += norm(X[nodes[a]] - X[nodes[b]]) / static_cast<double>(kind.edges.size());
    scales.volume += rest_volume(e);
  }
  if (range.size() > 0) scales.edge /= range.size();
  return scales;
}

double Model::rest_volume(int32_t element) const {
  const std::span<const int32_t> nodes = elements[element];
  std::array<Vec3d, element::max_nodes> corner;
  const Body& body = bodies[body_of_element(element)];
  if (body.kind->is_triangle()) return rest_area(body, element) * body.thickness;
  for (int a = 0; a < body.kind->corners; ++a) corner[a] = X[nodes[a]];
  return body.kind->volume(corner.data());
}

double Model::rest_area(const Body& body, int32_t element) const {
  return element::triangle_gradients(body.flat[element - body.elements.begin]).weight;
}

void Model::point_volumes(const Body& body, int32_t element, double* out) const {
  if (body.kind->is_triangle()) {
    *out = rest_area(body, element) * body.thickness;
    return;
  }
  const std::span<const int32_t> nodes = elements[element];
  std::array<Vec3d, element::max_nodes> rest;
  for (size_t a = 0; a < nodes.size(); ++a) rest[a] = X[nodes[a]];
  body.kind->point_volumes(rest.data(), out);
}

Model::Volumes Model::volumes(int32_t body) const {
  Volumes sum;
  for (int32_t e = bodies[body].elements.begin; e < bodies[body].elements.end; ++e) {
    const double volume = rest_volume(e);
    sum.mesh += volume;
    sum.material += volume * covered(e);
  }
  return sum;
}

int32_t Model::body_of_node(int32_t node) const {
  const auto after = std::upper_bound(bodies.begin(), bodies.end(), node,
                                      [](int32_t n, const Body& body) { return n < body.nodes.begin; });
  return static_cast<int32_t>(after - bodies.begin()) - 1;
}

int32_t Model::body_of_element(int32_t element) const {
  const auto after = std::upper_bound(bodies.begin(), bodies.end(), element,
                                      [](int32_t e, const Body& body) { return e < body.elements.begin; });
  return static_cast<int32_t>(after - bodies.begin()) - 1;
}

}  // namespace sinew::model

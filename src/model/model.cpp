#include "model/model.h"

#include <algorithm>
#include <cmath>

namespace sinew::model {

Vec3d position(const Site& site, std::span<const Vec3d> x, std::span<const double> inputs) {
  if (site.count == 0) return site.pose < 0 ? site.point : pose_at(inputs, site.pose)(site.point);
  Vec3d sum = {0, 0, 0};
  for (int k = 0; k < site.count; ++k) sum += x[site.node[k]] * site.weight[k];
  return sum;
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

std::vector<double> Model::lumped_mass(const Params& params) const {
  std::vector<double> mass(X.size(), 0.0);
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Range range = bodies[b].tets;
    for (int32_t t = range.begin; t < range.end; ++t) {
      const Tet& tet = tets[t];
      const double quarter = params.density[b].at(t - range.begin) * rest_volume(tet) / 4;
      for (int32_t node : tet) mass[node] += quarter;
    }
  }
  return mass;
}

namespace {

// The largest diagonal entry of C at F = 1 over the elements of a set.
double rest_modulus(const material::Law& law, const std::vector<ParamField>& fields) {
  constexpr int lanes = math::lanes_of<math::PackD>;
  size_t count = 1;
  for (const ParamField& field : fields) count = std::max(count, field.values.size());
  std::vector<double> in(fields.size()), out(law.param_count);
  std::vector<math::PackD> params(law.param_count);
  math::PackD F[9], C[material::upper_count];
  for (int k = 0; k < 9; ++k) F[k] = math::PackD(k % 4 == 0 ? 1.0 : 0.0);
  double largest = 0;
  for (size_t first = 0; first < count; first += lanes) {
    for (int l = 0; l < lanes; ++l) {
      for (size_t f = 0; f < fields.size(); ++f) in[f] = fields[f].at(std::min(first + l, count - 1));
      law.convert(in.data(), out.data());
      for (int p = 0; p < law.param_count; ++p) params[p].set(l, out[p]);
    }
    law.d.linearise(1, params.data(), 0, F, {.hessian = material::Hessian::exact}, C);
    for (int i = 0; i < 9; ++i)
      for (int l = 0; l < lanes; ++l) largest = std::max(largest, C[material::upper(i, i)][l]);
  }
  return largest;
}

}  // namespace

Model::Scales Model::scales(const Params& params, int32_t body) const {
  Scales scales{0, 0, 0, 0};
  for (size_t s = 0; s < sets.size(); ++s) {
    if (sets[s].body != body) continue;
    scales.modulus = std::max(scales.modulus, rest_modulus(*sets[s].law, params.material[s]));
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

#include <algorithm>

#include "model/plate_stiffness.h"
#include "sensitivity/field_step.h"
#include "sensitivity/param_derivatives.h"

namespace sinew::sensitivity {

namespace {

using math::Mat3d;

// dD of the triangles of a set with value v of its law, by places in the set.
std::vector<Mat3d> stiffness_rates(const model::Model& model, const model::Params& at, size_t set, int v) {
  const model::ElasticSet& elastic = model.sets[set];
  const std::vector<model::ParamField>& fields = at.material[set];
  size_t count = 1;  // one where all triangles have the same constants
  for (const model::ParamField& field : fields) count = std::max(count, field.values.size());
  std::vector<FieldStep> step;
  for (size_t i = 0; i < count; ++i) {
    std::vector<double> values;
    for (const model::ParamField& field : fields) values.push_back(field.at(i));
    step.push_back(field_step(*elastic.law, values, v));
  }
  std::vector<Mat3d> rates(elastic.elements.size(), Mat3d::zero());
  model::Params moved = at;
  std::vector<double>& value = moved.material[set][v].values;
  value.resize(count);
  const int32_t first = model.bodies[elastic.body].elements.begin;
  for (int k = 0; k < stencil_points; ++k) {
    for (size_t i = 0; i < count; ++i) value[i] = fields[v].at(i) + (*step[i].offset)[k] * step[i].h;
    const std::vector<Mat3d> D = model::plate_stiffness(model, moved, elastic.body);
    for (size_t i = 0; i < rates.size(); ++i) {
      const FieldStep& own = step[count == 1 ? 0 : i];
      rates[i] += D[elastic.elements[i] - first] * ((*own.weight)[k] / own.h);
    }
  }
  return rates;
}

// visit(set, value, rates) for the values of the laws that bend a body.
template <class F>
void for_each_value(const model::Model& model, int32_t body, const F& visit) {
  for (size_t s = 0; s < model.sets.size(); ++s) {
    const material::Law& law = *model.sets[s].law;
    if (model.sets[s].body != body || !law.for_membranes()) continue;
    for (int v = 0; v < field_value_count(law); ++v)
      if (differentiable(field_of_value(law, v))) visit(s, v);
  }
}

// D by the rigidity of a triangle, where it has one: D is proportional to it.
Mat3d rigidity_rate(const model::Params& at, int32_t body, size_t triangle, const Mat3d& D) {
  const double rigidity = at.rigidity.empty() ? 0 : at.rigidity[body].at(triangle);
  return rigidity > 0 ? D * (1 / rigidity) : Mat3d::zero();
}

}  // namespace

void add_bending_change(const model::Model& model, const model::Params& at,
                        const energy::PlateBending& bending, const energy::View& view,
                        const model::Params& change, std::span<Vec3d> out) {
  const int32_t body = bending.sheet();
  const model::Range triangles = model.bodies[body].elements;
  std::vector<Mat3d> dD(triangles.size(), Mat3d::zero());
  bool some = false;
  for_each_value(model, body, [&](size_t s, int v) {
    if (change.material.size() <= s || change.material[s].size() <= static_cast<size_t>(v)) return;
    const model::ParamField& by = change.material[s][v];
    if (by.values.empty()) return;
    some = true;
    const std::vector<Mat3d> rates = stiffness_rates(model, at, s, v);
    for (size_t i = 0; i < rates.size(); ++i)
      dD[model.sets[s].elements[i] - triangles.begin] += rates[i] * by.at(i);
  });
  if (change.rigidity.size() > static_cast<size_t>(body) && !change.rigidity[body].values.empty()) {
    some = true;
    const std::vector<Mat3d> D = model::plate_stiffness(model, at, body);
    for (size_t t = 0; t < D.size(); ++t)
      dD[t] += rigidity_rate(at, body, t, D[t]) * change.rigidity[body].at(t);
  }
  if (some) bending.add_gradient_with(view, dD, out);
}

void add_bending_gradient(const model::Model& model, const model::Params& at,
                          const energy::PlateBending& bending, const energy::View& view,
                          std::span<const Vec3d> direction, model::Params& out) {
  const int32_t body = bending.sheet();
  const model::Range triangles = model.bodies[body].elements;
  std::vector<Mat3d> S(triangles.size(), Mat3d::zero());
  bending.add_stiffness_gradient(view, direction, S);
  for_each_value(model, body, [&](size_t s, int v) {
    const std::vector<Mat3d> rates = stiffness_rates(model, at, s, v);
    for (size_t i = 0; i < rates.size(); ++i)
      out.material[s][v].values[i] += contract(S[model.sets[s].elements[i] - triangles.begin], rates[i]);
  });
  if (out.rigidity.empty()) return;
  const std::vector<Mat3d> D = model::plate_stiffness(model, at, body);
  for (size_t t = 0; t < D.size(); ++t)
    out.rigidity[body].values[t] += contract(S[t], rigidity_rate(at, body, t, D[t]));
}

}  // namespace sinew::sensitivity

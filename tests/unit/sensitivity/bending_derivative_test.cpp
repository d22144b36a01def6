// The change of bending forces with the fields of laws and with rigidities, at fixed positions, against differences of the
// terms.
#include <gtest/gtest.h>

#include "energy/term_interfaces.h"
#include "sensitivity/field_step.h"
#include "sensitivity/param_derivatives.h"
#include "unit/energy/sample.h"
#include "unit/plates.h"

namespace sinew::sensitivity {
namespace {

using namespace sinew::sample;
using energy::Terms;
using model::Bending;
using model::Model;

struct Case {
  Bending bending;
  const material::Law* law;
  bool by_triangle;
};

// Two sets of one law over each other, the second on every third triangle, and rigidities on some.
Model sample_of(const Case& c) {
  Model model =
      plate({.cells = {3, 3}, .law = c.law->name.data(), .young = 1e4, .bending = c.bending, .shape = bowl});
  const double young = 3e3;
  add_set(model, 0, *c.law, young, 0.2, 3);
  if (c.bending == Bending::shell)
    clamp(model, model::Hold::rigid, {0, 0, 1}, [](const Vec3d& X) { return X[0] < 1e-9; });
  if (c.by_triangle) {
    model::ParamField& first = model.params.material[0][0];
    for (size_t t = 1; t < model.elements.size(); ++t)
      first.values.push_back(first.values[0] * (1 + 0.05 * t));
    for (size_t t = 0; t < model.elements.size(); ++t)
      model.params.rigidity[0].values.resize(t + 1, t % 2 ? 0.3 : 0.0);
  }
  return model;
}

std::vector<Vec3d> forces(const Model& model, const model::Params& params, std::span<const Vec3d> x) {
  std::vector<Vec3d> g(x.size(), Vec3d::zero());
  const std::vector<double> inputs = inputs_at(model, 0);
  for (const char* name : {"hinges", "mid_edge_bending"})
    for (const auto& term : terms_named(model, name)) {
      term->bind(params);
      term->evaluate({.x = x, .inputs = inputs}, g);
    }
  return g;
}

class BendingDerivative : public testing::TestWithParam<Case> {};

// d(field) of the parameters, and where it is in a gradient of each triangle.
void expect_derivative(const Model& model, const model::Params& direction, double step, double of_gradient,
                       std::span<const Vec3d> w) {
  const std::vector<Vec3d> x = deformed(model, 0.01);
  const std::vector<double> inputs = inputs_at(model, 0);
  const Terms terms = [&] {
    Terms list = terms_named(model, "hinges");
    for (auto& term : terms_named(model, "mid_edge_bending")) list.push_back(std::move(term));
    return list;
  }();
  std::vector<Vec3d> change(x.size(), Vec3d::zero()), slope(x.size(), Vec3d::zero());
  for (const auto* bending : energy::terms_with<energy::PlateBending>(terms))
    add_bending_change(model, model.params, *bending, {.x = x, .inputs = inputs}, direction, change);
  const auto moved = [&](double h) {
    model::Params params = model.params;
    const auto add = [&](model::ParamField& field, const model::ParamField& by) {
      if (by.values.empty()) return;
      for (size_t i = 0; i < field.values.size(); ++i) field.values[i] += h * by.at(i);
    };
    for (size_t s = 0; s < direction.material.size(); ++s)
      for (size_t v = 0; v < direction.material[s].size(); ++v)
        add(params.material[s][v], direction.material[s][v]);
    for (size_t b = 0; b < direction.rigidity.size(); ++b) add(params.rigidity[b], direction.rigidity[b]);
    return forces(model, params, x);
  };
  const auto a = moved(step), b = moved(-step), c = moved(2 * step), d = moved(-2 * step);
  double size = 0, error = 0, along = 0, rounding = 0;  // the last: of the slopes
  for (size_t i = 0; i < x.size(); ++i) {
    slope[i] = (8.0 * (a[i] - b[i]) - (c[i] - d[i])) * (1 / (12 * step));
    size = std::max(size, norm(slope[i]));
    error = std::max(error, norm(slope[i] - change[i]));
    along += dot(w[i], change[i]);
    rounding = std::max(rounding, 1e-14 * norm(a[i]) / step);
  }
  EXPECT_LE(error, 1e-7 * size + rounding);
  EXPECT_NEAR(along, of_gradient, 1e-9 * (std::abs(along) + size) + rounding);
}

TEST_P(BendingDerivative, IsThatOfTheTerms) {
  const Model model = sample_of(GetParam());
  const std::vector<Vec3d> x = deformed(model, 0.01), w = random_vectors(3, x.size());
  const std::vector<double> inputs = inputs_at(model, 0);
  model::Params each;
  for (size_t s = 0; s < 2; ++s)
    each.material.emplace_back(model.params.material[s].size(),
                               model::ParamField{std::vector<double>(model.sets[s].elements.size(), 0.0)});
  each.rigidity.push_back({std::vector<double>(model.elements.size(), 0.0)});
  const Terms terms =
      terms_named(model, GetParam().bending == Bending::shell ? "mid_edge_bending" : "hinges");
  for (const auto* bending : energy::terms_with<energy::PlateBending>(terms))
    add_bending_gradient(model, model.params, *bending, {.x = x, .inputs = inputs}, w, each);
  const auto sum = [](const model::ParamField& field) {
    double total = 0;
    for (double value : field.values) total += value;
    return total;
  };
  for (size_t s = 0; s < 2; ++s)
    for (size_t v = 0; v < model.params.material[s].size(); ++v) {
      if (!differentiable(field_of_value(*GetParam().law, static_cast<int>(v)))) continue;
      model::Params direction;
      direction.material.resize(2);
      direction.material[s].resize(model.params.material[s].size());
      direction.material[s][v].values = {1};
      const double size = std::max(std::abs(model.params.material[s][v].values[0]), 0.1);
      expect_derivative(model, direction, 1e-3 * size, sum(each.material[s][v]), w);
    }
  if (!GetParam().by_triangle) return;
  model::Params direction;
  direction.rigidity.resize(1);
  for (size_t t = 0; t < model.elements.size(); ++t) direction.rigidity[0].values.push_back(t % 2);
  expect_derivative(model, direction, 1e-3, sum(each.rigidity[0]), w);
}

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const Bending bending : {Bending::hinge, Bending::shell})
    for (const char* law : {"stvk", "neo_hookean", "orthotropic", "ogden", "edge_springs"})
      for (const bool by_triangle : {false, true})
        list.push_back({bending, material::find_law(law), by_triangle});
  return list;
}

INSTANTIATE_TEST_SUITE_P(Laws, BendingDerivative, testing::ValuesIn(cases()), [](const auto& info) {
  return std::string(info.param.bending == Bending::shell ? "shell_" : "hinge_") +
         std::string(info.param.law->name) + (info.param.by_triangle ? "_by_triangle" : "");
});

}  // namespace
}  // namespace sinew::sensitivity

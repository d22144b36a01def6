// The change of forces with every number of every law, at fixed positions, against differences of the energy terms.
#include "sensitivity/param_derivatives.h"

#include <gtest/gtest.h>

#include "sensitivity/field_step.h"
#include "unit/energy/sample.h"

namespace sinew::sensitivity {
namespace {

using namespace sinew::sample;
using model::Model;

std::vector<Vec3d> elastic_gradient(const Model& model, const model::Params& params,
                                    std::span<const Vec3d> x) {
  std::vector<Vec3d> g(x.size(), Vec3d::zero());
  for (const auto& term : terms_named(model, "elastic")) {
    term->bind(params);
    term->evaluate({.x = x, .inputs = {}}, g);
  }
  return g;
}

double size_of(std::span<const Vec3d> v) {
  double size = 0;
  for (const Vec3d& a : v) size = std::max(size, norm(a));
  return size;
}

class EveryLaw : public testing::TestWithParam<const material::Law*> {};
INSTANTIATE_TEST_SUITE_P(Fields, EveryLaw,
                         testing::ValuesIn(material::solid_laws().begin(), material::solid_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST_P(EveryLaw, ForcesChangeAsTheTermsSay) {
  const material::Law& law = *GetParam();
  for (const element::Kind* kind : element::kinds()) {
    if (!kind->is_tet() || (kind->mean_dilatation && !law.d.volume)) continue;
    Model model;
    add_set(model, add_block(model, {.cells = {2, 1, 1}, .elements = kind->name}), law);
    cover_in_part(model);
    for (size_t v = 0; v < model.params.material[0].size(); ++v) {
      const std::string_view name = field_of_value(law, static_cast<int>(v)).name;
      if (name == "activation") model.params.material[0][v].values = {0.5};
      if (name == "optimal")
        model.params.material[0][v].values = {1.4};  // off the joints of the fibre's curve
    }
    const std::vector<Vec3d> x = deformed(model, 0.01);
    const auto w = random_vectors(9, x.size());
    model::Params each;
    each.material.emplace_back(model.params.material[0].size(),
                               model::ParamField{std::vector<double>(model.sets[0].elements.size(), 0.0)});
    model::Params* const out = &each;
    add_material_gradient(model, model.params, x, std::span(&w, 1), std::span(&out, 1));
    for (size_t v = 0; v < model.params.material[0].size(); ++v) {
      const Field& field = field_of_value(law, static_cast<int>(v));
      model::Params change;
      change.material.emplace_back(model.params.material[0].size());
      change.material[0][v].values = {1};
      std::vector<Vec3d> out(x.size(), Vec3d::zero());
      add_material_change(model, model.params, x, change, out);
      if (!differentiable(field)) {
        EXPECT_EQ(size_of(out), 0);
        continue;
      }
      // Central differences, extrapolated twice.
      const double value = model.params.material[0][v].values[0];
      double h = 1e-3 * std::max(std::abs(value), field.unit == "Pa" ? 100.0 : 0.1);
      std::vector<Vec3d> table[3];
      for (int level = 0; level < 3; ++level, h /= 2) {
        model::Params up = model.params, down = model.params;
        up.material[0][v].values[0] += h;
        down.material[0][v].values[0] -= h;
        const auto a = elastic_gradient(model, up, x), b = elastic_gradient(model, down, x);
        for (size_t i = 0; i < a.size(); ++i) table[level].push_back((a[i] - b[i]) * (0.5 / h));
      }
      double along = 0, sum = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        const Vec3d first = table[1][i] + (table[1][i] - table[0][i]) * (1.0 / 3);
        const Vec3d second = table[2][i] + (table[2][i] - table[1][i]) * (1.0 / 3);
        table[0][i] = second + (second - first) * (1.0 / 15);
        along += dot(w[i], out[i]);
      }
      const double scale = std::max(size_of(table[0]), 1e-12);
      for (size_t i = 0; i < x.size(); ++i)
        ASSERT_LE(norm(out[i] - table[0][i]), 1e-7 * scale) << law.name << " " << field.name << " " << i;
      for (double value_of_element : each.material[0][v].values) sum += value_of_element;
      EXPECT_NEAR(sum, along, 1e-11 * scale * static_cast<double>(x.size())) << law.name << " " << field.name;
    }
  }
}

// 1/(1 - 2 v) near its pole.
TEST(FieldStep, IsOfSixthOrderInsideTheRange) {
  const material::Law& law = *material::find_law("linear");
  for (const double v : {0.3, 0.49, 0.4999, 0.0, -0.9}) {
    const double values[] = {1e5, v};
    const FieldStep step = field_step(law, values, 1);
    double slope = 0;
    for (int k = 0; k < stencil_points; ++k) {
      const double at = v + (*step.offset)[k] * step.h;
      EXPECT_GT(at, field_of_value(law, 1).min);
      EXPECT_LT(at, 0.5);
      slope += (*step.weight)[k] / step.h / (1 - 2 * at);
    }
    const double exact = 2 / ((1 - 2 * v) * (1 - 2 * v));
    EXPECT_NEAR(slope, exact, 1e-10 * exact) << v;
  }
}

}  // namespace
}  // namespace sinew::sensitivity

// Method pbng with its default options from bad starts: every law, Poisson's ratios from 0 to 0.49.
#include <gtest/gtest.h>

#include "solve/pbng.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

constexpr double young = 2.5;  // [Pa], the size of the other laws' moduli
constexpr double length = 1.5;
constexpr int sweeps = 200;

enum class Start { pulled, stretched, mirrored, scattered };
constexpr Start starts[] = {Start::pulled, Start::stretched, Start::mirrored, Start::scattered};
const char* name_of(Start start) {
  static const char* names[] = {"pulled", "stretched", "mirrored", "scattered"};
  return names[static_cast<int>(start)];
}

model::Model bar(const material::Law& law, double poisson) {
  const std::array<int32_t, 3> cells = {4, 3, 3};
  model::Model model;
  const int32_t body =
      add_block(model, {.cells = cells, .size = {length, 1, 1}, .jitter = 0.05, .split = mesh::Split::five});
  add_set(model, body, law, young, poisson);
  if (law.name == "active_fibre")  // carries nothing across its fibres
    add_set(model, body, *material::find_law("stable_neo_hookean"), young, 0.3);
  hold(model, "left", face_nodes(cells, 0, false));
  hold(model, "right", face_nodes(cells, 0, true), {{}, {.time = 1, .translate = {0.5, 0.2, 0}}});
  return model;
}

std::vector<Vec3d> start_of(const System& system, Start start) {
  const Vec3d centre = {length / 2, 0.5, 0.5};
  std::vector<Vec3d> x = system.model().X;
  for (size_t i = 0; i < x.size(); ++i) {
    const Vec3d d = x[i] - centre;
    if (start == Start::stretched) x[i] = centre + d * 2.0;
    if (start == Start::mirrored) x[i] = centre + Vec3d{-d[0], d[1], d[2]};
    if (start == Start::scattered) x[i] = centre + random_vector(math::Random(5), i);
  }
  system.dofs().retract(x);
  return x;
}

double farthest(std::span<const Vec3d> x) {
  double most = 0;
  for (const Vec3d& p : x) most = std::max(most, norm(p));
  return most;
}

std::vector<double> ratios_of(const material::Law& law) {
  std::vector<double> ratios;
  for (const Field& field : law.fields)
    if (field.name == "poisson")
      for (double nu : {0.0, 0.1, 0.2, 0.3, 0.4, 0.45, 0.49})
        if (field.min_open ? nu > field.min : nu >= field.min) ratios.push_back(nu);
  return ratios.empty() ? std::vector<double>{0.3} : ratios;
}

class Stability : public testing::TestWithParam<const material::Law*> {};

TEST_P(Stability, FromAnyStartTheResidualFallsAndNodesStayNear) {
  for (double poisson : ratios_of(*GetParam())) {
    const model::Model model = bar(*GetParam(), poisson);
    System system(model);
    system.set_inputs(inputs_at(model, 1));
    const double diameter = norm(Vec3d{length + 0.5, 1.2, 1});
    for (Start start : starts) {
      std::vector<Vec3d> x = start_of(system, start), gradient(x.size());
      const Evaluation before = system.evaluate(x, gradient);
      make_pbng(system, {.iterations = sweeps})->solve(x, 1e-10, {});
      SCOPED_TRACE(testing::Message() << name_of(start) << ", nu " << poisson);
      ASSERT_TRUE(all_finite(x));
      const Evaluation after = system.evaluate(x, gradient);
      EXPECT_LT(farthest(x), 10 * diameter);
      EXPECT_LE(after.residual, before.residual);
      EXPECT_LE(after.relative, before.relative);
      EXPECT_LE(after.energy, before.energy);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Pbng, Stability,
                         testing::ValuesIn(material::solid_laws().begin(), material::solid_laws().end()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace sinew::solve

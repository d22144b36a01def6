// Every method that converges finds the minimisers of V18: the energy is the same, and so is its minimum.
#include <gtest/gtest.h>

#include "mesh/shapes.h"
#include "verify/gold_values.h"
#include "verify/specimen.h"

namespace sinew::verify {
namespace {

class Minimisers : public testing::TestWithParam<std::string> {
 protected:
  // The largest distance from Newton's positions, relative to the largest displacement.
  static double off(const Specimen& specimen, const char* name) {
    const model::Model& model = specimen.model();
    const Solution reference = specimen.equilibrium({}, 1e-10);
    EXPECT_TRUE(reference.solved()) << name;
    const Solution solution = specimen.equilibrium_by(*step::find_method(GetParam()), 1e-9, {});
    EXPECT_TRUE(solution.solved()) << name;
    const model::State& state = solution.state;
    double largest = 0, distance = 0;
    for (size_t i = 0; i < model.X.size(); ++i) {
      largest = std::max(largest, norm(reference.state.x()[i] - model.X[i]));
      distance = std::max(distance, norm(reference.state.x()[i] - state.x()[i]));
    }
    return distance / largest;
  }
};

Specimen cantilever(int32_t n) {
  Specimen beam(*mesh::make_box({.size = {1, 0.2, 0.2}, .cells = {5 * n, n, n}}),
                {"stable_neo_hookean", 1e6, 0.4, 1000});
  beam.hold(beam.group("xmin"), beam.still());
  beam.set_gravity({0, 0, -9.81});
  return beam;
}

TEST_P(Minimisers, OfACantilever) { EXPECT_LT(off(cantilever(2), "cantilever"), 1e-6); }

// Slender bodies have forces that are far from zero where the energy is within its rounding of the least.
TEST(LBfgs, GoesOnBelowTheRoundingOfTheEnergy) {
  const Solution solution = cantilever(4).equilibrium_by(*step::find_method("l_bfgs"), 1e-10, {});
  EXPECT_TRUE(solution.solved()) << solution.report.relative_residual;
  EXPECT_LT(solution.report.iterations, 300);
}

// Cook's slab with a quarter of the cells each way.
TEST_P(Minimisers, OfASlab) {
  constexpr int32_t n = 4;
  constexpr double depth = 48.0 / n;
  for (const char* law : {"neo_hookean", "neo_hookean_decoupled", "stable_neo_hookean"}) {
    mesh::TetMesh box = *mesh::make_box({.cells = {n, n, 1}});
    for (Vec3d& X : box.vertices) X = {48 * X[0], 44 * X[0] + X[1] * (44 - 28 * X[0]), X[2] * depth};
    const std::vector<int32_t> all = all_nodes(box);
    Specimen slab(std::move(box), {law, 200, 0.35});
    const int32_t still = slab.still();
    slab.hold(slab.group("xmin"), still);
    slab.hold_plane(all, {0, 0, 1}, still);
    const std::vector<int32_t>& end = slab.group("xmax");
    slab.add_load(
        end, std::vector<Vec3d>(end.size(), Vec3d{0, 4 * 16 * depth / static_cast<double>(end.size()), 0}));
    EXPECT_LT(off(slab, law), 1e-6) << law;
  }
}

// The whole table. Where pbng is slow, in bending, the positions are off by more than the residual.
class LongGoldValues : public testing::TestWithParam<std::string> {};

TEST_P(LongGoldValues, AreFound) {
  const Outcome outcome = gold_values(*step::find_method(GetParam()), 1e-10, {});
  EXPECT_EQ(outcome.checks.size(), 29u);
  for (const Check& check : outcome.checks)
    EXPECT_TRUE(check.ok) << check.id << ": " << check.result << " instead of " << check.reference
                          << ", error " << check.error;
}

std::vector<std::string> convergent() {
  std::vector<std::string> list;
  for (const step::Method* method : step::methods())
    if (method->converges) list.emplace_back(method->name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, Minimisers, testing::ValuesIn(convergent()),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(All, LongGoldValues, testing::ValuesIn(convergent()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace sinew::verify

#include "model/add_body.h"

#include <gtest/gtest.h>
#include <numeric>

#include "math/random.h"
#include "mesh/shapes.h"

namespace sinew::model {
namespace {

mesh::TetMesh box() { return *mesh::make_box({.size = {1, 2, 3}, .cells = {3, 3, 3}}); }

// Of 162 tets, all of one volume.
std::vector<double> some_coverage(double low, double high) {
  std::vector<double> coverage;
  for (size_t e = 0; e < box().elements.size(); ++e)
    coverage.push_back(math::Random(5).uniform(e, low, high));
  return coverage;
}

double mass(const Model& model) {
  const std::vector<double> mass = model.lumped_mass(model.params);
  return std::accumulate(mass.begin(), mass.end(), 0.0);
}

Model covered_box(const std::vector<double>& coverage) {
  Model model;
  add_body(model, "box", element::default_kind(), box(), {}, coverage);
  model.params.density.push_back({{1000}});
  return model;
}

TEST(AddBody, TakesCoverageAsItIs) {
  const std::vector<double> coverage = some_coverage(0.1, 1);
  const Model model = covered_box(coverage);
  EXPECT_EQ(model.coverage, coverage);
  const double mean = std::accumulate(coverage.begin(), coverage.end(), 0.0) / coverage.size();
  EXPECT_NEAR(mass(model), 6000 * mean, 1e-9);
  EXPECT_NEAR(model.volumes(0).material, 6 * mean, 1e-12);
  EXPECT_NEAR(model.volumes(0).mesh, 6, 1e-12);
}

// Elements without material get a little, the mass stays.
TEST(AddBody, GivesEmptyElementsALeastShare) {
  for (const double scale : {1.0, 0.1, 0.001}) {  // down to a body that is thin everywhere
    std::vector<double> coverage = some_coverage(-0.3, 1);
    for (double& share : coverage) share = scale * std::max(share, 0.0);
    const Model model = covered_box(coverage);
    const double mean = std::accumulate(coverage.begin(), coverage.end(), 0.0) / coverage.size();
    EXPECT_NEAR(mass(model), 6000 * mean, 1e-12 * 6000);
    const auto [least, most] = std::minmax_element(model.coverage.begin(), model.coverage.end());
    EXPECT_NEAR(*least, std::min(0.02, mean / 2), 1e-15);
    EXPECT_LE(*most, scale);
    // No element has less than one that had less.
    for (size_t e = 1; e < coverage.size(); ++e)
      EXPECT_GE((coverage[e] - coverage[e - 1]) * (model.coverage[e] - model.coverage[e - 1]), 0);
  }
}

TEST(AddBody, BodiesBesideACoveredOneAreWhole) {
  const std::vector<double> coverage = some_coverage(0.1, 1);
  Model model;
  add_body(model, "before", element::default_kind(), box());
  EXPECT_TRUE(model.coverage.empty());
  add_body(model, "covered", element::default_kind(), box(), {}, coverage);
  add_body(model, "after", element::default_kind(), box());
  ASSERT_EQ(model.coverage.size(), model.elements.size());
  for (int32_t e = 0; e < static_cast<int32_t>(model.elements.size()); ++e) {
    const Range own = model.bodies[1].elements;
    EXPECT_EQ(model.covered(e), e >= own.begin && e < own.end ? coverage[e - own.begin] : 1.0);
  }
}

}  // namespace
}  // namespace sinew::model

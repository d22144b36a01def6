#include "model/rest_hessian.h"

#include <gtest/gtest.h>

#include "unit/law_fields.h"

namespace sinew::model {
namespace {

std::vector<ParamField> fields_of(const material::Law& law, double young, double poisson) {
  std::vector<ParamField> fields;
  for (const double value : material::field_values(law, young, poisson)) fields.push_back({{value}});
  return fields;
}

TEST(RestLame, IsThatOfYoungAndPoisson) {
  const material::Lame expected = material::Lame::from(1e5, 0.3);
  int count = 0;
  for (const material::Law* law : material::solid_laws()) {
    if (!law->traits.lame) continue;
    const auto lame = rest_lame(*law, fields_of(*law, 1e5, 0.3));
    ASSERT_EQ(lame.size(), 1u) << law->name;
    EXPECT_NEAR(lame[0].mu, expected.mu, 1e-9 * expected.mu) << law->name;
    EXPECT_NEAR(lame[0].lambda, expected.lambda, 1e-9 * expected.lambda) << law->name;
    ++count;
  }
  EXPECT_GT(count, 5);
}

TEST(RestLame, OfLawsWithOtherConstants) {
  const auto of = [](std::string_view law, std::vector<double> values) {
    std::vector<ParamField> fields;
    for (const double value : values) fields.push_back({{value}});
    return rest_lame(*material::find_law(law), fields)[0];
  };
  const material::Lame arap = of("arap", {3});
  EXPECT_NEAR(arap.mu, 3, 1e-12);
  EXPECT_NEAR(arap.lambda, 0, 1e-12);
  // Of Mooney and Rivlin mu is 2 (C1 + C2), and lambda + 2/3 mu the bulk modulus.
  const material::Lame rubber = of("mooney_rivlin", {2, 1, 50});
  EXPECT_NEAR(rubber.mu, 6, 1e-9);
  EXPECT_NEAR(rubber.lambda, 50 - 4, 1e-9);
}

TEST(RestLame, IsPositiveForEveryLaw) {
  for (const material::Law* law : material::solid_laws()) {
    if (!law->traits.rest_stable) continue;
    const material::Lame lame = rest_lame(*law, fields_of(*law, 1e5, 0.3))[0];
    EXPECT_GT(lame.mu, 0) << law->name;
    EXPECT_GT(lame.lambda + 2 * lame.mu / 3, 0) << law->name;  // the bulk modulus
  }
}

TEST(RestLame, FollowsTheElements) {
  const auto lame = rest_lame(*material::find_law("corotated"), {{{1, 2, 4}}, {{0.0}}});
  ASSERT_EQ(lame.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(lame[i].mu, 0.5 * (1 << i), 1e-12);
}

}  // namespace
}  // namespace sinew::model

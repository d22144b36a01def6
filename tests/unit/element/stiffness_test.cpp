#include "element/stiffness.h"

#include <gtest/gtest.h>

#include "element/deformation.h"
#include "element/shape.h"
#include "math/random.h"
#include "unit/element/a_tet.h"

namespace sinew::element {
namespace {

using math::PackD;

// d . K d of all blocks is V dF : C : dF, for any symmetric C.
template <class Shape>
void expect_the_quadratic_form() {
  constexpr int nodes = Shape::nodes, edges = nodes - 1;
  const math::Random random(6);
  const auto shape = shape_gradients<Shape>(a_tet<Shape>(), {0.1, 0.2, 0.3, 0.4});
  PackD C[material::upper_count];
  for (int m = 0; m < material::upper_count; ++m) C[m] = PackD(random.uniform(m, -1, 1));
  Vec3d at[nodes], d[edges];
  for (int a = 0; a < nodes; ++a)
    for (int i = 0; i < 3; ++i) at[a][i] = random.uniform(100 + 3 * a + i, -1, 1);
  for (int a = 0; a < edges; ++a) d[a] = at[a + 1] - at[0];
  const Mat3d dF = deformation(d, shape.edges());
  double expected = 0;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j)
      expected += C[i <= j ? material::upper(i, j) : material::upper(j, i)][0] * dF.c[i / 3][i % 3] *
                  dF.c[j / 3][j % 3] * shape.weight;
  ElementStiffness<edges> stiffness;
  stiffness.add(C, shape.edges(), shape.weight);
  double found = 0;
  int blocks = 0;
  stiffness.for_each_block([&](int a, int b, const math::Mat3<PackD>& K) {
    ++blocks;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) found += at[a][i] * K(i, j)[5] * at[b][j];
  });
  EXPECT_EQ(blocks, nodes * nodes);
  EXPECT_NEAR(found, expected, 1e-12 * std::abs(expected));
}

TEST(ElementStiffness, IsTheQuadraticFormOfTheSecondDerivatives) {
  expect_the_quadratic_form<Tet4>();
  expect_the_quadratic_form<Tet10>();
}

}  // namespace
}  // namespace sinew::element

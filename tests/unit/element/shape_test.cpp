#include "element/shape.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include "mesh/properties.h"
#include "unit/element/a_tet.h"

namespace sinew::element {
namespace {

constexpr Barycentric inside[] = {{0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.1, 0.1}, {0.05, 0.05, 0.05, 0.85}};

template <class Shape>
class Shapes : public testing::Test {};
using Kinds = testing::Types<Tet4, Tet10>;
TYPED_TEST_SUITE(Shapes, Kinds);

TYPED_TEST(Shapes, AreAPartitionOfUnity) {
  for (const Barycentric& L : inside) {
    const auto N = TypeParam::values(L);
    EXPECT_NEAR(std::accumulate(N.begin(), N.end(), 0.0), 1, 1e-15);
    Vec3d sum = {0, 0, 0};
    for (const Vec3d& d : TypeParam::reference_gradients(L)) sum += d;
    EXPECT_NEAR(norm(sum), 0, 1e-15);
  }
}

// The corners are where one barycentric coordinate is 1, the edge nodes half-way between two of them.
TYPED_TEST(Shapes, AreOneAtTheirNodeAndZeroAtTheOthers) {
  for (int node = 0; node < TypeParam::nodes; ++node) {
    Barycentric L{};
    if (node < 4)
      L[node] = 1;
    else
      for (int corner : mesh::tet_edges[node - 4]) L[corner] = 0.5;
    const auto N = TypeParam::values(L);
    for (int a = 0; a < TypeParam::nodes; ++a) EXPECT_EQ(N[a], a == node ? 1 : 0);
  }
}

TYPED_TEST(Shapes, ReproduceLinearFieldsAndTheSecondOrderQuadraticOnes) {
  constexpr bool second = TypeParam::nodes == 10;
  const auto X = a_tet<TypeParam>();
  const auto f = [](const Vec3d& x) {
    return 1 + 2 * x[0] - x[1] + 3 * x[2] + (second ? x[0] * x[1] - 2 * x[2] * x[2] + x[1] * x[2] : 0);
  };
  const auto df = [](const Vec3d& x) -> Vec3d {
    if (!second) return {2, -1, 3};
    return {2 + x[1], -1 + x[0] + x[2], 3 - 4 * x[2] + x[1]};
  };
  for (const Barycentric& L : inside) {
    const auto N = TypeParam::values(L);
    const auto at = shape_gradients<TypeParam>(X, L);
    Vec3d x{0, 0, 0}, gradient{0, 0, 0};
    double value = 0;
    for (int i = 0; i < 4; ++i) x += X[i] * L[i];
    for (int a = 0; a < TypeParam::nodes; ++a) {
      value += N[a] * f(X[a]);
      gradient += at.g[a] * f(X[a]);
    }
    EXPECT_NEAR(value, f(x), 1e-14);
    EXPECT_NEAR(norm(gradient - df(x)), 0, 1e-13);
  }
}

// The integral of L_0^a L_1^b over a tet of volume V is 6 V a! b! / (a + b + 3)!.
double integral(double volume, int a, int b) {
  return 6 * volume * std::tgamma(a + 1) * std::tgamma(b + 1) / std::tgamma(a + b + 4);
}

TYPED_TEST(Shapes, QuadratureIsExactToItsDegree) {
  const auto X = a_tet<TypeParam>();
  const double volume = mesh::tet_volume(X, {0, 1, 2, 3});
  const int degree = TypeParam::points == 1 ? 1 : 2;
  for (int a = 0; a <= degree; ++a)
    for (int b = 0; a + b <= degree; ++b) {
      double sum = 0;
      for (const Barycentric& L : TypeParam::quadrature)
        sum += shape_gradients<TypeParam>(X, L).weight * std::pow(L[0], a) * std::pow(L[1], b);
      EXPECT_NEAR(sum, integral(volume, a, b), 1e-15) << a << b;
    }
}

TYPED_TEST(Shapes, BarycentricStepsFollowTheMap) {
  auto X = a_tet<TypeParam>();
  if (TypeParam::nodes == 10) X[4] += Vec3d{0.02, -0.05, 0.03};  // a curved edge
  const auto at = [&](const Barycentric& L) {
    const auto N = TypeParam::values(L);
    Vec3d x = {0, 0, 0};
    for (int a = 0; a < TypeParam::nodes; ++a) x += X[a] * N[a];
    return x;
  };
  const Barycentric L = inside[0];
  const Vec3d move = {1e-6, -2e-6, 1e-6}, step = barycentric_step<TypeParam>(X, L, move);
  const Barycentric moved = {L[0] - step[0] - step[1] - step[2], L[1] + step[0], L[2] + step[1],
                             L[3] + step[2]};
  EXPECT_NEAR(norm(at(moved) - at(L) - move), 0, 1e-11);
}

TEST(Tet4, InverseVolumeIsThatOfTheMesh) {
  const auto X = a_tet<Tet4>();
  const auto at = shape_gradients<Tet4>(X, tet_centre);
  EXPECT_NEAR(Tet4::inverse_volume(at.edges()) * mesh::tet_volume(X, {0, 1, 2, 3}), 1, 1e-14);
}

TEST(Tet4, BarycentricCoordinatesGiveThePointBack) {
  const auto X = a_tet<Tet4>();
  const Vec3d p = {0.3, 0.4, -0.2};
  const Barycentric L = barycentric(p, X, {0, 1, 2, 3});
  Vec3d x = {0, 0, 0};
  for (int i = 0; i < 4; ++i) x += X[i] * L[i];
  EXPECT_NEAR(norm(x - p), 0, 1e-15);
}

TEST(Tet4, AreaVectorsAreSixTimesTheGradientOfTheVolume) {
  const auto X = a_tet<Tet4>();
  const NodeIds<Tet4> tet = {0, 1, 2, 3};
  const auto area = area_vectors(X, tet);
  for (int a = 0; a < 4; ++a)
    for (int i = 0; i < 3; ++i) {
      auto plus = X, minus = X;  // the volume is linear in each coordinate
      plus[a][i] += 0.5;
      minus[a][i] -= 0.5;
      EXPECT_NEAR(area[a][i], 6 * (mesh::tet_volume(plus, tet) - mesh::tet_volume(minus, tet)), 1e-14);
    }
}

}  // namespace
}  // namespace sinew::element

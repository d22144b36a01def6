#include "element/block.h"

#include <gtest/gtest.h>

#include "math/random.h"
#include "mesh/properties.h"
#include "mesh/second_order.h"
#include "mesh/shapes.h"

namespace sinew::element {
namespace {

using math::PackD;

Vec3d random_vector(const math::Random& random, uint64_t i) {
  return {random.uniform(3 * i, -1, 1), random.uniform(3 * i + 1, -1, 1), random.uniform(3 * i + 2, -1, 1)};
}

double contract_all(std::span<const Vec3d> a, std::span<const Vec3d> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

// A box of 45 tets: the last pack has three lanes of padding.
template <class Shape>
class Blocks : public testing::Test {
 protected:
  static constexpr int edges = Shape::nodes - 1;
  using Vector = typename ElementBlock<Shape>::Vector;

  Blocks() {
    mesh = *mesh::make_box({.size = {3, 1, 1}, .cells = {3, 3, 1}, .split = mesh::Split::five});
    const math::Random random(11);
    for (size_t i = 0; i < mesh.vertices.size(); ++i) mesh.vertices[i] += random_vector(random, i) * 0.05;
    if (Shape::nodes == 10) mesh::add_edge_nodes(mesh);
    block = {mesh.vertices, LaneOrder::range(0, static_cast<int64_t>(mesh.elements.size())),
             [&](int32_t e) { return nodes_of(e); }};
    for (size_t i = 0; i < mesh.vertices.size(); ++i) field.push_back(random_vector(random, 1000 + i));
  }

  NodeIds<Shape> nodes_of(int32_t e) const {
    NodeIds<Shape> ids;
    std::copy(mesh.elements[e].begin(), mesh.elements[e].end(), ids.begin());
    if constexpr (Shape::nodes == 10)
      std::copy(mesh.edge_nodes[e].begin(), mesh.edge_nodes[e].end(), ids.begin() + 4);
    return ids;
  }
  // F of every lane and point, for a field at the nodes.
  std::vector<PackD> gradients(std::span<const Vec3d> x) const {
    std::vector<PackD> F(9 * Shape::points * block.packs());
    block.deformations(x, 0, block.packs(), F.data());
    return F;
  }

  mesh::TetMesh mesh;
  ElementBlock<Shape> block;
  std::vector<Vec3d> field;
};
using Kinds = testing::Types<Tet4, Tet10>;
TYPED_TEST_SUITE(Blocks, Kinds);

TYPED_TEST(Blocks, CountTheirElements) {
  ASSERT_EQ(this->mesh.elements.size(), 45u);
  EXPECT_EQ(this->block.count(), 45);
  EXPECT_EQ(this->block.packs(), 6);
  EXPECT_EQ(this->block.used_lanes(5), 5);
  EXPECT_EQ(this->block.node_ids()[47], this->nodes_of(44));
}

TYPED_TEST(Blocks, GiveTheGradientOfALinearFieldEverywhere) {
  const Mat3d A = {{{1.1, 0.2, -0.1}, {0.3, 0.9, 0.4}, {-0.2, 0.1, 1.3}}};
  std::vector<Vec3d> x;
  for (const Vec3d& X : this->mesh.vertices) x.push_back(A * X + Vec3d{5, 6, 7});
  const std::vector<PackD> F = this->gradients(x);
  for (size_t m = 0; m < F.size(); ++m)
    for (int l = 0; l < lanes; ++l) EXPECT_NEAR(F[m][l], A.c[m % 9 / 3][m % 3], 1e-12);
}

TYPED_TEST(Blocks, WeightsSumToTheVolumeAndPaddingHasNone) {
  double volume = 0;
  for (int64_t k = 0; k < this->block.packs(); ++k)
    for (int q = 0; q < TypeParam::points; ++q) {
      volume += sum(this->block.weight(k, q));
      for (int l = this->block.used_lanes(k); l < lanes; ++l) EXPECT_EQ(this->block.weight(k, q)[l], 0);
    }
  double expected = 0;
  for (const auto& tet : this->mesh.elements) expected += mesh::tet_volume(this->mesh.vertices, tet);
  EXPECT_NEAR(volume, expected, 1e-13);
}

// Any stress P: the sum over points of V P : grad(field) is field . scatter(P), so the two are adjoint; and what padding
// holds does not matter.
TYPED_TEST(Blocks, ScatterIsTheAdjointOfGather) {
  const auto& block = this->block;
  const math::Random random(3);
  const std::vector<PackD> D = this->gradients(this->field);
  std::vector<Vec3d> force(this->field.size(), Vec3d{0, 0, 0});
  double expected = 0;
  for (int64_t k = 0; k < block.packs(); ++k) {
    typename TestFixture::Vector G[TestFixture::edges];
    for (auto& g : G) g = TestFixture::Vector::zero();
    for (int q = 0; q < TypeParam::points; ++q) {
      PackD P[9];
      for (int m = 0; m < 9; ++m)
        P[m] = PackD::generate([&](int l) { return random.uniform(1000 * k + 100 * q + 10 * m + l, -1, 1); });
      block.add_stress(k, q, load_matrix(P), G);
      const PackD work = contract(load_matrix(P), load_matrix(&D[9 * (k * TypeParam::points + q)]));
      for (int l = 0; l < block.used_lanes(k); ++l) expected += block.weight(k, q)[l] * work[l];
    }
    block.scatter(k, G, force);
  }
  EXPECT_NEAR(contract_all(this->field, force), expected, 1e-13);
  Vec3d total = {0, 0, 0};
  for (const Vec3d& f : force) total += f;
  EXPECT_NEAR(norm(total), 0, 1e-13);
}

TYPED_TEST(Blocks, PaddingIsNotScattered) {
  std::vector<Vec3d> out(this->field.size(), Vec3d{0, 0, 0});
  typename TestFixture::Vector G[TestFixture::edges];
  for (auto& g : G)
    for (int i = 0; i < 3; ++i) g[i] = PackD::generate([&](int l) { return l < 5 ? 0 : 1e300; });
  this->block.scatter(5, G, out);
  for (const Vec3d& v : out) EXPECT_EQ(norm(v), 0);
}

TEST(Deformation, IsTheSameForNumbersAndForPacks) {
  const math::Random random(8);
  Vec3d d[3];
  math::Vec3<PackD> lanes_d[3];
  double g[9];
  for (int a = 0; a < 3; ++a) {
    d[a] = random_vector(random, a);
    for (int i = 0; i < 3; ++i) {
      lanes_d[a][i] = PackD(d[a][i]);
      g[3 * a + i] = random.uniform(100 + 3 * a + i, -1, 1);
    }
  }
  const Mat3d F = deformation(d, g);
  const math::Mat3<PackD> in_lanes = deformation(lanes_d, g);
  Mat3d expected = Mat3d::zero();
  for (int a = 0; a < 3; ++a) expected += outer(d[a], Vec3d{g[3 * a], g[3 * a + 1], g[3 * a + 2]});
  for (int m = 0; m < 9; ++m) {
    EXPECT_NEAR(F.c[m / 3][m % 3], expected.c[m / 3][m % 3], 1e-15);
    for (int l = 0; l < lanes; ++l) EXPECT_NEAR(in_lanes.c[m / 3][m % 3][l], F.c[m / 3][m % 3], 1e-15);
  }
}

}  // namespace
}  // namespace sinew::element

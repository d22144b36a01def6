#include "energy/elastic_elements.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

#include "base/hash.h"
#include "base/parallel.h"
#include "unit/energy/sample.h"

namespace sinew::energy {
namespace {

using namespace sinew::sample;
using model::Model;

TEST(ElasticElements, HomogeneousDeformationStoresVolumeTimesDensity) {
  const Model model = block("stvk");
  const Mat3d A = Mat3d::columns({1.2, 0, 0.1}, {0.3, 0.9, 0}, {-0.1, 0.2, 1.1});
  std::vector<Vec3d> x;
  double volume = 0;
  for (const Vec3d& X : model.X) x.push_back(A * X + Vec3d{1, 2, 3});
  for (const auto& tet : model.elements.rows<4>()) volume += mesh::tet_volume(model.X, tet);
  const double mu = 1e4 / 2.6, lambda = 1e4 * 0.3 / (1.3 * 0.4);
  const Mat3d E = (transpose(A) * A - Mat3d::identity()) * 0.5;
  const double psi = mu * contract(E, E) + lambda / 2 * trace(E) * trace(E);
  ElasticElements<element::Tet4> term(model, 0);
  term.bind(model.params);
  const EvalInfo info = term.evaluate({.x = x, .inputs = {}}, {});
  EXPECT_NEAR(info.value, volume * psi, 1e-12 * volume * psi);
  EXPECT_TRUE(info.energy_valid);
  EXPECT_EQ(info.inverted, 0);
  EXPECT_NEAR(info.min_det_F, det(A), 1e-12);
}

// Interior nodes of a homogeneous deformation carry no force.
TEST(ElasticElements, PatchIsInEquilibrium) {
  Model model = block("neo_hookean", {.cells = {3, 3, 3}, .size = {1, 1, 1}});
  const Mat3d A = Mat3d::columns({1.2, 0, 0.1}, {0.3, 0.9, 0}, {-0.1, 0.2, 1.1});
  std::vector<Vec3d> x;
  for (const Vec3d& X : model.X) x.push_back(A * X);
  std::set<int32_t> outside;
  for (const auto& face : model.bodies[0].surface) outside.insert(face.begin(), face.end());
  std::vector<Vec3d> g(x.size(), Vec3d::zero());
  terms_named(model, "elastic")[0]->evaluate({.x = x, .inputs = {}}, g);
  int inside = 0;
  for (size_t i = 0; i < x.size(); ++i)
    if (!outside.count(static_cast<int32_t>(i))) {
      EXPECT_LE(norm(g[i]), 1e-12 * force_scale(model));
      ++inside;
    }
  EXPECT_EQ(inside, 8);
}

TEST(ElasticElements, CountsInvertedElements) {
  const Model model = block("stable_neo_hookean");
  std::vector<Vec3d> x = deformed(model);
  x[model.elements[7][0]] += Vec3d{3, 0, 0};
  int64_t inverted = 0;
  double lowest = INFINITY;
  for (const auto& tet : model.elements.rows<4>()) {
    const double ratio = mesh::tet_volume(x, tet) / mesh::tet_volume(model.X, tet);
    inverted += ratio <= 0;
    lowest = std::min(lowest, ratio);
  }
  ASSERT_GT(inverted, 0);
  const EvalInfo info = terms_named(model, "elastic")[0]->evaluate({.x = x, .inputs = {}}, {});
  EXPECT_EQ(info.inverted, inverted);
  EXPECT_NEAR(info.min_det_F, lowest, 1e-10 * std::abs(lowest));
}

TEST(ElasticElements, ClampedStressHasNoEnergy) {
  const Model model = block("neo_hookean");
  const std::vector<Vec3d> x = deformed(model);
  const Terms terms = terms_named(model, "elastic");
  View view{.x = x, .inputs = {}};
  EXPECT_TRUE(terms[0]->evaluate(view, {}).energy_valid);
  view.inversion = material::Inversion::clamp;
  EXPECT_FALSE(terms[0]->evaluate(view, {}).energy_valid);
}

TEST(ElasticElements, CollapsedAndMirroredPosesAreFinite) {
  const Model model = block("neo_hookean_decoupled");
  const Terms terms = terms_named(model, "elastic");
  for (const Mat3d& A : {Mat3d::zero(), Mat3d::diagonal({1, 1, 0}), Mat3d::diagonal({1, 1, -1})}) {
    std::vector<Vec3d> x, g(model.X.size(), Vec3d::zero());
    for (const Vec3d& X : model.X) x.push_back(A * X);
    EXPECT_TRUE(std::isfinite(terms[0]->evaluate({.x = x, .inputs = {}}, g).value));
    for (const Vec3d& v : g) EXPECT_TRUE(std::isfinite(norm(v)));
  }
}

// sum over tets of V (2 mu (g_a . g_b) d_b + lambda c_a (c_b . d_b)), c = cof F g, mu and lambda by element.
TEST(ElasticElements, TheModifiedHessianIsThatOfItsFormula) {
  Model model = block("neo_hookean");
  auto& young = model.params.material[0][0].values;
  young.resize(model.elements.size());
  for (size_t t = 0; t < young.size(); ++t) young[t] = 1e4 * (1 + static_cast<double>(t % 7));
  const std::vector<Vec3d> x = deformed(model), d = random_vectors(9, x.size());
  std::vector<Vec3d> expected(x.size(), Vec3d::zero()), product(x.size(), Vec3d::zero());
  for (size_t t = 0; t < young.size(); ++t) {
    const model::Tet tet = model.elements.nodes<4>(model.sets[0].elements[t]);
    const auto edges = [&](std::span<const Vec3d> p) {
      return Mat3d::columns(p[tet[1]] - p[tet[0]], p[tet[2]] - p[tet[0]], p[tet[3]] - p[tet[0]]);
    };
    const Mat3d B = inverse(edges(model.X)), F = edges(x) * B;
    const Mat3d cof = transpose(inverse(F)) * det(F);
    const double V = mesh::tet_volume(model.X, tet), mu = young[t] / 2.6, lambda = young[t] * 0.3 / 0.52;
    Vec3d g[4];
    for (int a = 1; a < 4; ++a) g[a] = Vec3d{B(a - 1, 0), B(a - 1, 1), B(a - 1, 2)};
    g[0] = -(g[1] + g[2] + g[3]);
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        expected[tet[a]] +=
            (d[tet[b]] * (2 * mu * dot(g[a], g[b])) + cof * g[a] * (lambda * dot(cof * g[b], d[tet[b]]))) * V;
  }
  const Terms terms = terms_named(model, "elastic");
  terms[0]->product({.x = x, .inputs = {}}, Hessian::modified, d, product);
  double error = 0, size = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    error = std::max(error, norm(product[i] - expected[i]));
    size = std::max(size, norm(expected[i]));
  }
  EXPECT_LT(error, 1e-11 * size);
}

struct Answer {
  double energy = 0;
  std::vector<Vec3d> gradient, product;
};

Answer answer(const Model& model) {
  const auto x = deformed(model), d = random_vectors(300, model.X.size());
  Answer out{0, std::vector<Vec3d>(x.size(), Vec3d::zero()), std::vector<Vec3d>(x.size(), Vec3d::zero())};
  for (const auto& term : terms_named(model, "elastic")) {
    out.energy += term->evaluate({.x = x, .inputs = {}}, out.gradient).value;
    term->product({.x = x, .inputs = {}}, Hessian::projected, d, out.product);
  }
  return out;
}

TEST(ElasticElements, CoveredInPartIsAsMuchSofter) {
  for (const char* elements : {"linear", "quadratic"}) {
    Model model = block("stable_neo_hookean", {.elements = elements});
    cover_in_part(model);
    const Answer covered = answer(model), scaled = answer(scaled_instead(model));
    EXPECT_NEAR(covered.energy, scaled.energy, 1e-12 * scaled.energy);
    for (size_t i = 0; i < model.X.size(); ++i) {
      EXPECT_LT(norm(covered.gradient[i] - scaled.gradient[i]), 1e-12 * force_scale(model));
      EXPECT_LT(norm(covered.product[i] - scaled.product[i]), 1e-11 * force_scale(model));
    }
  }
}

TEST(ElasticElements, CoveredAsAWholeHasTheSameBits) {
  for (const char* elements : {"linear", "averaged", "quadratic"}) {
    Model model = block("stable_neo_hookean", {.elements = elements});
    const Answer whole = answer(model);
    model.coverage.assign(model.elements.size(), 1.0);
    const Answer covered = answer(model);
    EXPECT_EQ(covered.energy, whole.energy);
    const auto bytes = model.X.size() * sizeof(Vec3d);
    EXPECT_EQ(std::memcmp(covered.gradient.data(), whole.gradient.data(), bytes), 0);
    EXPECT_EQ(std::memcmp(covered.product.data(), whole.product.data(), bytes), 0);
  }
}

// Enough tets for many chunks of every colour.
TEST(ElasticElements, SameBitsOnManyChunks) {
  Model model = block("corotated", {.cells = {8, 8, 8}, .size = {1, 1, 1}});
  const std::vector<Vec3d> x = deformed(model, 0.01);
  Terms terms = terms_named(model, "elastic");
  std::vector<int32_t> block_of_node(x.size());
  for (size_t i = 0; i < x.size(); ++i) block_of_node[i] = static_cast<int32_t>(i);
  const Stencils stencils[] = {terms[0]->stencils()};
  const auto pattern =
      std::make_shared<BlockPattern>(make_pattern(stencils, block_of_node, static_cast<int32_t>(x.size())));
  terms[0]->map(*pattern, block_of_node);
  std::set<uint64_t> hashes;
  for (int threads : {1, 2, 3, 5, 8}) {
    set_thread_count(threads);
    Hash hash;
    std::vector<Vec3d> g(x.size(), Vec3d::zero());
    const double value = terms[0]->evaluate({.x = x, .inputs = {}}, g).value;
    hash.add(&value, sizeof value);
    hash.add(std::span<const Vec3d>(g));
    for (Precision precision : {Precision::single, Precision::full}) {
      BlockMatrix matrix;
      matrix.reset(pattern, precision);
      terms[0]->assemble({.x = x, .inputs = {}}, Hessian::projected, 1, matrix);
      std::vector<Vec3d> y(x.size());
      const double xy = matrix.multiply_dot(x, y);
      hash.add(&xy, sizeof xy);
      hash.add(std::span<const Vec3d>(y));
    }
    hashes.insert(hash.value());
  }
  set_thread_count(0);
  EXPECT_EQ(hashes.size(), 1u);
}

}  // namespace
}  // namespace sinew::energy

// Solutions by multigrid, many at once, against those by factors; what is asked of each way.
#include "sensitivity/tangent.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "sensitivity/equilibrium.h"
#include "solve/newton.h"
#include "solve/vectors.h"
#include "unit/solve/held_block.h"

namespace sinew::sensitivity {
namespace {

using namespace sinew::sample;
using Vectors = std::vector<Vec3d>;
constexpr int32_t never = 1 << 30;

// A bar that is held at one end and bends under its weight, with a plane and a spring, in equilibrium.
struct Bent {
  model::Model model;
  solve::System system;
  Vectors x;

  explicit Bent(const std::array<int32_t, 3>& cells, const Vec3d& size)
      : model(make(cells, size)), system(model), x(model.X) {
    const solve::SolveReport report = solve::Newton(system, {}).solve(x, 1e-10, {});
    EXPECT_LE(report.last.relative, 1e-9);
  }
  static model::Model make(const std::array<int32_t, 3>& cells, const Vec3d& size) {
    model::Model model =
        held_block({.young = 3e5, .cells = cells, .size = size, .jitter = 0.1, .hold_right = false});
    add_gravity(model, {0, 0, -9.81});
    const std::vector<int32_t> end = face_nodes(cells, 0, true);
    hold(model, "plane", {end.begin(), end.begin() + 3}, {{}}, model::Hold::plane,
         normalized(Vec3d{0.2, 1, 0}));
    const int pose = model.inputs.add_pose("attach.soft", {{.translate = {0, 0, 0.1}}});
    add_link(model, model::Site::at_node(end.back()), model::Site::on_frame(pose, model.X[end.back()]), 3000,
             1500);
    return model;
  }
  std::vector<Vectors> forces(size_t count) {
    std::vector<Vectors> b;
    for (size_t k = 0; k < count; ++k) {
      Vectors nodes(x.size(), Vec3d{0, 0, 0});
      if (k % 2 == 0)  // one node, as a target of one marker; or all
        nodes[(7919 * (k + 1)) % x.size()] = {1, double(k), -1};
      else
        nodes = random_vectors(k, x.size());
      b.emplace_back(system.dofs().unknown_count());
      system.dofs().pull(x, nodes, b.back());
    }
    return b;
  }
  std::vector<Vectors> solved(const std::vector<Vectors>& b, int32_t most, std::string_view by) {
    Tangent tangent(system, x, most);
    std::vector<std::string> warnings;
    EXPECT_TRUE(tangent.factor(warnings));
    EXPECT_TRUE(warnings.empty());
    std::vector<Vectors> q(b.size());
    const auto ok = tangent.solve(b, false, q);
    EXPECT_TRUE(ok) << (ok ? "" : ok.error().text());
    if (by.empty())
      EXPECT_NE(tangent.solver(), "pcg_multigrid");
    else
      EXPECT_EQ(tangent.solver(), by);
    return q;
  }
};

void expect_equal(Bent& bent, size_t count, double tolerance) {
  const auto b = bent.forces(count);
  const auto factored = bent.solved(b, never, ""), cycled = bent.solved(b, 0, "pcg_multigrid");
  for (size_t k = 0; k < count; ++k) {
    double size = 0;
    for (const Vec3d& v : factored[k]) size = std::max(size, norm(v));
    EXPECT_LE(distance(factored[k], cycled[k]), tolerance * size) << k << " of " << count;
  }
}

TEST(Tangent, IsSolvedByMultigridAsByFactors) {
  Bent bent({24, 6, 6}, {4, 1, 1});
  for (size_t count : {1, 3, 20}) expect_equal(bent, count, 1e-10);
}

// 41,160 nodes.
TEST(Tangent, LongIsSolvedByMultigridAsByFactorsWhereItIsLarge) {
  Bent bent({48, 28, 28}, {3, 1.75, 1.75});
  expect_equal(bent, 5, 1e-10);
}

TEST(Tangent, OfManyIsThatOfEach) {
  Bent bent({24, 6, 6}, {4, 1, 1});
  const auto b = bent.forces(5);
  for (const int32_t most : {0, never}) {
    Tangent tangent(bent.system, bent.x, most);
    std::vector<std::string> warnings;
    ASSERT_TRUE(tangent.factor(warnings));
    std::vector<Vectors> q(b.size());
    ASSERT_TRUE(tangent.solve(b, false, q));
    for (size_t k = 0; k < b.size(); ++k) {
      Vectors alone(b[k].size());
      ASSERT_TRUE(tangent.solve(b[k], false, alone));
      double size = 0;
      for (const Vec3d& v : alone) size = std::max(size, norm(v));
      EXPECT_LE(distance(alone, q[k]), 1e-10 * size) << k;
    }
    std::vector<Vectors> none;
    EXPECT_TRUE(tangent.solve(none, false, none));
  }
}

TEST(Tangent, HasTheSameBitsForAnyThreads) {
  Bent bent({24, 6, 6}, {4, 1, 1});
  const auto b = bent.forces(18);
  set_thread_count(1);
  const auto one = bent.solved(b, 0, "pcg_multigrid");
  for (int threads : {2, 3, 8}) {
    set_thread_count(threads);
    const auto many = bent.solved(b, 0, "pcg_multigrid");
    for (size_t k = 0; k < b.size(); ++k) EXPECT_EQ(flat(one[k]), flat(many[k])) << threads << " threads";
  }
  set_thread_count(0);
}

// A column squeezed beyond its buckling load and not yet buckled.
TEST(Tangent, OfAnUnstableEquilibriumIsRefusedWhereItIsTooLargeToFactor) {
  const model::Model model = held_block({.poisson = 0, .cells = {24, 3, 3}, .size = {8, 1, 1}});
  solve::System system(model);
  Vectors x = model.X;
  for (Vec3d& p : x) p[0] *= 0.7;
  std::vector<std::string> warnings;
  Tangent factored(system, x, never);
  ASSERT_TRUE(factored.factor(warnings));
  EXPECT_EQ(warnings.size(), 1u);

  Tangent tangent(system, x, 0);
  ASSERT_TRUE(tangent.factor(warnings));
  for (size_t count : {1, 4}) {
    std::vector<Vectors> b, q(count);
    for (size_t k = 0; k < count; ++k) b.push_back(random_vectors(k + 1, system.dofs().unknown_count()));
    const auto ok = tangent.solve(b, false, q);
    ASSERT_FALSE(ok);
    EXPECT_NE(ok.error().what.find("not positive definite"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew::sensitivity

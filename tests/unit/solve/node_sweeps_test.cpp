#include "solve/node_sweeps.h"

#include <gtest/gtest.h>
#include <numeric>

#include "base/parallel.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;
using math::PackD;
using math::PackF;

double energy_of(const System& system, std::span<const Vec3d> x) {
  std::vector<Vec3d> gradient(x.size());
  return system.evaluate(x, gradient).energy;
}
Evaluation at(const System& system, std::span<const Vec3d> x) {
  std::vector<Vec3d> gradient(x.size());
  return system.evaluate(x, gradient);
}

template <class T = PackD>
std::vector<Vec3d> swept(System& system, std::vector<Vec3d> x, int count, double relaxation = 1,
                         bool modified = false) {
  NodeSweeps<T> sweeps(system, modified);
  sweeps.start(x);
  for (int k = 0; k < count; ++k) sweeps.sweep(relaxation);
  sweeps.positions(x);
  return x;
}

// A block of which only the nodes for which `free` holds may move. Sweeps take the others where they are, wherever that is.
template <class Free>
model::Model block_held_except(const material::Law& law, double poisson, const BlockOptions& options,
                               const Free& free) {
  model::Model model;
  add_set(model, add_block(model, options), law, 2.5, poisson);
  std::vector<int32_t> held;
  for (size_t i = 0; i < model.X.size(); ++i)
    if (!free(static_cast<int32_t>(i))) held.push_back(static_cast<int32_t>(i));
  hold(model, "all", held);
  return model;
}

// Nodes of a box of cells that do not lie on its surface.
auto inside(const std::array<int32_t, 3>& cells) {
  return [cells](int32_t node) {
    const std::array<int32_t, 3> ijk = {node % (cells[0] + 1), node / (cells[0] + 1) % (cells[1] + 1),
                                        node / ((cells[0] + 1) * (cells[1] + 1))};
    for (int k = 0; k < 3; ++k)
      if (ijk[k] == 0 || ijk[k] == cells[k]) return false;
    return true;
  };
}

// Scattered: about half of the tets are inverted.
std::vector<Vec3d> scattered(const model::Model& model, uint64_t seed, double size) {
  std::vector<Vec3d> x = model.X;
  for (size_t i = 0; i < x.size(); ++i) x[i] += random_vector(math::Random(seed), i) * size;
  return x;
}

// ---- One node at a time ----

struct OneNode {
  const char* law;
  std::vector<double> ratios, relaxations;
};

class OneNodeMoves : public testing::TestWithParam<OneNode> {};

// With a block that bounds the energy from above any step between 0 and twice Newton's lowers it, from anywhere.
TEST_P(OneNodeMoves, NeverRaiseTheEnergy) {
  int64_t inverted = 0;
  for (double poisson : GetParam().ratios)
    for (int32_t node : {0, 5, 13, 17, 26}) {
      const model::Model model =
          block_held_except(*material::find_law(GetParam().law), poisson, {.cells = {2, 2, 2}},
                            [&](int32_t i) { return i == node; });
      System system(model);
      for (uint64_t seed = 0; seed < 12; ++seed) {
        const auto x = scattered(model, seed, 0.3 * static_cast<double>(seed % 4));
        const Evaluation before = at(system, x);
        inverted += before.inverted;
        for (double w : GetParam().relaxations) {
          const auto moved = swept(system, x, 1, w);
          ASSERT_LE(energy_of(system, moved), before.energy + before.energy_noise)
              << "node " << node << ", nu " << poisson << ", w " << w << ", start " << seed;
          for (size_t i = 0; i < x.size(); ++i)
            if (static_cast<int32_t>(i) != node) {
              ASSERT_EQ(norm(moved[i] - x[i]), 0);
            }
        }
      }
    }
  EXPECT_GT(inverted, 100);
}

INSTANTIATE_TEST_SUITE_P(
    Laws, OneNodeMoves,
    testing::Values(OneNode{"corotated", {0, 0.1, 0.3, 0.45, 0.49}, {1, 1.3, 1.5, 1.7, 1.9}},
                    OneNode{"arap", {0.3}, {1, 1.3, 1.5, 1.7, 1.9}},
                    OneNode{"stable_neo_hookean", {0.1, 0.3, 0.45}, {1, 1.3, 1.5, 1.7, 1.9}},
                    OneNode{"macklin_mueller", {0.2, 0.45}, {1, 1.7, 1.9}},
                    // guarded
                    OneNode{"corotated_linear", {0.1, 0.45}, {1, 1.7}},
                    OneNode{"neo_hookean", {0.1, 0.45}, {1, 1.7}},
                    OneNode{"neo_hookean_decoupled", {0.1, 0.45}, {1, 1.7}},
                    OneNode{"stable_neo_hookean_log", {0.1, 0.45}, {1, 1.7}},
                    OneNode{"stvk", {0.1, 0.49}, {1, 1.7}}, OneNode{"fung", {0.1, 0.45}, {1, 1.7}},
                    OneNode{"muscle", {0.3}, {1, 1.7}}, OneNode{"ogden", {0.3}, {1, 1.7}}),
    [](const auto& info) { return std::string(info.param.law); });

// The energy of a neo-Hookean body is quadratic in the place of one node: one step ends at its minimum.
TEST(OneNodeMoves, ANeoHookeanNodeEndsWhereItsForceVanishes) {
  for (double poisson : {0.1, 0.3, 0.45})
    for (int32_t node : {0, 13, 22}) {
      const model::Model model =
          block_held_except(*material::find_law("stable_neo_hookean"), poisson, {.cells = {2, 2, 2}},
                            [&](int32_t i) { return i == node; });
      System system(model);
      for (uint64_t seed = 0; seed < 8; ++seed) {
        const auto x = scattered(model, seed, 0.3);
        EXPECT_LT(at(system, swept(system, x, 1)).residual, 1e-12 * at(system, x).residual);
      }
    }
}

TEST(OneNodeMoves, AnInvertedTetIsTurnedBack) {
  const model::Model model =
      block_held_except(*material::find_law("corotated"), 0.3,
                        {.cells = {1, 1, 1}, .size = {1, 1, 1}, .jitter = 0, .split = mesh::Split::five},
                        [](int32_t i) { return i == 0; });
  System system(model);
  std::vector<Vec3d> x = model.X;
  x[0] = {2, 2, 2};  // through the opposite corner
  ASSERT_GT(at(system, x).inverted, 0);
  const auto found = swept(system, x, 100);
  EXPECT_EQ(at(system, found).inverted, 0);
  EXPECT_LT(norm(found[0]), 1e-9);
}

// ---- Sweeps ----

TEST(NodeSweeps, EnergyFallsFromScatteredStartsInEverySweep) {
  for (const char* law : {"corotated", "stable_neo_hookean", "neo_hookean", "stvk", "mooney_rivlin"}) {
    model::Model model = held_block({.law = law, .poisson = 0.1, .jitter = 0.1});
    System system(model);
    for (double w : {1.0, 1.7}) {
      NodeSweeps<PackD> sweeps(system, false);
      std::vector<Vec3d> x = scattered(model, 3, 0.8);
      system.dofs().retract(x);
      sweeps.start(x);
      double before = energy_of(system, x);
      for (int k = 0; k < 60; ++k) {
        sweeps.sweep(w);
        sweeps.positions(x);
        const double now = energy_of(system, x);
        ASSERT_LE(now, before * (1 + 1e-12)) << law << ", sweep " << k << ", w " << w;
        before = now;
      }
    }
  }
}

TEST(NodeSweeps, RestAndRigidMotionsAreFixedPoints) {
  const Mat3d R = model::rotation(normalized(Vec3d{1, 2, -1}), 2.1);
  for (const material::Law* law : material::solid_laws()) {
    if (!law->traits.rest_stable) continue;
    model::Model model = held_block({.law = std::string(law->name), .young = 2.5, .jitter = 0.1});
    System system(model);
    std::vector<Vec3d> turned = model.X;
    for (Vec3d& x : turned) x = R * x + Vec3d{0.3, -2, 1};
    EXPECT_LT(distance(swept(system, model.X, 5), model.X), 1e-12) << law->name;
    if (law->traits.objective) {
      EXPECT_LT(distance(swept(system, turned, 5), turned), 1e-12) << law->name;
    }
  }
}

TEST(NodeSweeps, PatchTestForEveryLaw) {
  const Mat3d A = Mat3d::columns({1.1, 0.05, -0.04}, {-0.1, 0.97, 0.06}, {0.03, -0.05, 1.06});
  const std::array<int32_t, 3> cells = {3, 3, 3};
  for (const material::Law* law : material::solid_laws()) {
    if (!law->traits.rest_stable) continue;
    const model::Model model = block_held_except(*law, 0.3, {.cells = cells, .jitter = 0.1}, inside(cells));
    System system(model);
    std::vector<Vec3d> affine = model.X, x = model.X;
    for (size_t i = 0; i < x.size(); ++i) {
      affine[i] = A * model.X[i] + Vec3d{0.2, 0.1, 0};
      if (!inside(cells)(static_cast<int32_t>(i))) x[i] = affine[i];
    }
    const auto found = swept(system, x, 120);
    EXPECT_LT(at(system, found).relative, 1e-10) << law->name;
    EXPECT_LT(distance(found, affine), 1e-9) << law->name;
  }
}

TEST(NodeSweeps, ABlockThroughItselfRecovers) {
  for (double poisson : {0.0, 0.3, 0.45}) {
    const model::Model model = held_block({.law = "corotated", .poisson = poisson});
    System system(model);
    std::vector<Vec3d> x = model.X;
    for (Vec3d& v : x) v = {2 - v[0], v[1], v[2]};
    system.dofs().retract(x);
    ASSERT_GT(at(system, x).inverted, 40);
    const auto found = swept(system, x, 400);
    EXPECT_EQ(at(system, found).inverted, 0);
    EXPECT_LT(distance(found, model.X), 1e-6);
  }
}

TEST(NodeSweeps, SinglePrecisionReachesAboutItsRounding) {
  for (const char* law : {"corotated", "neo_hookean", "muscle"}) {
    const model::Model model = held_block(
        {.law = law, .young = 2.5, .jitter = 0.1, .right = {{}, {.time = 1, .translate = {0.3, 0.1, 0}}}});
    System system(model);
    system.set_inputs(inputs_at(model, 1));
    std::vector<Vec3d> x = model.X;
    system.dofs().retract(x);
    const auto found = swept<PackF>(system, x, 300), exact = swept<PackD>(system, x, 300);
    EXPECT_LT(distance(found, exact), 1e-5) << law;
    std::vector<Vec3d> rounded = exact;
    for (Vec3d& v : rounded)
      for (int k = 0; k < 3; ++k) v[k] = static_cast<float>(v[k]);
    EXPECT_LT(at(system, found).relative, 5 * at(system, rounded).relative) << law;
  }
}

// ---- The same bits ----

model::Model mixed_model() {
  model::Model model;
  const std::array<int32_t, 3> cells = {7, 4, 4};
  const int32_t a = add_block(model, {.cells = cells}), b = add_block(model, {.cells = {3, 3, 5}});
  add_set(model, a, *material::find_law("corotated"));
  add_set(model, a, *material::find_law("muscle"), 1e4, 0.3, 3);
  add_set(model, b, *material::find_law("neo_hookean"));
  for (int32_t i = 0; i < 12; ++i)
    add_link(model, model::Site::at_node(7 * i), model::Site::at_node(model.bodies[b].nodes.begin + 5 * i),
             3e3, 1e3, i % 2 ? 0.2 : 0.0);
  hold(model, "left", face_nodes(cells, 0, false));
  return model;
}

TEST(NodeSweeps, TheSameBitsForAnyNumberOfThreads) {
  const model::Model model = mixed_model();
  System system(model);
  const auto x = scattered(model, 1, 0.2);
  const int threads = thread_count();
  set_thread_count(1);
  const auto one = swept(system, x, 10, 1.2);
  const auto one_single = swept<PackF>(system, x, 10, 1.2);
  for (int n : {2, 3, 8}) {
    set_thread_count(n);
    EXPECT_EQ(distance(swept(system, x, 10, 1.2), one), 0) << n;
    EXPECT_EQ(distance(swept<PackF>(system, x, 10, 1.2), one_single), 0) << n;
  }
  set_thread_count(threads);
}

// Nodes are renumbered and keep their colours: other nodes share the lanes of a block, in another order.
template <class T>
void expect_same_bits_when_renumbered() {
  const model::Model model = mixed_model();
  System system(model);
  std::vector<energy::Stencils> stencils;
  for (const auto& term : system.terms()) stencils.push_back(term->stencils());
  const std::vector<int32_t> colours = energy::colour_nodes(stencils, static_cast<int64_t>(model.X.size()));

  std::vector<int32_t> new_id(model.X.size());
  std::iota(new_id.begin(), new_id.end(), 0);
  const math::Random random(12);
  for (const model::Body& body : model.bodies)  // a body stays a range
    for (int32_t i = body.nodes.end - 1; i > body.nodes.begin; --i)
      std::swap(new_id[i], new_id[body.nodes.begin + random.bits(i) % (i - body.nodes.begin + 1)]);
  model::Model other = model;
  std::vector<int32_t> new_colours(colours.size());
  for (size_t i = 0; i < new_id.size(); ++i) {
    other.X[new_id[i]] = model.X[i];
    new_colours[new_id[i]] = colours[i];
  }
  std::vector<model::Tet> tets(model.elements.rows<4>().begin(), model.elements.rows<4>().end());
  for (auto& tet : tets)
    for (int32_t& node : tet) node = new_id[node];
  other.elements = element::Connectivity(tets);
  for (auto& link : other.links)
    for (model::Site* site : {&link.a, &link.b})
      for (int k = 0; k < site->count; ++k) site->node[k] = new_id[site->node[k]];
  for (auto& attachment : other.attachments)
    for (int32_t& node : attachment.nodes) node = new_id[node];
  System renumbered(other);

  const auto x = scattered(model, 1, 0.2);
  std::vector<Vec3d> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) y[new_id[i]] = x[i];
  NodeSweeps<T> a(system, false, colours), b(renumbered, false, new_colours);
  a.start(x), b.start(y);
  for (int k = 0; k < 10; ++k) a.sweep(), b.sweep();
  std::vector<Vec3d> from_a(x.size()), from_b(x.size());
  a.positions(from_a), b.positions(from_b);
  int differ = 0;
  for (size_t i = 0; i < x.size(); ++i) differ += norm(from_a[i] - from_b[new_id[i]]) != 0;
  EXPECT_EQ(differ, 0);
}

TEST(NodeSweeps, TheOrderOfNodesInsideAColourDoesNotMatter) {
  expect_same_bits_when_renumbered<PackD>();
  expect_same_bits_when_renumbered<PackF>();
}

// A change of parameters makes the visitors of those terms anew that it concerns, and sweeps go on as if all had been.
TEST(NodeSweeps, ParametersOfATermMakeItsVisitorAnewAlone) {
  const model::Model model = mixed_model();
  System system(model);
  const auto terms = static_cast<int64_t>(model.sets.size()) + 1;  // one of each set, and the links
  ASSERT_FALSE(model.links.empty());
  const auto x = scattered(model, 1, 0.2);
  NodeSweeps<PackD> sweeps(system, false);
  const auto swept_again = [&] {
    sweeps.start(x);
    for (int k = 0; k < 3; ++k) sweeps.sweep();
    std::vector<Vec3d> y(x.size());
    sweeps.positions(y);
    return y;
  };
  const auto first = swept_again();
  EXPECT_EQ(sweeps.visitors_made(), terms);

  model::Params params = model.params;
  for (double& k : params.link_normal) k *= 3;
  system.set_params(params);
  const auto stiffer = swept_again();
  EXPECT_EQ(sweeps.visitors_made(), terms + 1);
  EXPECT_GT(distance(stiffer, first), 0);
  EXPECT_EQ(distance(stiffer, swept(system, x, 3)), 0);

  for (double& value : params.material[0][0].values) value *= 2;
  system.set_params(params);
  EXPECT_EQ(distance(swept_again(), swept(system, x, 3)), 0);
  EXPECT_EQ(sweeps.visitors_made(), terms + 2);

  system.set_params(params);
  swept_again();
  EXPECT_EQ(sweeps.visitors_made(), terms + 2);

  system.set_params(model.params);
  EXPECT_EQ(distance(swept_again(), first), 0);
  EXPECT_EQ(sweeps.visitors_made(), terms + 4);
}

}  // namespace
}  // namespace sinew::solve

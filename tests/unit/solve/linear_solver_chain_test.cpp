#include "solve/linear_solver_chain.h"

#include <gtest/gtest.h>

#include "unit/plates.h"
#include "unit/solve/held_block.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

TEST(LinearSolverChain, OnlyAutoFallsBack) {
  const model::Model model = held_block({});
  const System system(model);
  LinearSolverChain chain("pcg", system);
  chain.restart();
  EXPECT_FALSE(chain.fall_back());
  EXPECT_EQ(chain.current().name(), "pcg");
}

TEST(LinearSolverChain, EverySolverIsAnotherOneUntilTheSolveIsOver) {
  for (const std::array<int32_t, 3>& cells :
       {std::array{3, 2, 2}, std::array{8, 6, 6}}) {  // under 200 nodes and above
    const model::Model model = held_block({.cells = cells});
    const System system(model);
    LinearSolverChain chain("auto", system);
    chain.restart();
    std::vector<std::string_view> names = {chain.current().name()};
    while (chain.fall_back()) names.push_back(chain.current().name());
    EXPECT_GE(names.size(), 2u);
    EXPECT_LE(names.size(), 3u);
    std::vector<std::string_view> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
    EXPECT_NE(std::find(names.begin(), names.end(), "pcg_cholesky"), names.end());
    chain.restart();
    EXPECT_EQ(chain.current().name(), names[0]);
  }
}

TEST(LinearSolverChain, LargeSheetsBeginWithMultigrid) {
  for (const int cells : {40, 230}) {  // under 200,000 nodes and edges, and above
    const model::Model model = plate({.cells = {cells, cells}});
    const System system(model);
    LinearSolverChain chain("auto", system);
    chain.restart();
    EXPECT_EQ(chain.current().name() == "pcg_multigrid", cells == 230) << chain.current().name();
  }
}

TEST(LinearSolverChain, BeginsWithMultigridWhereBlockJacobiHasNoChance) {
  // A large body at few nodes, but not in time; at its end faces it has one.
  const std::array<int32_t, 3> cells = {28, 28, 28};
  model::Model few = held_block({.cells = cells, .hold_right = false});
  few.attachments[0].nodes = {0, 28, 29 * 28, 29 * 29 - 1};
  System standing(few);
  LinearSolverChain chain("auto", standing);
  chain.restart();
  EXPECT_EQ(chain.current().name(), "pcg_multigrid");
  const std::vector<double> weight(few.X.size(), 1.0);
  standing.set_inertia(weight, few.X);
  chain.restart();
  EXPECT_EQ(chain.current().name(), "pcg");
  const model::Model faces = held_block({.cells = cells});
  const System clamped(faces);
  EXPECT_EQ(LinearSolverChain("auto", clamped).current().name(), "pcg");

  // A small one that is pinned by a stiff spring.
  model::Model pinned = held_block({.cells = {8, 6, 6}});
  add_link(pinned, model::Site::at_node(200), model::Site::on_frame(-1, {1, 0, 0}), 1e9, 1e9);
  System stiff(pinned);
  EXPECT_EQ(LinearSolverChain("auto", stiff).current().name(), "pcg_multigrid");

  // A chain that was made before the spring became stiff is like one that was made after it: so a resumed run has the same bits.
  model::Params soft = pinned.params, hard = pinned.params;
  soft.link_normal = soft.link_tangent = {1};
  stiff.set_params(soft);
  LinearSolverChain early("auto", stiff);
  EXPECT_EQ(early.current().name(), "pcg");
  stiff.set_params(hard);
  early.restart();
  EXPECT_EQ(early.current().name(), "pcg_multigrid");
}

}  // namespace
}  // namespace sinew::solve

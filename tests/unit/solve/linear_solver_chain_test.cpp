#include "solve/linear_solver_chain.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sinew::solve

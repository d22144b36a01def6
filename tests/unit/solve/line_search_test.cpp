// The rules of acceptance against parabolas, where they can be solved for alpha, and the search on a bar.
#include "solve/line_search.h"

#include <gtest/gtest.h>

#include "solve/vectors.h"
#include "unit/solve/stretched_bar.h"

namespace sinew::solve {
namespace {

using namespace sinew::sample;

// Phi(alpha) = slope alpha + curvature alpha^2 / 2, in exact arithmetic but for `noise`.
struct Parabola {
  double slope = -3, curvature = 2, noise = 0;
  bool valid = true;

  Evaluation at(double alpha) const {
    return {.energy = alpha * (slope + 0.5 * curvature * alpha),
            .energy_noise = noise,
            .energy_valid = valid,
            .residual = std::abs(end_slope(alpha))};
  }
  double end_slope(double alpha) const { return slope + curvature * alpha; }
  template <class Rule>
  bool accepts(const Rule& rule, double alpha, int halvings = 0) const {
    const Evaluation from = at(0), to = at(alpha);
    return rule(TrialStep{from, to, slope, alpha, halvings}, [&] { return end_slope(alpha); });
  }
};
const auto wolfe = [](const TrialStep& step, const auto& end) { return approximate_wolfe(step, end); };
const auto relaxed = [](const TrialStep& step, const auto& end) { return relaxed_armijo(step, end); };

// On a parabola Armijo's condition holds up to 2 (1 - 1e-4) |slope| / curvature, twice the minimiser but for 1e-4.
TEST(LineSearchRules, ArmijoEndsJustBelowTwiceTheMinimiser) {
  for (const double slope : {-3.0, -1e-6, -2e5})
    for (const double curvature : {2.0, 1e-3}) {
      const Parabola phi{.slope = slope, .curvature = curvature};
      const double limit = 2 * (1 - 1e-4) * -slope / curvature;
      for (const auto& [alpha, expected] :
           {std::pair{0.1 * limit, true}, {0.999999 * limit, true}, {1.000001 * limit, false}}) {
        EXPECT_EQ(phi.accepts(wolfe, alpha), expected) << slope << " " << curvature;
        EXPECT_EQ(phi.accepts(relaxed, alpha), expected) << slope << " " << curvature;
      }
    }
}

// The condition on slopes is that on energies, for a parabola: with an energy that is all rounding, or none, the same steps are
// accepted.
TEST(LineSearchRules, SlopesDecideAsTheEnergyWould) {
  const Parabola exact;
  for (const Parabola& phi : {Parabola{.noise = 1e3}, Parabola{.valid = false}})
    for (double alpha = 0.01; alpha < 8; alpha *= 1.07)
      EXPECT_EQ(phi.accepts(wolfe, alpha), exact.accepts(wolfe, alpha)) << alpha;
}

// A step whose energy rises by more than the rounding is refused, whatever the slope at its end.
TEST(LineSearchRules, ARiseAboveTheRoundingIsRefused) {
  const Evaluation from{.energy = 1, .energy_noise = 1e-3, .residual = 1};
  const Evaluation to{.energy = 1.01, .energy_noise = 1e-3, .residual = 0.1};
  const TrialStep step{from, to, -1e-5, 1, 0};
  EXPECT_FALSE(approximate_wolfe(step, [] { return 0.0; }));
  EXPECT_FALSE(relaxed_armijo(step, [] { return 0.0; }));
}

TEST(LineSearchRules, NewtonsRuleNearTheRounding) {
  const Evaluation from{.energy = 1, .energy_noise = 1e-3, .residual = 1};
  Evaluation to{.energy = 1.0005, .energy_noise = 1e-3, .residual = 2};
  const TrialStep step{from, to, -1e-2, 1, 0};  // less than a hundred times the rounding
  EXPECT_FALSE(relaxed_armijo(step, [] { return -0.9e-2; }));
  EXPECT_TRUE(relaxed_armijo(step, [] { return 0.4e-2; }));  // the slope fell by more than half
  to.residual = 0.9;
  EXPECT_TRUE(relaxed_armijo(step, [] { return -0.9e-2; }));
}

TEST(LineSearchRules, NewtonsRuleWithoutAnEnergy) {
  const Parabola phi{.slope = -3, .curvature = 2, .valid = false};
  EXPECT_TRUE(phi.accepts(relaxed, 2.9));
  EXPECT_FALSE(phi.accepts(relaxed, 3.1, 3));  // the slope has turned and grown
  EXPECT_TRUE(phi.accepts(relaxed, 3.1, 4));
}

struct Bar {
  model::Model model = stretched_bar({.law = "neo_hookean", .cells = {4, 2, 2}});
  System system{model};
  std::vector<Vec3d> x = model.X, d;
  Iterate point{system};
  SolveReport report;

  // d: `length` times the steepest descent over the free unknowns.
  explicit Bar(double length) : d(model.X.size()) {
    set_time_1(system);
    system.dofs().retract(x);
    point.start(x, report);
    std::vector<Vec3d> q(system.dofs().block_count());
    system.dofs().pull(point.gradient, q);
    for (Vec3d& v : q) v *= -length;
    system.dofs().push(q, d);
  }
  double slope() const { return dot_of(point.gradient, d); }
};

TEST(LineSearch, TakesTheFirstStepThatIsAcceptable) {
  Bar bar(1);  // far too long
  const std::vector<Vec3d> start = bar.x, d = bar.d;
  const double slope = bar.slope(), energy = bar.point.at.energy;
  const double alpha = line_search(bar.point, bar.d, slope, {}, bar.report);
  ASSERT_GT(alpha, 0);
  EXPECT_EQ(std::exp2(std::round(std::log2(alpha))), alpha);
  std::vector<Vec3d> gradient(start.size()), expected = start, twice = start;
  for (size_t i = 0; i < start.size(); ++i) {
    expected[i] += d[i] * alpha;
    twice[i] += d[i] * (2 * alpha);
  }
  EXPECT_LT(distance(bar.x, expected), 1e-14);
  EXPECT_EQ(bar.point.at.energy, bar.system.evaluate(bar.x, gradient).energy);
  EXPECT_EQ(distance(bar.point.gradient, gradient), 0);
  EXPECT_LE(bar.point.at.energy, energy + 1e-4 * alpha * slope);
  EXPECT_GT(bar.system.evaluate(twice, gradient).energy, energy + 1e-4 * 2 * alpha * slope);
}

TEST(LineSearch, DoesNotMoveUphill) {
  Bar bar(-1e-6);
  const std::vector<Vec3d> start = bar.x;
  ASSERT_GT(bar.slope(), 0);
  EXPECT_EQ(line_search(bar.point, bar.d, bar.slope(), {}, bar.report), 0);
  EXPECT_EQ(line_search(bar.point, bar.d, -std::numeric_limits<double>::infinity(), {}, bar.report), 0);
  EXPECT_EQ(distance(bar.x, start), 0);
}

TEST(LineSearch, GivesUpAfterItsHalvings) {
  Bar bar(1);
  const std::vector<Vec3d> start = bar.x;
  EXPECT_EQ(line_search(bar.point, bar.d, bar.slope(), {.max_halvings = 2}, bar.report), 0);
  EXPECT_EQ(distance(bar.x, start), 0);
}

TEST(LineSearch, TheWatchdogIsAskedOnceAboutTheWholeStep) {
  Bar bar(1);
  int improved = 0, asked = 0;
  const LineSearchOptions options{.improve = [&](std::span<Vec3d>) { ++improved; },
                                  .watchdog =
                                      [&] {
                                        EXPECT_EQ(improved, 1);
                                        ++asked;
                                        return false;
                                      }};
  EXPECT_GT(line_search(bar.point, bar.d, bar.slope(), options, bar.report), 0);
  EXPECT_EQ(improved, 1);
  EXPECT_EQ(asked, 1);

  Bar other(1);
  EXPECT_EQ(line_search(other.point, other.d, other.slope(), {.watchdog = [] { return true; }}, other.report),
            1);
}

}  // namespace
}  // namespace sinew::solve

// A bar that hangs under its own weight. With nu = 0 the solid is exactly one-dimensional; the elongation
// depends on q = density g L / E alone.
#include <fmt/format.h>

#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Row {
  std::string_view law;
  double q, tip;  // [1], displacement over length [1]
};

constexpr Row rows[] = {
    {"linear", 0.1, 0.05},
    {"linear", 0.5, 0.25},
    {"linear", 1, 0.5},
    {"stvk", 0.1, 0.04579769},
    {"stvk", 0.5, 0.18225788},
    {"stvk", 1, 0.30535931},
    {"neo_hookean", 0.1, 0.05166418},
    {"neo_hookean", 0.5, 0.29022882},
    {"neo_hookean", 1, 0.64779357},
};

// Displacement of the lower end over the length, at the node farthest from the reference.
double tip_of_bar(const Row& row, int32_t cells, const Control& control) {
  const double h = 1.0 / cells;
  // A split with the symmetry of the bar: the weight of six tets per cell would bend it.
  Specimen bar(*mesh::make_box({.size = {1, h, h}, .cells = {cells, 1, 1}, .split = mesh::Split::crossed}),
               {row.law, 1, 0, 1});
  bar.hold(bar.group("xmin"), bar.still());
  bar.set_gravity({row.q, 0, 0});
  const Solution solution = bar.equilibrium(control, 1e-9);
  std::vector<double> tip;
  for (int32_t node : bar.group("xmax")) tip.push_back(solution.state.x()[node][0] - 1);
  return solution.valid(farthest(tip, row.tip));
}

}  // namespace

const Problem& problem_hanging_bar() {
  static const Problem problem = {
      .id = "V10",
      .title = "Bar hanging under its own weight",
      .source = "one-dimensional closed form",
      .doc =
          "Bar of length 1 in 100 cubic cells, E = 1, nu = 0, held at the top. Displacement of the lower "
          "end for q = density g L / E.",
      .run =
          [](const Control& control) {
            Checks checks(problem_hanging_bar());
            for (const Row& row : rows) {
              std::vector<double> h, tips;
              for (int32_t cells : {25, 50, 100}) {
                if (control.cancelled()) break;
                h.push_back(1.0 / cells);
                tips.push_back(tip_of_bar(row, cells, control));
              }
              if (control.cancelled()) break;
              checks.relative(fmt::format("{}.q_{}", row.law, row.q),
                              "displacement over length, farthest node", tips.back(), row.tip, 1e-3);
              checks.series(fmt::format("{}, q = {}", row.law, row.q), "cell size [m]", h, tips, row.tip, 2);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

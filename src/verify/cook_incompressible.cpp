// Cook's membrane, nearly incompressible, with each kind of element: the limit of fine meshes, from three of them.
#include <fmt/format.h>

#include "verify/cook_panel.h"
#include "verify/problem.h"

namespace sinew::verify {

namespace {

const CookCase stiff = {"kappa_400889", Solid::from_moduli("neo_hookean_decoupled", 80.1938, 400889.8),
                        100.0 / 16, 6.93, 6.96};
const CookCase soft = {"incompressible", Solid::from_moduli("neo_hookean_decoupled", 1, 1e4), 0.05, 4.7011,
                       0};

void run_case(const CookCase& one, const Discretisation& with, const Control& control, Checks& checks) {
  std::vector<double> nodes, corners, middles;
  for (int32_t cells : {6, 12, 24}) {
    if (control.cancelled()) return;
    const CookLift lifted = lift_cook_panel(one, with, cells / with.coarser, control);
    nodes.push_back(lifted.nodes);
    corners.push_back(lifted.corner);
    middles.push_back(lifted.middle);
  }
  checks.series(fmt::format("{}, {}", one.id, with.name), "nodes", nodes, corners, one.corner, 0);
  // Linear tets in sixes lock: they are here for comparison.
  if (with.id == discretisations[0].id) return;
  const std::string id = fmt::format("{}.{}", one.id, with.id);
  checks.relative(id + ".corner", "upward displacement at (48, 60) [m]", limit(corners), one.corner, 0.01);
  if (one.middle != 0)
    checks.relative(id + ".middle", "upward displacement at (48, 52) [m]", limit(middles), one.middle, 0.01);
}

}  // namespace

const Problem& problem_cook_incompressible() {
  static const Problem problem = {
      .id = "V17b",
      .title = "Cook's membrane, nearly incompressible",
      .source = "separate program, +- 0.01; incompressible: Mueller 2015",
      .doc =
          "The panel of V17a in plane strain, neo_hookean_decoupled. kappa_400889: mu = 80.1938, kappa = "
          "400889.8, traction 6.25. incompressible: mu = 1, kappa = 10000, traction 0.05. Limit of the "
          "displacement on 6, 12 and 24 cells a side, 3, 6 and 12 of second order.",
      .run =
          [](const Control& control) {
            Checks checks(problem_cook_incompressible());
            for (const Discretisation& with : discretisations) run_case(stiff, with, control, checks);
            run_case(soft, discretisations[2], control, checks);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

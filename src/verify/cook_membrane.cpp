// Cook's membrane, compressible: the limit of fine meshes, from three of them. For the values on one mesh see
// gold_values.cpp.
#include "verify/cook_panel.h"
#include "verify/problem.h"

namespace sinew::verify {

namespace {

const CookCase cases[] = {
    {"linear_plane_stress", {"linear", 1, 1.0 / 3}, 1.0 / 16, 0, 23.9677, true},
    {"linear", {"linear", 1, 1.0 / 3}, 1.0 / 16, 22.610, 21.5245},
    {"neo_hookean", {"neo_hookean", 200, 0.35}, 4, 6.1487, 6.1438},
    {"stable_neo_hookean", {"stable_neo_hookean", 200, 0.35}, 4, 6.1466, 6.1423},
    {"neo_hookean_decoupled", {"neo_hookean_decoupled", 200, 0.35}, 4, 6.1768, 6.1730},
    {"neo_hookean_ciarlet", {"neo_hookean_ciarlet", 200, 0.35}, 4, 6.1472, 0},
};

}  // namespace

const Problem& problem_cook_membrane() {
  static const Problem problem = {
      .id = "V17a",
      .title = "Cook's membrane",
      .source = "separate program at high precision",
      .doc =
          "Panel with the corners (0, 0), (48, 44), (48, 60), (0, 44), clamped at x = 0, traction upwards "
          "at x = 48, plane strain unless named otherwise. Limit of the displacement on 8, 16 and 32 cells "
          "a side in 24 tets each. linear: E = 1, nu = 1/3, traction 1/16. Finite strain: E = 200, nu = "
          "0.35, traction 4.",
      .run =
          [](const Control& control) {
            Checks checks(problem_cook_membrane());
            for (const CookCase& one : cases) {
              std::vector<double> h, corners, middles;
              for (int32_t cells : {8, 16, 32}) {
                if (control.cancelled()) return checks.take();
                const CookLift lifted = lift_cook_panel(one, crossed, cells, control);
                h.push_back(48.0 / cells);
                corners.push_back(lifted.corner);
                middles.push_back(lifted.middle);
              }
              const std::string id(one.id);
              if (one.corner != 0) {
                checks.relative(id + ".corner", "upward displacement at (48, 60) [m]", limit(corners),
                                one.corner, 0.01);
                checks.series(id + ", corner", "cell size [m]", h, corners, one.corner, 0);
              }
              if (one.middle != 0)
                checks.relative(id + ".middle", "upward displacement at (48, 52) [m]", limit(middles),
                                one.middle, 0.01);
              if (one.corner == 0) checks.series(id + ", middle", "cell size [m]", h, middles, one.middle, 0);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

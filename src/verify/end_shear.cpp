// The cantilever strip under an end shear of the shell benchmarks (Sze, Liu, Lo: Popular benchmark problems for geometric
// nonlinear analysis of shells, 2004, section 3.1).
#include <fmt/format.h>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double length = 10, width = 1, thickness = 0.1, young = 1.2e6, full = 4;     // nu = 0
constexpr double loads[] = {0.2, 0.5, 1};                                              // over the full one
constexpr double retreats[] = {0.381, 1.604, 3.286}, rises[] = {2.493, 4.933, 6.698};  // of the tip [m]
constexpr double hinge_retreats[] = {0.5, 0.3, 0.16}, hinge_rises[] = {0.21, 0.12, 0.055};

std::vector<double> found(const SheetMesh& mesh, model::Bending bending, int32_t cells,
                          const Control& control) {
  Specimen sheet = clamped_strip(mesh, length, width, cells, thickness, {"stvk", young, 0}, bending);
  pull_edge(sheet, "xmax", {0, 0, full});
  const std::vector<Solution> path = sheet.path(control, 1e-8, tenths());
  std::vector<double> values;
  for (double load : loads) {
    const Vec3d tip = mean_at(sheet, path, load, "xmax");
    values.insert(values.end(), {length - tip[0], tip[2]});
  }
  return values;
}

}  // namespace

const Problem& problem_end_shear() {
  static const Problem problem = {
      .id = "V12",
      .title = "Cantilever strip under an end shear",
      .source = "Sze, Liu, Lo 2004, 3.1",
      .doc =
          "Strip 10 x 1 x 0.1, E = 1.2e6, nu = 0, clamped at one end; 0.2, 0.5 and 1 times the force 4 at "
          "the other. Grids of "
          "10, 20 and 40 cells along it.",
      .run =
          [](const Control& control) {
            Checks checks(problem_end_shear());
            std::vector<SheetRow> rows;
            for (int k = 0; k < 3; ++k) {
              rows.push_back({fmt::format("load_{}.retreat", loads[k]), "retreat of the tip [m]", retreats[k],
                              0.01, hinge_retreats[k]});
              rows.push_back({fmt::format("load_{}.rise", loads[k]), "rise of the tip [m]", rises[k], 0.01,
                              hinge_rises[k]});
            }
            check_sheets(checks, control, std::array{one_way, jittered}, std::array<int32_t, 3>{10, 20, 40},
                         rows, [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                           return found(mesh, bending, cells, control);
                         });
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

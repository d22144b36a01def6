// An annular plate, cut open along a radius and lifted at one side of the cut (Sze, Liu, Lo: Popular benchmark problems for
// geometric nonlinear analysis of shells, 2004, section 3.3).
#include <fmt/format.h>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double inner = 6, outer = 10, thickness = 0.03, young = 21e6,
                 full = 0.8;  // nu = 0; force per length
constexpr double loads[] = {0.1, 0.2, 0.5, 1};
constexpr double at_inner[] = {4.277, 6.725, 10.468, 13.891}, at_outer[] = {5.876, 9.160, 13.768, 17.528};
constexpr double hinge_inner[] = {0.18, 0.16, 0.15, 0.14}, hinge_outer[] = {0.13, 0.11, 0.11, 0.11};
constexpr double times[] = {0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1};

std::vector<double> found(const SheetMesh& mesh, model::Bending bending, int32_t cells,
                          const Control& control) {
  mesh::DiscSheet disc;
  disc.inner = inner;
  disc.outer = outer;
  disc.cells = cells;
  disc.slit = true;
  disc.jitter = {mesh.jitter, 1};
  Specimen sheet(*mesh::make_disc_sheet(disc), thickness, {"stvk", young, 0}, bending);
  sheet.clamp(sheet.group("start"), sheet.still());
  pull_edge(sheet, "end", {0, 0, full * (outer - inner)});
  const std::vector<int32_t>& end = sheet.group("end");
  const auto reach = [&](int32_t a, int32_t b) {
    return norm(sheet.model().X[a]) < norm(sheet.model().X[b]);
  };
  const auto [near, far] = std::minmax_element(end.begin(), end.end(), reach);
  const std::vector<Solution> path = sheet.path(control, 1e-8, times);
  std::vector<double> values;
  for (double load : loads)
    for (int32_t node : {*near, *far}) {
      const Solution* at = solution_at(path, load);
      values.push_back(at ? at->state.x()[node][2] : std::numeric_limits<double>::quiet_NaN());
    }
  return values;
}

}  // namespace

const Problem& problem_slit_annulus() {
  static const Problem problem = {
      .id = "V14",
      .title = "Slit annular plate lifted by a line force",
      .source = "Sze, Liu, Lo 2004, 3.3",
      .doc =
          "Annulus of radii 6 and 10, thickness 0.03, E = 21e6, nu = 0, cut along a radius; one side of the "
          "cut clamped, the "
          "other lifted by 0.1, 0.2, 0.5 and 1 times 0.8 per length. Rings of 3, 6 and 9 triangles across.",
      .run =
          [](const Control& control) {
            Checks checks(problem_slit_annulus());
            std::vector<SheetRow> rows;
            for (int k = 0; k < 4; ++k) {
              rows.push_back({fmt::format("load_{}.inner", loads[k]), "lift of the inner corner [m]",
                              at_inner[k], 0.02, hinge_inner[k]});
              rows.push_back({fmt::format("load_{}.outer", loads[k]), "lift of the outer corner [m]",
                              at_outer[k], 0.02, hinge_outer[k]});
            }
            check_sheets(checks, control, std::array{rings, jittered}, std::array<int32_t, 3>{3, 6, 9}, rows,
                         [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                           return found(mesh, bending, cells, control);
                         });
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

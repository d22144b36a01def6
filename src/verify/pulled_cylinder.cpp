// A cylinder with open ends, pulled apart at two opposite points (Sze, Liu, Lo: Popular benchmark problems for geometric nonlinear
// analysis of shells, 2004, section 3.5).
#include <fmt/format.h>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double radius = 4.953, length = 10.35, thickness = 0.094, young = 10.5e6, poisson = 0.3125;
constexpr double full = 40000;  // [N]
constexpr double loads[] = {0.1, 0.5, 1};
constexpr double at_load[] = {1.707, 2.473, 2.768}, beside[] = {2.217, 3.653, 4.551},
                 at_end[] = {2.293, 3.718, 3.269};
constexpr double hinge_beside[] = {0.1, 0.08, 0.05}, hinge_end[] = {0.12, 0.13, 0.06};
constexpr double times[] = {0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.525, 0.55, 0.6, 0.7, 0.8, 0.9, 1};

std::vector<double> found(const SheetMesh& mesh, model::Bending bending, int32_t cells,
                          const Control& control) {
  mesh::TubeSheet tube;
  tube.radius = radius;
  tube.length = length / 2;
  tube.sweep_degrees = 90;
  tube.around = cells;
  tube.along = cells * 2 / 3;
  tube.pattern = mesh.pattern;
  tube.jitter = {mesh.jitter, 1};
  Specimen sheet(*mesh::make_tube_sheet(tube), thickness, {"stvk", young, poisson}, bending);
  const int32_t still = sheet.still();
  sheet.clamp_plane(sheet.group("start"), {0, 1, 0}, still);
  sheet.clamp_plane(sheet.group("end"), {1, 0, 0}, still);
  sheet.clamp_plane(sheet.group("bottom"), {0, 0, 1}, still);
  sheet.add_load({node_at(sheet.model(), {0, radius, 0})}, {{0, full / 4, 0}}, Specimen::Load::growing);
  const std::vector<Solution> path = sheet.path(control, 1e-8, times);
  std::vector<double> values;
  for (double load : loads)
    values.insert(values.end(), {moved_at(sheet, path, load, {0, radius, 0})[1],
                                 -moved_at(sheet, path, load, {radius, 0, 0})[0],
                                 -moved_at(sheet, path, load, {radius, 0, length / 2})[0]});
  return values;
}

}  // namespace

const Problem& problem_pulled_cylinder() {
  static const Problem problem = {
      .id = "V16",
      .title = "Open cylinder pulled apart at two points",
      .source = "Sze, Liu, Lo 2004, 3.5",
      .doc =
          "Radius 4.953, length 10.35, thickness 0.094, E = 10.5e6, nu = 0.3125; an eighth with symmetry. "
          "0.1, 0.5 and 1 times "
          "the force 40,000. 12, 24 and 36 cells along the quarter of a circle.",
      .run =
          [](const Control& control) {
            Checks checks(problem_pulled_cylinder());
            std::vector<SheetRow> rows;
            for (int k = 0; k < 3; ++k) {
              rows.push_back({fmt::format("load_{}.A", loads[k]), "way of the point pulled [m]", at_load[k],
                              0.02, 0.06});
              rows.push_back({fmt::format("load_{}.B", loads[k]),
                              "way inwards at the side, in the middle [m]", beside[k], 0.02,
                              hinge_beside[k]});
              rows.push_back({fmt::format("load_{}.C", loads[k]), "way inwards at the side, at the end [m]",
                              at_end[k], 0.02, hinge_end[k]});
            }
            check_sheets(checks, control, std::array{one_way, jittered}, std::array<int32_t, 3>{12, 24, 36},
                         rows, [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                           return found(mesh, bending, cells, control);
                         });
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

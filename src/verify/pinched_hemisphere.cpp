// A hemisphere with a hole of 18 degrees, pulled at two opposite points of its border and pushed at two others (Sze, Liu, Lo: Popular
// benchmark problems for geometric nonlinear analysis of shells, 2004, section 3.4; in the linear range MacNeal, Harder: A proposed
// standard set of problems to test finite element accuracy, 1985).
#include <fmt/format.h>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double radius = 10, thickness = 0.04, young = 6.825e7, poisson = 0.3;
constexpr double full = 200;     // of a quarter [N]
constexpr double little = 1e-2;  // of the linear range: the published force is 1
constexpr double loads[] = {0.2, 0.5, 1};
constexpr double outward[] = {2.321, 3.406, 4.067}, inward[] = {3.261, 5.902, 8.178};
constexpr double hinge_outward[] = {0.5, 0.35, 0.24}, hinge_inward[] = {0.6, 0.5, 0.4};

Specimen quarter(const SheetMesh& mesh, model::Bending bending, int32_t cells, double force) {
  mesh::CapSheet cap;
  cap.radius = radius;
  cap.hole_degrees = 18;
  cap.cells = cells;
  cap.quarter = true;
  cap.jitter = {mesh.jitter, 1};
  Specimen sheet(*mesh::make_cap_sheet(cap), thickness, {"stvk", young, poisson}, bending);
  const int32_t still = sheet.still();
  sheet.clamp_plane(sheet.group("xmin"), {1, 0, 0}, still);
  sheet.clamp_plane(sheet.group("ymin"), {0, 1, 0}, still);
  const int32_t pushed = node_at(sheet.model(), {radius, 0, 0}),
                pulled = node_at(sheet.model(), {0, radius, 0});
  sheet.hold_plane({pushed}, {0, 0, 1}, still);
  sheet.add_load({pushed, pulled}, {{-force, 0, 0}, {0, force, 0}}, Specimen::Load::growing);
  return sheet;
}

std::vector<double> found(const SheetMesh& mesh, model::Bending bending, int32_t cells,
                          const Control& control) {
  const Specimen sheet = quarter(mesh, bending, cells, full);
  const std::vector<Solution> path = sheet.path(control, 1e-8, tenths());
  std::vector<double> values;
  for (double load : loads)
    values.insert(values.end(), {moved_at(sheet, path, load, {0, radius, 0})[1],
                                 -moved_at(sheet, path, load, {radius, 0, 0})[0]});
  const Specimen stiff = quarter(mesh, bending, cells, little);
  const Solution solution = stiff.equilibrium(control, 1e-8);
  values.push_back(solution.valid(-displacement_at(stiff, solution, {radius, 0, 0})[0] / little));
  return values;
}

}  // namespace

const Problem& problem_pinched_hemisphere() {
  static const Problem problem = {
      .id = "V15",
      .title = "Hemisphere with a hole, pulled and pushed at four points",
      .source = "Sze, Liu, Lo 2004, 3.4; MacNeal, Harder 1985",
      .doc =
          "Radius 10, thickness 0.04, E = 6.825e7, nu = 0.3, a hole of 18 degrees; a quarter with symmetry. "
          "Forces of 0.2, 0.5 "
          "and 1 times 400, and in the linear range of 2. 8, 16 and 32 triangles from hole to border.",
      .run =
          [](const Control& control) {
            Checks checks(problem_pinched_hemisphere());
            std::vector<SheetRow> rows;
            for (int k = 0; k < 3; ++k) {
              rows.push_back({fmt::format("load_{}.outward", loads[k]),
                              "way outwards of the point pulled [m]", outward[k], 0.02, hinge_outward[k]});
              rows.push_back({fmt::format("load_{}.inward", loads[k]), "way inwards of the point pushed [m]",
                              inward[k], 0.02, hinge_inward[k]});
            }
            rows.push_back({"linear", "way of a point over the unit force [m/N]", 0.0932, 0.02, 0.62});
            check_sheets(checks, control, std::array{rings, jittered}, std::array<int32_t, 3>{8, 16, 32},
                         rows, [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                           return found(mesh, bending, cells, control);
                         });
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

// Cloth that hangs over an edge: a strip that bends under its own weight (Peirce: The handle of cloth as a measurable quantity, 1930;
// as a test of simulators Romero, Ly, Rasheed, Charrondiere, Lazarus, Neukirch, Bertails-Descoubes: Physical validation of
// simulators in computer graphics, 2021).
#include <fmt/format.h>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double length = 1, width = 0.1, thickness = 0.001, young = 1e9, density = 1000;  // nu = 0
constexpr double rigidity = young * thickness * thickness * thickness / 12;                // [N m]
constexpr double full = 1000;
// Gamma = density g thickness L^3 / D, and the drop of the tip over the length, by a separate program in high precision.
constexpr double gammas[] = {1, 5, 10, 50, 100, 1000},
                 drops[] = {0.1234714, 0.4959050, 0.7001997, 0.9079171, 0.9375239, 0.9811413};
constexpr double hinge_drops[] = {0.24, 0.13, 0.06, 0.003, 0.003, 0.003};
constexpr double times[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1};

std::vector<double> found(const SheetMesh& mesh, model::Bending bending, int32_t cells,
                          const Control& control) {
  Specimen sheet = clamped_strip(mesh, length, width, cells, thickness,
                                 {.law = "stvk", .young = young, .poisson = 0, .density = density}, bending);
  sheet.set_gravity({0, 0, -full * rigidity / (density * thickness)}, Specimen::Load::growing);
  const std::vector<Solution> path = sheet.path(control, 1e-8, times);
  std::vector<double> values;
  for (double gamma : gammas) values.push_back(-mean_at(sheet, path, gamma / full, "xmax")[2] / length);
  return values;
}

}  // namespace

const Problem& problem_heavy_strip() {
  static const Problem problem = {
      .id = "V21",
      .title = "Strip of cloth that bends under its own weight",
      .source = "boundary value problem of the elastica, separate program at high precision",
      .doc =
          "Strip 1 x 0.1, nu = 0, clamped level at one end; Gamma = density g thickness L^3 / D from 1 to "
          "1000. Grids of 10, 20 "
          "and 40 cells along it.",
      .run =
          [](const Control& control) {
            Checks checks(problem_heavy_strip());
            std::vector<SheetRow> rows;
            for (int k = 0; k < 6; ++k)
              rows.push_back({fmt::format("gamma_{}.drop", gammas[k]), "drop of the tip over the length",
                              drops[k], 0.01, hinge_drops[k]});
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

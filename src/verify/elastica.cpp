// A thin strip clamped at one end with a dead force at the other: large deflections of a beam.
#include <fmt/format.h>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double length = 1, width = 0.1, thickness = 0.01, young = 1.2e7;           // nu = 0
constexpr double rigidity = young * thickness * thickness * thickness / 12 * width;  // EI [N m^2]
constexpr double full = 10;                                                          // P L^2 / EI

// By elliptic integrals; they agree with Mattiasson: Numerical results from large deflection beam and frame problems analysed
// by means of elliptic integrals, 1981, to all five digits printed there. Tip over length.
constexpr double loads[] = {1, 2, 5, 10}, drops[] = {0.30172077, 0.49345748, 0.71379152, 0.81060902},
                 retreats[] = {0.05643324, 0.16064172, 0.38762836, 0.55499560};
constexpr double hinge_drops[] = {0.19, 0.12, 0.04, 0.02}, hinge_retreats[] = {0.45, 0.3, 0.13, 0.06};

std::vector<double> found(const SheetMesh& mesh, model::Bending bending, int32_t cells,
                          const Control& control) {
  Specimen sheet = clamped_strip(mesh, length, width, cells, thickness, {"stvk", young, 0}, bending);
  pull_edge(sheet, "xmax", {0, 0, -full * rigidity / (length * length)});
  const std::vector<Solution> path = sheet.path(control, 1e-8, tenths());
  std::vector<double> values;
  for (double load : loads) {
    const Vec3d tip = mean_at(sheet, path, load / full, "xmax");
    values.insert(values.end(), {-tip[2] / length, 1 - tip[0] / length});
  }
  return values;
}

}  // namespace

const Problem& problem_elastica() {
  static const Problem problem = {
      .id = "V11b",
      .title = "Elastica: cantilever strip, dead load at the tip",
      .source = "elliptic integrals; Mattiasson 1981",
      .doc =
          "Strip 1 x 0.1 x 0.01, nu = 0, clamped at one end; P L^2 / EI = 1, 2, 5 and 10 at the other. Grids "
          "of 10, 20 and 40 "
          "cells along it.",
      .run =
          [](const Control& control) {
            Checks checks(problem_elastica());
            std::vector<SheetRow> rows;
            for (int k = 0; k < 4; ++k) {
              rows.push_back({fmt::format("load_{}.drop", loads[k]), "drop of the tip over the length",
                              drops[k], 0.01, hinge_drops[k]});
              rows.push_back({fmt::format("load_{}.retreat", loads[k]), "retreat of the tip over the length",
                              retreats[k], 0.01, hinge_retreats[k]});
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

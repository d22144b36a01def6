// A cantilever strip rolled into a circle (Sze, Liu, Lo: Popular benchmark problems for geometric nonlinear analysis of shells, 2004,
// section 3.2): under a moment M at its end it is an arc of the angle a = M L / (D b), with the energy D b a^2 / (2 L).
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double length = 12, width = 1, thickness = 0.1, young = 1.2e6;         // nu = 0
constexpr double rigidity = young * thickness * thickness * thickness / 12;      // [N m]
constexpr double shares[] = {0.25, 0.5, 1}, hinge_energies[] = {0.1, 0.1, 0.1};  // of a circle

// The end of an arc of this angle.
Vec3d end_of(double angle) {
  if (angle == 0) return {length, 0, 0};
  return {length * std::sin(angle) / angle, 0, length * (1 - std::cos(angle)) / angle};
}

std::vector<double> found(const SheetMesh& mesh, model::Bending bending, int32_t cells,
                          const Control& control) {
  Specimen sheet = clamped_strip(mesh, length, width, cells, thickness, {"stvk", young, 0}, bending);
  std::vector<model::PoseKey> keys;
  for (int k = 0; k <= 40; ++k) {
    const double angle = 2 * std::numbers::pi * k / 40;
    keys.push_back({k / 40.0, end_of(angle) - Vec3d{length, 0, 0}, {0, -1, 0}, angle, {length, 0, 0}});
  }
  sheet.clamp(sheet.group("xmax"), sheet.model().inputs.add_pose("end", keys));
  constexpr double times[] = {0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5,
                              0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1};
  const std::vector<Solution> path = sheet.path(control, 1e-8, times);
  std::vector<double> values;
  for (double share : shares) {
    const Solution* at = solution_at(path, share);
    const double angle = 2 * std::numbers::pi * share;
    double energy = std::numeric_limits<double>::quiet_NaN(), off = energy;
    if (at) {
      energy = at->report.energy / (0.5 * rigidity * angle * angle * width / length);
      off = 0;
      for (int32_t node : all_nodes(sheet.model())) {
        const Vec3d& x = at->state.x()[node];
        const double radius = length / angle;
        off = std::fmax(off, std::abs(std::hypot(x[0], x[2] - radius) - radius) / length);
      }
    }
    values.insert(values.end(), {energy, 1 + off});
  }
  return values;
}

}  // namespace

const Problem& problem_rolled_strip() {
  static const Problem problem = {
      .id = "V13",
      .title = "Cantilever strip rolled into a circle",
      .source = "closed form; Sze, Liu, Lo 2004, 3.2",
      .doc =
          "Strip 12 x 1 x 0.1, E = 1.2e6, nu = 0, clamped at both ends; one of them is moved and turned as a "
          "moment would move it, "
          "to a quarter, a half and the whole of a circle. There is no load that turns a border: the moment "
          "is the derivative of the energy in the angle, so the energy is compared with D b a^2 / (2 L), "
          "and the shape with the arc: 1 plus the largest distance of a node from it over the length. Grids "
          "of 12, 24 and 48 "
          "cells along it.",
      .run =
          [](const Control& control) {
            Checks checks(problem_rolled_strip());
            std::vector<SheetRow> rows;
            for (int k = 0; k < 3; ++k) {
              rows.push_back({fmt::format("circle_{}.energy", shares[k]), "energy over that of the arc", 1,
                              0.01, hinge_energies[k]});
              rows.push_back({fmt::format("circle_{}.shape", shares[k]),
                              "1 and the largest distance from the arc over the length", 1, 0.01, 0.01});
            }
            check_sheets(checks, control, std::array{one_way, jittered}, std::array<int32_t, 3>{12, 24, 48},
                         rows, [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                           return found(mesh, bending, cells, control);
                         });
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

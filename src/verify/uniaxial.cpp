// A cube pulled in one direction, its sides free: homogeneous, so linear tets are exact.
#include <fmt/format.h>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Row {
  std::string_view law;
  double stretch, lateral, P11, sigma11;  // [1] [1] [Pa] [Pa]; sigma11 = 0: not given
};

constexpr Row rows[] = {
    {"neo_hookean", 0.7, 1.107934733, -0.4052304243, -0.3301214087},
    {"neo_hookean", 1.5, 0.8801745918, 0.3782801764, 0.4882878611},
    {"neo_hookean", 2.0, 0.7980775445, 0.6467446602, 1.015412883},
    {"neo_hookean_decoupled", 0.7, 1.104472315, -0.4455493667, -0.3652465833},
    {"neo_hookean_decoupled", 1.5, 0.8843382454, 0.3383971662, 0.4327029962},
    {"neo_hookean_decoupled", 2.0, 0.8131437194, 0.5329383372, 0.8060135422},
    {"stable_neo_hookean", 0.7, 1.087967587, -0.3811392689, -0.3219969685},
    {"stable_neo_hookean", 1.5, 0.8692269874, 0.3831908832, 0.5071644042},
    {"stable_neo_hookean", 2.0, 0.7745966692, 0.6538461538, 1.08974359},
    {"stvk", 0.7, 1.073778376, -0.1785, 0},
    {"stvk", 1.5, 0.790569415, 0.9375, 0},
    {"stvk", 2.0, 0.316227766, 3.0, 0},
    {"corotated", 0.7, 1.093536259, -0.3431706489, 0},
    {"corotated", 1.5, 0.8693320998, 0.4428686154, 0},
    {"corotated", 2.0, 0.7731701698, 0.8366838686, 0},
    {"mooney_rivlin", 0.7, 1.096228551, -0.4770758793, 0},
    {"mooney_rivlin", 1.5, 0.8805916694, 0.3163075736, 0},
    {"mooney_rivlin", 2.0, 0.8051338732, 0.4804776935, 0},
};

constexpr double tolerance = 1e-8;

void run_row(const Row& row, const Control& control, Checks& checks) {
  Specimen cube(*mesh::make_box({.cells = {2, 2, 2}}), solid_of(row.law));
  const int32_t still = cube.still();
  cube.hold_plane(cube.group("xmin"), {1, 0, 0}, still);
  cube.hold_plane(cube.group("ymin"), {0, 1, 0}, still);
  cube.hold_plane(cube.group("zmin"), {0, 0, 1}, still);
  const int pulled =
      cube.hold_plane(cube.group("xmax"), {1, 0, 0}, cube.motion(Mat3d::identity(), {row.stretch - 1, 0, 0}));
  const Solution solution = cube.equilibrium(control);

  std::vector<double> lateral, sigma11;
  for (int32_t node : cube.group("ymax")) lateral.push_back(solution.state.x()[node][1]);
  for (int32_t node : cube.group("zmax")) lateral.push_back(solution.state.x()[node][2]);
  const measure::Snapshot snapshot(cube.model(), cube.model().params, solution.state);
  double P11 = 0;
  for (const Vec3d& force : measure::reactions(snapshot, pulled)) P11 += force[0];
  for (const Mat3d& stress : measure::cauchy_stress(snapshot, 0)) sigma11.push_back(stress(0, 0));

  const std::string id = fmt::format("{}.stretch_{}", row.law, row.stretch);
  checks.relative(id + ".lateral", "lateral stretch, farthest node",
                  solution.valid(farthest(lateral, row.lateral)), row.lateral, tolerance);
  checks.relative(id + ".P11", "reaction over rest area [Pa]", solution.valid(P11), row.P11, tolerance);
  if (row.sigma11 != 0)
    checks.relative(id + ".sigma11", "Cauchy stress, farthest tet [Pa]",
                    solution.valid(farthest(sigma11, row.sigma11)), row.sigma11, tolerance);
}

}  // namespace

const Problem& problem_uniaxial() {
  static const Problem problem = {
      .id = "V01",
      .title = "Uniaxial tension, sides free",
      .source = "homogeneous deformation, separate program at high precision",
      .doc =
          "Unit cube, E = 1, nu = 0.3, symmetry on x = 0, y = 0 and z = 0, x = 1 moved. The state is "
          "homogeneous, so the stretch of the sides, the reaction and the stress are exact on any mesh.",
      .run =
          [](const Control& control) {
            Checks checks(problem_uniaxial());
            for (const Row& row : rows)
              if (!control.cancelled()) run_row(row, control, checks);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

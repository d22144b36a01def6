// A cube pulled equally in two directions, its thickness free.
#include <fmt/format.h>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Row {
  std::string_view law;
  double stretch, thickness, P11;  // [1] [1] [Pa]
};

constexpr Row rows[] = {
    {"neo_hookean", 1.2, 0.8425870041, 0.2339894681},
    {"neo_hookean", 1.5, 0.6520185184, 0.4679158594},
    {"neo_hookean_decoupled", 1.2, 0.8191968124, 0.220744963},
    {"neo_hookean_decoupled", 1.5, 0.6007705106, 0.3962085072},
    {"stable_neo_hookean", 1.2, 0.8150064683, 0.248642454},
    {"stable_neo_hookean", 1.5, 0.5766590389, 0.4916575264},
    {"corotated", 1.2, 0.8140262993, 0.2508894124},
    {"corotated", 1.5, 0.5602605863, 0.5109582881},
    {"mooney_rivlin", 1.2, 0.8249022554, 0.2324482757},
    {"mooney_rivlin", 1.5, 0.6201852181, 0.4598092829},
};

constexpr double tolerance = 1e-8;

void run_row(const Row& row, const Control& control, Checks& checks) {
  Specimen cube(*mesh::make_box({.cells = {2, 2, 2}}), solid_of(row.law));
  const int32_t still = cube.still();
  cube.hold_plane(cube.group("xmin"), {1, 0, 0}, still);
  cube.hold_plane(cube.group("ymin"), {0, 1, 0}, still);
  cube.hold_plane(cube.group("zmin"), {0, 0, 1}, still);
  const int32_t pull = cube.motion(Mat3d::identity(), {row.stretch - 1, row.stretch - 1, 0});
  const int pulled = cube.hold_plane(cube.group("xmax"), {1, 0, 0}, pull);
  cube.hold_plane(cube.group("ymax"), {0, 1, 0}, pull);
  const Solution solution = cube.equilibrium(control);

  std::vector<double> thickness;
  for (int32_t node : cube.group("zmax")) thickness.push_back(solution.state.x()[node][2]);
  const measure::Snapshot snapshot(cube.model(), cube.model().params, solution.state);
  double P11 = 0;
  for (const Vec3d& force : measure::reactions(snapshot, pulled)) P11 += force[0];

  const std::string id = fmt::format("{}.stretch_{}", row.law, row.stretch);
  checks.relative(id + ".thickness", "stretch of the thickness, farthest node",
                  solution.valid(farthest(thickness, row.thickness)), row.thickness, tolerance);
  checks.relative(id + ".P11", "reaction over rest area [Pa]", solution.valid(P11), row.P11, tolerance);
}

}  // namespace

const Problem& problem_biaxial() {
  static const Problem problem = {
      .id = "V02",
      .title = "Equibiaxial tension, thickness free",
      .source = "homogeneous deformation, separate program at high precision",
      .doc =
          "Unit cube, E = 1, nu = 0.3, symmetry on x = 0, y = 0 and z = 0, x = 1 and y = 1 moved by the "
          "same stretch.",
      .run =
          [](const Control& control) {
            Checks checks(problem_biaxial());
            for (const Row& row : rows)
              if (!control.cancelled()) run_row(row, control, checks);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

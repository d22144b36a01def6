// A cube pulled equally in two directions, its thickness free.
#include <fmt/format.h>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "mesh/sheet_shapes.h"
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

// The same as a sheet, whose plane-stress reduction must be exact.
void run_sheet(const Row& row, const Control& control, Checks& checks) {
  mesh::GridSheet grid;
  grid.cells = {3, 3};
  grid.jitter = {0.2, 1};
  constexpr double across = 0.01;
  Specimen sheet(*mesh::make_grid_sheet(grid), across, solid_of(row.law));
  const int32_t still = sheet.still();
  sheet.hold_plane(all_nodes(sheet.model()), {0, 0, 1}, still);
  sheet.hold_plane(sheet.group("xmin"), {1, 0, 0}, still);
  sheet.hold_plane(sheet.group("ymin"), {0, 1, 0}, still);
  const int32_t pull = sheet.motion(Mat3d::identity(), {row.stretch - 1, row.stretch - 1, 0});
  const int pulled = sheet.hold_plane(sheet.group("xmax"), {1, 0, 0}, pull);
  sheet.hold_plane(sheet.group("ymax"), {0, 1, 0}, pull);
  const Solution solution = sheet.equilibrium(control);
  const measure::Snapshot snapshot(sheet.model(), sheet.model().params, solution.state);
  double P11 = 0;
  for (const Vec3d& force : measure::reactions(snapshot, pulled)) P11 += force[0] / across;
  const std::vector<double> thickness = measure::point_values(snapshot, 0).thickness;

  const std::string id = fmt::format("sheet.{}.stretch_{}", row.law, row.stretch);
  checks.relative(id + ".thickness", "stretch of the thickness, farthest triangle",
                  solution.valid(farthest(thickness, row.thickness)), row.thickness, tolerance);
  checks.relative(id + ".P11", "reaction over rest section [Pa]", solution.valid(P11), row.P11, tolerance);
}

}  // namespace

const Problem& problem_biaxial() {
  static const Problem problem = {
      .id = "V02",
      .title = "Equibiaxial tension, thickness free",
      .source = "homogeneous deformation, separate program at high precision",
      .doc =
          "Unit cube, E = 1, nu = 0.3, symmetry on x = 0, y = 0 and z = 0, x = 1 and y = 1 moved by the "
          "same stretch. Then a square sheet, in its plane.",
      .run =
          [](const Control& control) {
            Checks checks(problem_biaxial());
            for (const Row& row : rows)
              if (!control.cancelled()) {
                run_row(row, control, checks);
                run_sheet(row, control, checks);
              }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

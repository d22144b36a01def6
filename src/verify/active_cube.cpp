// A cube with fibres along x that pull with a constant stress, of second or of first Piola-Kirchhoff kind: it
// shortens where it is free, and pulls with that stress where it is held.
#include <fmt/format.h>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Row {
  double tension;  // [Pa]
  bool nominal;    // first Piola-Kirchhoff stress
  double along;    // stretch along the fibres
  double across;   // 0: not given
};

constexpr Row rows[] = {
    {0.1, false, 0.9147465988, 1.0268005105},
    {0.2, false, 0.8506435979, 1.0487438613},
    {0.5, false, 0.7238291474, 1.0977412535},
    {0.1, true, 0.9074072601, 0},
    {0.2, true, 0.8283109847, 0},
    {0.5, true, 0.6528965266, 0},
};

constexpr double tolerance = 1e-8;

Specimen active_cube(const Row& row) {
  Specimen cube(*mesh::make_box({.cells = {2, 2, 2}}), {"neo_hookean", 1, 0.3});
  cube.add_law({.law = "active_fibre", .fields = {row.tension, row.nominal ? 1.0 : 0.0, 1, 0, 0}});
  const int32_t still = cube.still();
  cube.hold_plane(cube.group("xmin"), {1, 0, 0}, still);
  cube.hold_plane(cube.group("ymin"), {0, 1, 0}, still);
  cube.hold_plane(cube.group("zmin"), {0, 0, 1}, still);
  return cube;
}

void run_row(const Row& row, const Control& control, Checks& checks) {
  const Specimen free = active_cube(row);
  const Solution solution = free.equilibrium(control);
  std::vector<double> along, across;
  for (int32_t node : free.group("xmax")) along.push_back(solution.state.x()[node][0]);
  for (int32_t node : free.group("ymax")) across.push_back(solution.state.x()[node][1]);
  for (int32_t node : free.group("zmax")) across.push_back(solution.state.x()[node][2]);
  const std::string id = fmt::format("{}_{}", row.nominal ? "first" : "second", row.tension);
  checks.relative(id + ".along", "stretch along the fibres, farthest node",
                  solution.valid(farthest(along, row.along)), row.along, tolerance);
  if (row.across != 0)
    checks.relative(id + ".across", "stretch across the fibres, farthest node",
                    solution.valid(farthest(across, row.across)), row.across, tolerance);

  Specimen held = active_cube(row);
  const int end = held.hold_plane(held.group("xmax"), {1, 0, 0}, held.still());
  const Solution isometric = held.equilibrium(control);
  const measure::Snapshot snapshot(held.model(), held.model().params, isometric.state);
  double force = 0;
  for (const Vec3d& f : measure::reactions(snapshot, end)) force += f[0];
  checks.relative(id + ".isometric", "reaction over rest area, length kept [Pa]", isometric.valid(force),
                  row.tension, tolerance);
}

}  // namespace

const Problem& problem_active_cube() {
  static const Problem problem = {
      .id = "V23a",
      .title = "Active cube",
      .source = "homogeneous deformation, separate program at high precision",
      .doc =
          "Unit cube, neo_hookean with E = 1, nu = 0.3, and active_fibre along x: stress T of second or "
          "first Piola-Kirchhoff kind. Free, it takes a homogeneous stretch; with its length kept and its "
          "sides free it pulls with T.",
      .run =
          [](const Control& control) {
            Checks checks(problem_active_cube());
            for (const Row& row : rows)
              if (!control.cancelled()) run_row(row, control, checks);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

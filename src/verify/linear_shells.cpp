// The obstacle course of shells in the linear range: a plate on three corners, the Scordelis-Lo roof and a cylinder pinched between
// diaphragms (Belytschko, Stolarski, Liu, Carpenter, Ong: Stress projection for membrane and shear locking in shell finite
// elements, 1985). Loads are so small that nothing of second order shows.
#include <fmt/format.h>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

// The displacement per unit of a load.
double over_load(const Specimen& sheet, double load, const Control& control, const Vec3d& X, int axis) {
  const Solution solution = sheet.equilibrium(control, 1e-9);
  return solution.valid(displacement_at(sheet, solution, X)[axis] / load);
}

// w = P a^2 / (2 D (1 - nu)), exact: pure twist.
double plate(const SheetMesh& mesh, model::Bending bending, int32_t cells, const Control& control) {
  constexpr double a = 1, thickness = 0.01, young = 1e6, nu = 0.3;
  constexpr double D = young * thickness * thickness * thickness / (12 * (1 - nu * nu));
  mesh::GridSheet grid;
  grid.cells = {cells, cells};
  grid.pattern = mesh.pattern;
  grid.jitter = {mesh.jitter, 1};
  Specimen sheet(*mesh::make_grid_sheet(grid), thickness, {"stvk", young, nu}, bending);
  const int32_t still = sheet.still();
  const auto corner = [&](double x, double y) { return node_at(sheet.model(), {x, y, 0}); };
  sheet.hold({corner(0, 0)}, still);
  sheet.hold_plane({corner(a, 0), corner(0, a)}, {0, 0, 1}, still);
  sheet.hold_plane({corner(a, 0)}, {0, 1, 0}, still);
  constexpr double little = 1e-4;
  sheet.add_load({corner(a, a)}, {{0, 0, little * 2 * D * (1 - nu) / (a * a)}});
  return over_load(sheet, little, control, {a, a, 0}, 2);
}

double roof(const SheetMesh& mesh, model::Bending bending, int32_t cells, const Control& control) {
  constexpr double radius = 25, length = 50, thickness = 0.25, load = 90;
  mesh::TubeSheet tube;
  tube.radius = radius;
  tube.length = length / 2;
  tube.start_degrees = 50;
  tube.sweep_degrees = 40;
  tube.around = tube.along = cells;
  tube.pattern = mesh.pattern;
  tube.jitter = {mesh.jitter, 1};
  const mesh::TriMesh quarter = *mesh::make_tube_sheet(tube);
  Specimen sheet(quarter, thickness,
                 {.law = "stvk", .young = 4.32e8, .poisson = 0, .density = load / thickness}, bending);
  const int32_t still = sheet.still();
  sheet.clamp_plane(sheet.group("bottom"), {0, 0, 1}, still);  // the middle
  sheet.clamp_plane(sheet.group("end"), {1, 0, 0}, still);     // the top
  sheet.hold_plane(sheet.group("top"), {1, 0, 0}, still);      // a diaphragm
  sheet.hold_plane(sheet.group("top"), {0, 1, 0}, still);
  constexpr double little = 1e-4;  // of the published load
  sheet.set_gravity({0, -little, 0});
  constexpr double angle = 50 * M_PI / 180;
  return -over_load(sheet, little, control, {radius * std::cos(angle), radius * std::sin(angle), 0}, 1);
}

double cylinder(const SheetMesh& mesh, model::Bending bending, int32_t cells, const Control& control) {
  constexpr double radius = 300, length = 600, thickness = 3;
  constexpr double force = 100;  // moves its point by less than a thousandth of the thickness
  mesh::TubeSheet tube;
  tube.radius = radius;
  tube.length = length / 2;
  tube.sweep_degrees = 90;
  tube.around = tube.along = cells;
  tube.pattern = mesh.pattern;
  tube.jitter = {mesh.jitter, 1};
  Specimen sheet(*mesh::make_tube_sheet(tube), thickness, {"stvk", 3e6, 0.3}, bending);
  const int32_t still = sheet.still();
  sheet.clamp_plane(sheet.group("start"), {0, 1, 0}, still);
  sheet.clamp_plane(sheet.group("end"), {1, 0, 0}, still);
  sheet.clamp_plane(sheet.group("bottom"), {0, 0, 1}, still);
  sheet.hold_plane(sheet.group("top"), {1, 0, 0}, still);
  sheet.hold_plane(sheet.group("top"), {0, 1, 0}, still);
  sheet.add_load({node_at(sheet.model(), {0, radius, 0})}, {{0, -force / 4, 0}});
  return -over_load(sheet, force, control, {0, radius, 0}, 1);
}

}  // namespace

const Problem& problem_linear_shells() {
  static const Problem problem = {
      .id = "V30",
      .title = "Shells in the linear range",
      .source = "closed form; MacNeal, Harder 1985; Belytschko et al. 1985",
      .doc =
          "A square plate on three corners with a force at the fourth, nu = 0.3, grids of 4, 8 and 16 cells; "
          "the Scordelis-Lo "
          "roof, a quarter of 12, 24 and 48 cells a side; a cylinder with diaphragms that is pinched between "
          "two "
          "forces, an eighth of 24, 48 and 96 cells.",
      .run =
          [](const Control& control) {
            Checks checks(problem_linear_shells());
            const auto run = [&](const auto& solve, std::span<const SheetMesh> meshes,
                                 const std::array<int32_t, 3>& sizes, const SheetRow& row) {
              check_sheets(checks, control, meshes, sizes, {&row, 1},
                           [&](const SheetMesh& mesh, model::Bending bending, int32_t cells) {
                             return std::vector{solve(mesh, bending, cells, control)};
                           });
            };
            run(plate, std::array{one_way, alternating, jittered}, {4, 8, 16},
                {"plate", "way of the corner over P a^2 / (2 D (1 - nu))", 1, 1e-4, 0.66});
            run(roof, std::array{one_way, jittered}, {12, 24, 48},
                {"roof", "way down in the middle of a side [m]", 0.3024, 0.02, 0.45});
            run(cylinder, std::array{one_way, jittered}, {24, 48, 96},
                {"cylinder", "way of the load [m]", 1.8248e-5, 0.04, 0.3});
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

// The spherical balloon of balloon.cpp as a sheet without bending: p = 2 mu (H/R) (1/l - 1/l^7) at the stretch l (Green, Adkins: Large
// Elastic Deformations, 1960), blown up by a pressure below its maximum.
#include <cmath>
#include <fmt/format.h>

#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double thickness = 0.01;  // over the radius
constexpr double stretches[] = {1.1, 1.2, 1.3};

double volume(const std::vector<model::Triangle>& surface, std::span<const Vec3d> x) {
  double sum = 0;
  for (const auto& [a, b, c] : surface) sum += dot(x[a], cross(x[b], x[c])) / 6;
  return sum;
}

// The stretches at the pressures of `stretches`.
std::vector<double> found(const SheetMesh& mesh, int32_t cells, const Control& control) {
  mesh::SphereSheet sphere;
  sphere.cells = cells;
  sphere.jitter = {mesh.jitter, 1};
  std::vector<double> values;
  for (double stretch : stretches) {
    Specimen sheet(*mesh::make_sphere_sheet(sphere), thickness,
                   Solid::from_moduli("neo_hookean_decoupled", 1, 1000));
    const int32_t still = sheet.still();
    const int32_t bottom = sheet.group("bottom")[0], top = sheet.group("top")[0];
    sheet.hold_plane({bottom, top}, {1, 0, 0}, still);
    sheet.hold_plane({bottom, top, node_at(sheet.model(), {1, 0, 0})}, {0, 1, 0}, still);
    sheet.hold_plane({bottom}, {0, 0, 1}, still);
    const double pressure = 2 * thickness * (1 / stretch - std::pow(stretch, -7));
    const std::vector<model::Triangle>& surface = sheet.model().bodies[0].surface;
    sheet.model().pressure_loads.push_back(
        {.name = "air",
         .faces = surface,
         .pressure = -pressure,
         .factor = sheet.model().inputs.add_numbers("air", {{0, {0}}, {1, {1}}}),
         .closed = true});
    const Solution solution = sheet.equilibrium(control, 1e-8);
    values.push_back(
        solution.valid(std::cbrt(volume(surface, solution.state.x()) / volume(surface, sheet.model().X))));
  }
  return values;
}

}  // namespace

const Problem& problem_membrane_balloon() {
  static const Problem problem = {
      .id = "V09b",
      .title = "Spherical balloon of a sheet",
      .source = "membrane in closed form, Green, Adkins 1960",
      .doc =
          "Sphere of radius 1 and thickness H = 0.01 without bending, neo_hookean_decoupled with mu = 1, "
          "kappa = 1000; pressures that "
          "stretch it by 1.1, 1.2 and 1.3 (the maximum is at 1.383). The stretch is the cube root of how "
          "much its volume grows. The faces of an "
          "icosahedron, each cut into 4, 8 and 16 triangles a side.",
      .run =
          [](const Control& control) {
            Checks checks(problem_membrane_balloon());
            for (const SheetMesh& mesh : {SheetMesh{"icosahedron", mesh::Pattern::one_way, 0}, jittered}) {
              std::vector<double> h;
              std::vector<double> values[3];
              for (int32_t cells : {4, 8, 16}) {
                if (control.cancelled()) return checks.take();
                const std::vector<double> at = found(mesh, cells, control);
                h.push_back(1.0 / cells);
                for (int k = 0; k < 3; ++k) values[k].push_back(at[k]);
              }
              for (int k = 0; k < 3; ++k) {
                checks.relative(fmt::format("{}.stretch_{}", mesh.name, stretches[k]), "stretch",
                                values[k].back(), stretches[k], 0.01);
                checks.series(fmt::format("{}, stretch {}", mesh.name, stretches[k]), "1/cells", h, values[k],
                              stretches[k], 2);
              }
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

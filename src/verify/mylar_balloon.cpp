// Half of the balloon that two discs of foil make which bends without resistance and does not stretch (Paulsen: What is the shape of a mylar
// balloon?, 1994). With a the radius of the discs: inflated radius 0.762760 a, thickness 0.913893 a, volume 1.218524 a^3.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/add_body.h"
#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double volume = 1.218524, height = 0.913893;  // over a^3; the thickness over a
constexpr double thickness = 1e-3, young = 1e6;         // of the foil along the radius; a = 1
constexpr double soft = 1e-6;                           // across it and in shear, over that
constexpr double pressure = 3e-4 * young * thickness;   // [Pa] stretches it by less than a thousandth
constexpr double dt = 0.1, damping = 2;                 // [s] [1/s]
constexpr int steps = 25;

// Volume over a^3 and thickness over a, of both halves.
std::vector<double> found(const SheetMesh& mesh, int32_t cells, const Control& control) {
  mesh::DiscSheet disc;
  disc.cells = cells;
  disc.quarter = true;
  disc.jitter = {mesh.jitter, 1};
  // Moved by the pressure alone it would cover a unit of length in about a unit of time.
  const double density = pressure / thickness;
  Specimen sheet(*mesh::make_disc_sheet(disc), thickness,
                 {.law = "orthotropic", .density = density, .fields = {young, soft * young, 0, soft * young}},
                 model::Bending::shell);
  const std::vector<Vec3d>& X = sheet.model().X;
  model::Body& body = sheet.model().bodies[0];
  body.mass_damping = damping;
  for (int32_t e = 0; e < body.elements.size(); ++e) {
    const auto [a, b, c] = sheet.model().elements.nodes<3>(e);
    body.flat[e] = model::flat_edges({X[a], X[b], X[c]}, X[a] + X[b] + X[c]);
  }
  const int32_t still = sheet.still();
  sheet.hold_plane(sheet.group("border"), {0, 0, 1}, still);
  std::vector<Vec3d> start = X;
  for (int32_t node : all_nodes(sheet.model())) {
    const double s = std::hypot(X[node][0], X[node][1]), angle = 0.5 * std::numbers::pi * s;
    const Vec3d along = s > 0 ? X[node] * (1 / s) : Vec3d{1, 0, 0};
    const Vec3d across = {-along[1], along[0], 0};
    sheet.hold_plane({node}, across, still);
    if (s == 0) sheet.hold_plane({node}, along, still);
    start[node] = along * (0.75 * std::sin(angle)) + Vec3d{0, 0, s < 1 ? 0.45 * std::cos(angle) : 0};
  }
  for (int32_t node : sheet.group("border")) start[node][2] = 0;
  // The plane of the border and those of symmetry go through the origin: they close the volume.
  sheet.model().pressure_loads.push_back({.name = "air",
                                          .faces = body.surface,
                                          .pressure = -pressure,
                                          .factor = sheet.model().inputs.add_numbers("air", {{0, {1}}}),
                                          .closed = true});
  Motion motion(sheet.model(), step::Integrator::backward_euler, dt, 1e-3);
  std::copy(start.begin(), start.end(), motion.state.x().begin());
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (int n = 0; n < steps; ++n)
    if (!motion.advance(control)) return {none, none};
  const auto x = motion.state.x();
  double held = 0, top = 0;
  for (const auto& [a, b, c] : body.surface) held += dot(x[a], cross(x[b], x[c])) / 6;
  for (int32_t node : all_nodes(sheet.model())) top = std::fmax(top, x[node][2]);
  return {8 * held, 2 * top};
}

}  // namespace

const Problem& problem_mylar_balloon() {
  static const Problem problem = {
      .id = "V33",
      .title = "Mylar balloon",
      .source = "elliptic integrals; Paulsen 1994",
      .doc =
          "Half of the balloon of two discs of radius 1, a quarter with symmetry. As in the theory the foil "
          "does not stretch along "
          "the radius, bends and folds in pleats without resistance, and is a surface of revolution: the law "
          "is orthotropic with the warp along the "
          "radius, a millionth of its modulus across and in shear, and every vertex stays in its plane "
          "through the axis. An isotropic foil of a few hundred "
          "triangles has no pleats and keeps its "
          "hoops: it held half of the volume. Damped motion from a rough shape for 2.5 s, since without "
          "stiffness across there is "
          "no equilibrium that Newton's method finds at once. With `shell`: bending only steadies the "
          "motion, and with `hinge` a step on the finest of the rings ended above its tolerance. The "
          "thickness is that at the highest "
          "vertex: without stiffness across, meridians in the planes of symmetry stand a little higher than "
          "those between. Rings of 5, 10 and 20 triangles from axis to border.",
      .run =
          [](const Control& control) {
            Checks checks(problem_mylar_balloon());
            for (const SheetMesh& mesh : {rings, jittered}) {
              std::vector<double> h, volumes, heights;
              for (int32_t cells : {5, 10, 20}) {
                if (control.cancelled()) return checks.take();
                const std::vector<double> at = found(mesh, cells, control);
                h.push_back(1.0 / cells);
                volumes.push_back(at[0]);
                heights.push_back(at[1]);
              }
              const std::string name(mesh.name);
              checks.relative("shell." + name + ".volume", "volume over a^3", volumes.back(), volume, 0.02);
              checks.relative("shell." + name + ".thickness", "thickness over a", heights.back(), height,
                              0.025);
              checks.series("shell, " + name + ", volume", "1/cells", h, volumes, volume, 0);
              checks.series("shell, " + name + ", thickness", "1/cells", h, heights, height, 0);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

// Bending of a block to a sector of a ring in plane strain (Rivlin: Large elastic deformations of isotropic
// materials V, 1949). Planes across the block stay plane, its faces along are free of traction: theta = w Y,
// r^2 = r_a^2 + 2 X / w. All sections deform alike, so one slice between two of them is the whole problem.
#include <cmath>
#include <fmt/format.h>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Row {
  double omega;           // angle per length [rad/m]
  double moment, energy;  // per depth [N], per volume [J/m^3]
};

constexpr Row rows[] = {
    {0.1, 0.03323387, 0.00166418},
    {0.5, 0.15561034, 0.04022882},
    {1, 0.26641999, 0.14779357},
    {2, 0.37856256, 0.47894286},
};
constexpr double inner = 0.64359425, outer = 1.55377397;  // radii for omega = 1 [m]

struct Bent {
  double moment, energy;  // [N] [J/m^3]
  double inner, outer;    // [m]
  std::vector<Vec3d> x;   // [m]
};

// From the rest positions, or from those of a solution nearby, which leads to the same branch.
Bent bend(double omega, int32_t cells, const Control& control, std::span<const Vec3d> start = {}) {
  // A longer slice would do as well; a shorter one hardly resists sliding along its sections.
  const double h = 1.0 / cells, length = 4 * h;
  Specimen slice(
      *mesh::make_box({.size = {1, length, h}, .cells = {cells, 4, 1}, .split = mesh::Split::crossed}),
      Solid::from_moduli("neo_hookean_decoupled", 1, 1000));
  const int32_t still = slice.still();
  slice.hold_plane(slice.group("ymin"), {0, 1, 0}, still);
  slice.hold_plane(slice.group("zmin"), {0, 0, 1}, still);
  slice.hold_plane(slice.group("zmax"), {0, 0, 1}, still);
  // The section y = length comes to lie on a ray from an axis in the plane y = 0. The slice slides along both sections,
  // so any axis will do: here, one with the inner face at its radius.
  const double axis = -1 / (omega * std::sqrt(omega + std::sqrt(1 + omega * omega)));
  const int turned =
      slice.hold_plane(slice.group("ymax"), {0, 1, 0},
                       slice.model().inputs.add_pose("section", {{},
                                                                 {.time = 1,
                                                                  .translate = {0, -length, 0},
                                                                  .axis = {0, 0, 1},
                                                                  .angle = omega * length,
                                                                  .about = {axis, length, 0}}}));
  const Solution solution = slice.equilibrium(control, 1e-7, start);

  const measure::Snapshot snapshot(slice.model(), slice.model().params, solution.state);
  const std::vector<Vec3d> forces = measure::reactions(snapshot, turned);
  const auto x = solution.state.x();
  double moment = 0;
  for (size_t k = 0; k < forces.size(); ++k) {
    const Vec3d& at = x[slice.group("ymax")[k]];
    moment += (at[0] - axis) * forces[k][1] - at[1] * forces[k][0];
  }
  const auto radius = [&](double X) { return x[node_at(slice.model(), {X, 0, 0})][0] - axis; };
  return {solution.valid(moment / h),
          solution.valid(solution.report.energy / (length * h)),
          solution.valid(radius(0)),
          solution.valid(radius(1)),
          {x.begin(), x.end()}};
}

}  // namespace

const Problem& problem_bending() {
  static const Problem problem = {
      .id = "V08",
      .title = "Bending of a block",
      .source = "closed form for the incompressible solid, Rivlin 1949",
      .doc =
          "Slice of a block of thickness 1 between two sections that stay plane, plane strain, faces free. "
          "neo_hookean_decoupled with mu = 1, kappa = 1000, 24 tets per cell, 32 cells through the "
          "thickness. Moment per depth, energy per volume and radii for the angle w per length; and moment "
          "= d(energy)/dw, from a difference of 1e-3 w either way. At w = 2 the inner face is pressed to "
          "0.49 "
          "of its length, below the 0.54 at which a free surface of this solid loses stability (Biot: "
          "Surface "
          "instability of rubber in compression, 1963): there the solution is a saddle point, "
          "which Newton's method leaves: the inner face wrinkles, and the moment is compared to 2 %, "
          "the derivative to 1 %.",
      .run =
          [](const Control& control) {
            Checks checks(problem_bending());
            for (const Row& row : rows) {
              if (control.cancelled()) break;
              std::vector<double> h, moments, energies;
              Bent bent{};
              for (int32_t cells : {8, 16, 32}) {
                bent = bend(row.omega, cells, control);
                h.push_back(1.0 / cells);
                moments.push_back(bent.moment);
                energies.push_back(bent.energy);
              }
              const std::string id = fmt::format("omega_{}", row.omega);
              checks.relative(id + ".moment", "moment per depth [N]", bent.moment, row.moment,
                              row.omega < 2 ? 0.01 : 0.02);
              checks.relative(id + ".energy", "energy per volume [J/m^3]", bent.energy, row.energy, 0.01);
              const double d = 1e-3 * row.omega;
              const double slope = (bend(row.omega + d, 32, control, bent.x).energy -
                                    bend(row.omega - d, 32, control, bent.x).energy) /
                                   (2 * d);
              checks.relative(id + ".slope", "d(energy)/dw, against the moment found [N]", slope, bent.moment,
                              row.omega < 2 ? 1e-3 : 1e-2);
              if (row.omega == 1) {
                checks.relative(id + ".inner", "inner radius [m]", bent.inner, inner, 0.01);
                checks.relative(id + ".outer", "outer radius [m]", bent.outer, outer, 0.01);
              }
              checks.series(fmt::format("moment, w = {}", row.omega), "cell size [m]", h, moments, row.moment,
                            2);
              if (row.omega == 1) checks.series("energy, w = 1", "cell size [m]", h, energies, row.energy, 0);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

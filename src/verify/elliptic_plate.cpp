// A quarter of a plate between two ellipses: LE1 in plane stress and LE10 as a thick plate (NAFEMS: The standard
// NAFEMS benchmarks, TNSB Rev. 3, 1990).
#include <cmath>
#include <numbers>

#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "verify/elements.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

const Solid steel = {"linear", 210e9, 0.3};

// Groups of the box: xmin the inner ellipse, xmax the outer one, ymin the side y = 0, ymax the side x = 0.
mesh::TetMesh quarter(int32_t radial, int32_t around, int32_t layers, double depth) {
  mesh::TetMesh plate = *mesh::make_box({.cells = {radial, around, layers}});
  mesh::add_edge_nodes(plate);
  for (Vec3d& X : plate.vertices) {
    // Finer towards the point (2, 0), where the stress is read.
    const double s = X[0] * (0.5 + 0.5 * X[0]), angle = std::numbers::pi / 2 * X[1] * (0.5 + 0.5 * X[1]);
    X = {(2 + 1.25 * s) * std::cos(angle), (1 + 1.75 * s) * std::sin(angle), (X[2] - 0.5) * depth};
  }
  return plate;
}

// The stress sigma_yy at (2, 0) of the thin plate that is pulled outwards with 10 MPa [Pa].
double membrane(int32_t n, const Control& control) {
  Specimen plate(quarter(2 * n, 3 * n, 1, 0.02), steel);
  const int32_t still = plate.still();
  plate.hold_plane(plate.group("ymin"), {0, 1, 0}, still);
  plate.hold_plane(plate.group("ymax"), {1, 0, 0}, still);
  plate.hold_plane(plate.group("zmin"), {0, 0, 1}, still);  // symmetry: this is the upper half
  add_traction(plate, "xmax", [](const Vec3d&, const Vec3d& normal) { return normal * 10e6; });
  const Solution solution = plate.equilibrium(control, 1e-8);
  return solution.valid(stress_at_node(plate, steel, solution, node_at(plate.model(), {2, 0, 0.01}))(1, 1));
}

// The stress sigma_yy at (2, 0, 0.3) of the thick plate under a pressure of 1 MPa from above [Pa].
double thick(int32_t n, const Control& control) {
  Specimen plate(quarter(2 * n, 3 * n, n, 0.6), steel);
  const int32_t still = plate.still();
  plate.hold_plane(plate.group("ymin"), {0, 1, 0}, still);
  plate.hold_plane(plate.group("ymax"), {1, 0, 0}, still);
  plate.hold_plane(plate.group("xmax"), {1, 0, 0}, still);
  plate.hold_plane(plate.group("xmax"), {0, 1, 0}, still);
  std::vector<int32_t> middle;
  for (int32_t node : plate.group("xmax"))
    if (std::abs(plate.model().X[node][2]) < 1e-9) middle.push_back(node);
  plate.hold_plane(middle, {0, 0, 1}, still);
  add_traction(plate, "zmax", [](const Vec3d&, const Vec3d& normal) { return normal * -1e6; });
  const Solution solution = plate.equilibrium(control, 1e-8);
  return solution.valid(stress_at_node(plate, steel, solution, node_at(plate.model(), {2, 0, 0.3}))(1, 1));
}

}  // namespace

const Problem& problem_elliptic_plate() {
  static const Problem problem = {
      .id = "V20",
      .title = "Elliptic plate, NAFEMS LE1 and LE10",
      .source = "NAFEMS TNSB Rev. 3",
      .doc =
          "Quarter of a plate between the ellipses with half axes (2, 1) and (3.25, 2.75), E = 210 GPa, nu "
          "= 0.3, symmetry on x = 0 and y = 0. LE1: thin, traction 10 MPa outwards on the outer edge. LE10: "
          "0.6 thick, pressure 1 MPa on top, outer face held in x and y and its middle line in z. Stress "
          "sigma_yy at (2, 0), for LE10 on top: mean over the tets at that node. Tets of second order, 2n x "
          "3n x (1 or n) cells of six.",
      .run =
          [](const Control& control) {
            Checks checks(problem_elliptic_plate());
            const auto run = [&](const char* id, double (*stress)(int32_t, const Control&),
                                 std::vector<int32_t> meshes, double reference) {
              std::vector<double> h, found;
              for (int32_t n : meshes) {
                if (control.cancelled()) return;
                h.push_back(1.0 / n);
                found.push_back(stress(n, control));
              }
              checks.relative(id, "sigma_yy [Pa]", found.back(), reference, 0.01);
              checks.series(id, "cell size, relative", h, found, reference, 0);
            };
            run("LE1", membrane, {2, 4, 8}, 92.7e6);
            run("LE10", thick, {2, 4, 6}, -5.38e6);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

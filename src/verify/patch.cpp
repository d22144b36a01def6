// Patch tests: with affine data on the boundary of an irregular mesh the interior must be affine and the
// stress constant. At finite strain, and the linear patch of MacNeal, Harder: A proposed standard set of
// problems to test finite element accuracy, 1985.
#include <cmath>
#include <fmt/format.h>

#include "math/random.h"
#include "measure/points.h"
#include "mesh/shapes.h"
#include "mesh/split.h"
#include "verify/elements.h"
#include "verify/problem.h"

namespace sinew::verify {

namespace {

Mat3d rows_of(const Vec3d& a, const Vec3d& b, const Vec3d& c) { return transpose(Mat3d::columns(a, b, c)); }

// A unit cube whose inner nodes are moved by up to a quarter of a cell.
mesh::TetMesh irregular_cube(int32_t cells) {
  mesh::TetMesh box = *mesh::make_box({.cells = {cells, cells, cells}});
  std::vector<char> outside(box.vertices.size(), 0);
  for (int32_t node : boundary_nodes(box)) outside[node] = 1;
  const math::Random random(4);
  for (size_t i = 0; i < box.vertices.size(); ++i)
    for (int k = 0; k < 3 && !outside[i]; ++k)
      box.vertices[i][k] += random.uniform(3 * i + k, -0.25, 0.25) / cells;
  return box;
}

// The largest entry of A - B.
double largest_difference(const Mat3d& A, const Mat3d& B) {
  double largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = std::fmax(largest, std::abs(A(i, j) - B(i, j)));
  return largest;
}

void finite_strain(std::string_view law, const Discretisation& with, const Control& control, Checks& checks) {
  mesh::TetMesh cube = with_nodes(irregular_cube(4), with.elements);
  const std::vector<int32_t> held = boundary_nodes(cube);
  Specimen patch(std::move(cube), solid_of(law), with.elements);
  const Mat3d F = rows_of({1.2, 0.3, -0.1}, {0, 0.9, 0.2}, {0.1, 0, 1.1});
  patch.hold(held, patch.motion(F, {0, 0, 0}));
  // From disturbed positions: a start at rest would be led to F X by its linear response alone.
  std::vector<Vec3d> start = patch.model().X;
  const math::Random random(5);
  for (size_t i = 0; i < start.size(); ++i)
    for (int k = 0; k < 3; ++k) start[i][k] += random.uniform(3 * i + k, -0.02, 0.02);
  const Solution solution = patch.equilibrium(control, 1e-12, start);

  double displaced = 0, uneven = 0;
  for (size_t i = 0; i < patch.model().X.size(); ++i)
    displaced = std::fmax(displaced, norm(solution.state.x()[i] - F * patch.model().X[i]));
  const measure::Snapshot snapshot(patch.model(), patch.model().params, solution.state);
  const std::vector<Mat3d> stress = measure::cauchy_stress(snapshot, 0);
  for (const Mat3d& s : stress) uneven = std::fmax(uneven, largest_difference(s, stress[0]));
  std::string id = fmt::format("a.{}", law);
  if (with.id != discretisations[0].id) id.append(".").append(with.id);
  checks.absolute(id + ".position", "largest distance of a node from F X [m]", solution.valid(displaced), 0,
                  1e-9);
  checks.absolute(id + ".stress", "largest difference between the stresses of two tets [Pa]",
                  solution.valid(uneven), 0, 1e-8);
}

// The unit cube as seven hexes: one inside, and one between each of its faces and the cube's.
mesh::HexMesh seven_hexes() {
  mesh::HexMesh hexes;
  hexes.vertices = {{0, 0, 0},          {1, 0, 0},          {1, 1, 0},          {0, 1, 0},
                    {0, 0, 1},          {1, 0, 1},          {1, 1, 1},          {0, 1, 1},
                    {.249, .342, .192}, {.826, .288, .288}, {.850, .649, .263}, {.273, .750, .230},
                    {.320, .186, .643}, {.677, .305, .683}, {.788, .693, .644}, {.165, .745, .702}};
  hexes.elements.push_back({8, 9, 10, 11, 12, 13, 14, 15});
  // Outward faces of the cube, seen from inside counter-clockwise: the outer face is the bottom of its hex.
  constexpr int32_t faces[6][4] = {{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                   {3, 2, 6, 7}, {0, 3, 7, 4}, {1, 5, 6, 2}};
  for (const auto& f : faces)
    hexes.elements.push_back({f[0], f[1], f[2], f[3], f[0] + 8, f[1] + 8, f[2] + 8, f[3] + 8});
  return hexes;
}

void small_strain(const Control& control, Checks& checks) {
  mesh::TetMesh tets = *mesh::tets_from_hexes(seven_hexes(), mesh::Split::five);
  Specimen patch(std::move(tets), {"linear", 1e6, 0.25});
  const Mat3d F = Mat3d::identity() + rows_of({2, 1, 1}, {1, 2, 1}, {1, 1, 2}) * 0.5e-3;
  patch.hold({0, 1, 2, 3, 4, 5, 6, 7}, patch.motion(F, {0, 0, 0}));
  const Solution solution = patch.equilibrium(control, 1e-12);

  std::vector<double> direct, shear;
  const measure::Snapshot snapshot(patch.model(), patch.model().params, solution.state);
  // The linear law's own stress is the first Piola stress, symmetric for it.
  for (const Mat3d& P : measure::point_values(snapshot, 0).P)
    for (int k = 0; k < 3; ++k) {
      direct.push_back(P(k, k));
      shear.push_back(P(k, (k + 1) % 3));
    }
  const char* what = "stress, farthest tet [Pa]";
  checks.relative("b.linear.direct", what, solution.valid(farthest(direct, 2000)), 2000, 1e-9);
  checks.relative("b.linear.shear", what, solution.valid(farthest(shear, 400)), 400, 1e-9);
}

}  // namespace

const Problem& problem_patch() {
  static const Problem problem = {
      .id = "V04",
      .title = "Patch tests",
      .source = "affine solution; MacNeal, Harder 1985",
      .doc =
          "(a) Cube of irregular tets with its boundary at x = F X, F = [1.2 .3 -.1; 0 .9 .2; .1 0 1.1]: "
          "inner nodes are at F X and the stress is constant. (b) Cube of seven hexes in 35 tets, E = 1e6, "
          "nu = 0.25, small displacement 1e-3 (2x+y+z, x+2y+z, x+y+2z)/2: all direct stresses are 2000, all "
          "shear stresses 400.",
      .run =
          [](const Control& control) {
            Checks checks(problem_patch());
            for (std::string_view law : {"neo_hookean", "neo_hookean_decoupled", "stable_neo_hookean", "stvk",
                                         "corotated", "mooney_rivlin"})
              if (!control.cancelled()) finite_strain(law, discretisations[0], control, checks);
            for (const Discretisation& with : {discretisations[2], discretisations[3]})
              if (!control.cancelled()) finite_strain("neo_hookean_decoupled", with, control, checks);
            if (!control.cancelled()) small_strain(control, checks);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

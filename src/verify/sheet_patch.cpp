// Patch tests of sheets (MacNeal, Harder: A proposed standard set of problems to test finite element accuracy, 1985): their patch of five
// quadrilaterals, each cut in two, with the membrane solution u = (x + y/2, y + x/2) and the bending solution w = (x^2 + x y + y^2)/2, times
// a small number. Inside, the nodes must be where the solution has them; stress and curvature are constant.
#include <cmath>
#include <fmt/format.h>

#include "measure/points.h"
#include "verify/problem.h"
#include "verify/sheets.h"

namespace sinew::verify {

namespace {

constexpr double young = 1e6, poisson = 0.25, thickness = 0.01;
constexpr int32_t border = 4;  // the first nodes

mesh::TriMesh patch() {
  mesh::TriMesh mesh;
  mesh.vertices = {{0, 0, 0},       {0.24, 0, 0},    {0.24, 0.12, 0}, {0, 0.12, 0},
                   {0.04, 0.02, 0}, {0.18, 0.03, 0}, {0.16, 0.08, 0}, {0.08, 0.08, 0}};
  for (const auto& [a, b, c, d] :
       {std::array{4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}) {
    mesh.elements.push_back({a, b, c});
    mesh.elements.push_back({a, c, d});
  }
  return mesh;
}

// A node at this displacement.
void move(Specimen& sheet, int32_t node, const Vec3d& u) {
  sheet.hold({node}, sheet.motion(Mat3d::identity(), u));
}

// The law is quadratic in Green's strain: so small a strain that it is linear.
void membrane(const Control& control, Checks& checks) {
  constexpr double small = 1e-7;
  Specimen sheet(patch(), thickness, {"stvk", young, poisson});
  const auto solution = [&](const Vec3d& X) { return Vec3d{X[0] + X[1] / 2, X[1] + X[0] / 2, 0} * small; };
  for (int32_t node = 0; node < border; ++node) move(sheet, node, solution(sheet.model().X[node]));
  sheet.hold_plane({4, 5, 6, 7}, {0, 0, 1}, sheet.still());
  const Solution at = sheet.equilibrium(control, 1e-10);
  double off = 0;
  for (int32_t node = border; node < 8; ++node) {
    const Vec3d& X = sheet.model().X[node];
    off = std::fmax(off, norm(at.state.x()[node] - X - solution(X)) / (small * 0.24));
  }
  const measure::Snapshot snapshot(sheet.model(), sheet.model().params, at.state);
  std::vector<double> direct, shear;
  for (const Mat3d& stress : measure::cauchy_stress(snapshot, 0)) {
    for (int k = 0; k < 2; ++k) direct.push_back(stress(k, k) * (1e-3 / small));
    shear.push_back(stress(0, 1) * (1e-3 / small));
  }
  const char* what = "stress at strains of 1e-3, farthest triangle [Pa]";
  checks.absolute("membrane.position", "largest distance of a node from the solution over the displacement",
                  at.valid(off), 0, 1e-6);
  checks.relative("membrane.direct", what, at.valid(farthest(direct, 4000.0 / 3)), 4000.0 / 3, 1e-5);
  checks.relative("membrane.shear", what, at.valid(farthest(shear, 400)), 400, 1e-5);
}

// The displacement and, at the middles of borders, the slope are given: each border is clamped to a frame of its own, which tilts what
// lies beyond it. Stiff against what bends it, so that rounding does not show.
void bending(const Control& control, Checks& checks) {
  constexpr double small = 1e-4, thickness = 1;
  Specimen sheet(patch(), thickness, {"stvk", young, poisson}, model::Bending::shell);
  const auto w = [&](const Vec3d& X) { return small * 0.5 * (X[0] * X[0] + X[0] * X[1] + X[1] * X[1]); };
  const auto slope = [&](const Vec3d& X) { return Vec3d{X[0] + X[1] / 2, X[1] + X[0] / 2, 0} * small; };
  const std::vector<Vec3d>& X = sheet.model().X;
  for (int32_t node = 0; node < border; ++node) move(sheet, node, {0, 0, w(X[node])});
  for (const model::Hinge& hinge : sheet.model().hinges) {
    if (hinge.nodes[3] >= 0) continue;
    const Vec3d tilt = slope((X[hinge.nodes[0]] + X[hinge.nodes[1]]) * 0.5);
    const Mat3d A = Mat3d::identity() + outer(Vec3d{0, 0, 1}, tilt);
    sheet.clamp({hinge.nodes[0], hinge.nodes[1]}, sheet.motion(A, {0, 0, 0}));
  }
  const Solution at = sheet.equilibrium(control, 1e-10);
  double off = 0;
  for (int32_t node = border; node < 8; ++node)
    off = std::fmax(off, std::abs(at.state.x()[node][2] - w(X[node])) / w({0.24, 0.12, 0}));
  constexpr double D = young * thickness * thickness * thickness / (12 * (1 - poisson * poisson));
  const double energy = 0.5 * D * small * small * (2 + 2 * poisson + 0.5 * (1 - poisson)) * 0.24 * 0.12;
  checks.absolute("bending.position", "largest distance of a node from the solution over the deflection",
                  at.valid(off), 0, 1e-6);
  checks.relative("bending.energy", "energy over that of the constant curvature",
                  at.valid(at.report.energy / energy), 1, 1e-6);
}

}  // namespace

const Problem& problem_sheet_patch() {
  static const Problem problem = {
      .id = "V04c",
      .title = "Patch tests of sheets",
      .source = "polynomial solutions; MacNeal, Harder 1985",
      .doc =
          "Patch 0.24 x 0.12 of five quadrilaterals cut in two, E = 1e6, nu = 0.25. Membrane: u = e (x + "
          "y/2, y + x/2) at the "
          "corners; direct stresses are 1333.33 and the shear stress is 400 for e = 1e-3, found with e = "
          "1e-7 and scaled. Bending, `shell`: "
          "w = e (x^2 + x y + y^2)/2 and its slopes at the borders, e = 1e-4, thickness 1: nodes inside are "
          "at w, and "
          "the energy is that of the curvature, D e^2 (2 + 2 nu + (1 - nu)/2)/2 an area.",
      .run =
          [](const Control& control) {
            Checks checks(problem_sheet_patch());
            membrane(control, checks);
            if (!control.cancelled()) bending(control, checks);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

// Simple shear F = 1 + gamma e1 (x) e2 of a block whose boundary is held: the stress of each law, and a
// relation between stresses that holds for every isotropic law (Rivlin: Large elastic deformations of
// isotropic materials IV, 1948).
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "measure/points.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Row {
  std::string_view law;
  double gamma, s11, s22, s33, s12;  // [1] [Pa] [Pa] [Pa] [Pa]
};

constexpr double none = std::numeric_limits<double>::quiet_NaN();

constexpr Row rows[] = {
    {"neo_hookean", 0.5, 0.0961538462, 0, 0, 0.1923076923},
    {"neo_hookean", 1, 0.3846153846, 0, 0, 0.3846153846},
    {"neo_hookean_decoupled", 0.5, 0.0641025641, -0.0320512821, -0.0320512821, 0.1923076923},
    {"neo_hookean_decoupled", 1, 0.2564102564, -0.1282051282, -0.1282051282, 0.3846153846},
    {"stable_neo_hookean", 0.5, none, none, none, 0.1923076923},
    {"stable_neo_hookean", 1, none, none, none, 0.3846153846},
    {"stvk", 1, 1.730769231, 0.6730769231, 0.2884615385, 1.057692308},
    {"corotated", 1, 0.5064301642, 0.08120985308, 0, 0.4252203112},
    {"mooney_rivlin", 1, none, none, none, none},
};

void run_row(const Row& row, const Control& control, Checks& checks) {
  mesh::TetMesh box = *mesh::make_box({.cells = {3, 3, 3}});
  const std::vector<int32_t> held = boundary_nodes(box);
  Specimen block(std::move(box), solid_of(row.law));
  Mat3d F = Mat3d::identity();
  F(0, 1) = row.gamma;
  block.hold(held, block.motion(F, {0, 0, 0}));
  const Solution solution = block.equilibrium(control, 1e-13);

  const measure::Snapshot snapshot(block.model(), block.model().params, solution.state);
  std::vector<double> s11, s22, s33, s12, universal;
  for (const Mat3d& s : measure::cauchy_stress(snapshot, 0)) {
    s11.push_back(s(0, 0));
    s22.push_back(s(1, 1));
    s33.push_back(s(2, 2));
    s12.push_back(s(0, 1));
    universal.push_back((s(0, 0) - s(1, 1)) / (row.gamma * s(0, 1)));
  }
  const std::string id = fmt::format("{}.gamma_{}", row.law, row.gamma);
  const auto stress = [&](const char* name, const std::vector<double>& values, double reference) {
    if (std::isnan(reference)) return;
    // Some references are zero; stresses are of the size of E = 1, and nine digits are given.
    checks.absolute(id + "." + name, "Cauchy stress, farthest tet [Pa]",
                    solution.valid(farthest(values, reference)), reference, 1e-9);
  };
  stress("sigma12", s12, row.s12);
  stress("sigma11", s11, row.s11);
  stress("sigma22", s22, row.s22);
  stress("sigma33", s33, row.s33);
  checks.absolute(id + ".universal", "(sigma11 - sigma22) / (gamma sigma12), farthest tet",
                  solution.valid(farthest(universal, 1)), 1, 1e-10);
}

}  // namespace

const Problem& problem_shear() {
  static const Problem problem = {
      .id = "V03",
      .title = "Simple shear",
      .source = "closed form",
      .doc =
          "Block with the boundary at x = F X, F = 1 + gamma e1 (x) e2, E = 1, nu = 0.3. sigma12 = mu gamma "
          "for every neo-Hookean law; (sigma11 - sigma22) / (gamma sigma12) = 1 for every isotropic law.",
      .run =
          [](const Control& control) {
            Checks checks(problem_shear());
            for (const Row& row : rows)
              if (!control.cancelled()) run_row(row, control, checks);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

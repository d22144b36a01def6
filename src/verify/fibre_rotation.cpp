// A body with fibres that is turned as a whole before it is deformed, fibres and mesh together, has the same energy:
// psi(F Q^T; Q f) = psi(F; f).
#include <fmt/format.h>

#include "energy/term.h"
#include "math/random.h"
#include "mesh/shapes.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

struct Row {
  std::string_view law;
  std::vector<double> fields;  // without the fibre
};

const Row rows[] = {
    {"active_fibre", {0.5, 0}},
    {"active_fibre", {0.5, 1}},
    {"guccione", {2, 8, 2, 4, 100}},
    {"muscle", {0.6, 0.2, 30, 3, 1, 0.7, 1}},
};

// Energy of a box, turned by Q at rest, when its nodes are at given positions [J].
double energy(const Row& row, const Mat3d& Q, std::span<const Vec3d> x) {
  mesh::TetMesh box = *mesh::make_box({.cells = {2, 2, 2}});
  for (Vec3d& X : box.vertices) X = Q * X;
  const Vec3d fibre = Q * normalized(Vec3d{1, 2, -0.5});
  std::vector<double> fields = row.fields;
  fields.insert(fields.end(), {fibre[0], fibre[1], fibre[2]});
  const Specimen body(std::move(box), {.law = row.law, .fields = fields});
  std::vector<double> inputs(body.model().inputs.size());
  double sum = 0;
  for (const auto& term : energy::make_terms(body.model()))
    sum += term->evaluate({.x = x, .inputs = inputs}, {}).value;
  return sum;
}

}  // namespace

const Problem& problem_fibre_rotation() {
  static const Problem problem = {
      .id = "V23c",
      .title = "Fibres turned with the mesh",
      .source = "invariance",
      .doc =
          "Energy of a deformed box of 48 tets, and of the same box with rest shape and fibres turned by 1 "
          "rad about (1, 2, 3), nodes at the same positions.",
      .run =
          [](const Control& control) {
            Checks checks(problem_fibre_rotation());
            const Mat3d Q = model::rotation(normalized(Vec3d{1, 2, 3}), 1);
            std::vector<Vec3d> x = mesh::make_box({.cells = {2, 2, 2}})->vertices;
            const math::Random random(23);
            for (size_t i = 0; i < x.size(); ++i)
              for (int k = 0; k < 3; ++k)
                x[i][k] += random.uniform(3 * i + k, -0.05, 0.05) + 0.1 * x[i][(k + 1) % 3];
            for (const Row& row : rows) {
              if (control.cancelled()) break;
              checks.relative(fmt::format("{}{}", row.law, &row == &rows[1] ? ".nominal" : ""), "energy [J]",
                              energy(row, Q, x), energy(row, Mat3d::identity(), x), 1e-12);
            }
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

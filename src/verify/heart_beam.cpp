// A beam of heart tissue under pressure from below: problem 1 of Land et al.: Verification of cardiac mechanics
// software: benchmark problems and solutions for testing active and passive material behaviour, 2015.
#include "mesh/second_order.h"
#include "mesh/shapes.h"
#include "verify/elements.h"
#include "verify/problem.h"
#include "verify/specimen.h"

namespace sinew::verify {

namespace {

// Height of the tip (10, 0.5, 1) after deformation [mm]; stresses are in kPa.
double tip_height(int32_t n, const Control& control) {
  mesh::TetMesh beam =
      *mesh::make_box({.size = {10, 1, 1}, .cells = {12 * n, n, n}, .split = mesh::Split::crossed});
  mesh::add_edge_nodes(beam);
  Specimen specimen(std::move(beam), {.law = "guccione", .fields = {2, 8, 2, 4, 300, 1, 0, 0}});
  specimen.hold(specimen.group("xmin"), specimen.still());
  model::Model& model = specimen.model();
  model.pressure_loads.push_back({.name = "pressure",
                                  .faces = {},
                                  .pressure = 0.004,
                                  .factor = model.inputs.add_numbers("pressure", {{0, {0}}, {1, {1}}}),
                                  .curved = curved_faces(specimen, "zmin")});
  const Solution solution = specimen.equilibrium(control, 1e-7);
  return solution.valid(solution.state.x()[node_at(model, {10, 0.5, 1})][2]);
}

}  // namespace

const Problem& problem_heart_beam() {
  static const Problem problem = {
      .id = "V23b",
      .title = "Beam of heart tissue",
      .source = "Land et al. 2015, problem 1: 4.151 to 4.185 mm by eleven groups",
      .doc =
          "Beam of 10 x 1 x 1 mm, guccione with c = 2 kPa, b_f = 8, b_t = 2, b_fs = 4, fibres along the "
          "beam, bulk = 300 kPa, x = 0 held, follower pressure 0.004 kPa on z = 0. Height of the point (10, "
          "0.5, 1). Tets of second order, 12n x n x n cells of 24; the check is for n = 2.",
      .run =
          [](const Control& control) {
            Checks checks(problem_heart_beam());
            std::vector<double> h, z;
            for (int32_t n : {1, 2}) {
              if (control.cancelled()) return checks.take();
              h.push_back(1.0 / n);
              z.push_back(tip_height(n, control));
            }
            // The middle of what the groups found, within their spread.
            checks.absolute("height", "height of the tip [mm]", z.back(), 4.168, 0.017);
            checks.series("height of the tip", "cell size [mm]", h, z, 4.168, 0);
            return checks.take();
          },
  };
  return problem;
}

}  // namespace sinew::verify

#include "verify/cook_panel.h"

#include "mesh/shapes.h"

namespace sinew::verify {

CookLift lift_cook_panel(const CookCase& one, const Discretisation& with, int32_t n, const Control& control) {
  const double depth = 48.0 / n;
  mesh::TetMesh box = with_nodes(*mesh::make_box({.cells = {n, n, 1}, .split = with.split}), with.elements);
  for (Vec3d& X : box.vertices) {
    const double u = X[0], v = X[1], w = X[2];
    X = {48 * u, (1 - v) * 44 * u + v * (44 + 16 * u), w * depth};
  }
  Specimen panel(std::move(box), one.solid, with.elements);
  const int32_t still = panel.still();
  for (const Vec3d& direction : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}})
    panel.hold_plane(panel.group("xmin"), direction, still);
  panel.hold_plane(panel.group("zmin"), {0, 0, 1}, still);
  if (!one.plane_stress) panel.hold_plane(panel.group("zmax"), {0, 0, 1}, still);
  add_traction(panel, "xmax", [&](const Vec3d&, const Vec3d&) { return Vec3d{0, one.traction, 0}; });
  const Solution solution = panel.equilibrium(control, 1e-6);
  const auto raised = [&](double y) {
    const int32_t node = node_at(panel.model(), {48, y, 0});
    return solution.valid(solution.state.x()[node][1] - panel.model().X[node][1]);
  };
  return {raised(60), raised(52), static_cast<double>(panel.model().X.size())};
}

}  // namespace sinew::verify

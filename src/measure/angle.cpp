#include <algorithm>
#include <cmath>

#include "measure/points.h"
#include "mesh/triangle_edges.h"
#include "model/add_hinges.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Model& model = snapshot.model();
  const model::Body& of = model.bodies[body];
  std::fill(out.begin(), out.end(), 0.0);
  if (!of.kind->is_triangle()) return;
  const auto x = snapshot.state().x();
  for (const mesh::TriangleEdge& edge :
       mesh::triangle_edges(of.surface, static_cast<int64_t>(model.X.size())).edges) {
    if (edge.right < 0) continue;
    const double angle =
        std::abs(model::hinge_angle(x[edge.a], x[edge.b], x[of.surface[edge.left][edge.left_corner]],
                                    x[of.surface[edge.right][edge.right_corner]]));
    for (const int32_t triangle : {edge.left, edge.right}) out[triangle] = std::max(out[triangle], angle);
  }
}

}  // namespace

const Quantity& quantity_angle() {
  static const Quantity quantity = {
      "angle",
      "rad",
      "Largest angle between a triangle of a shell and its neighbours, 0 where flat. 0 of a solid.",
      Target::element,
      1,
      evaluate};
  return quantity;
}

}  // namespace sinew::measure

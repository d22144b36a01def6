#include "measure/points.h"

namespace sinew::measure {

namespace {

void evaluate(const Snapshot& snapshot, int attachment, std::span<double> out) {
  const auto& nodes = snapshot.model().attachments[attachment].nodes;
  const auto x = snapshot.state().x();
  const std::vector<Vec3d> force = reactions(snapshot, attachment);
  Vec3d centroid = {0, 0, 0}, moment = {0, 0, 0};
  for (int32_t node : nodes) centroid += x[node] * (1.0 / static_cast<double>(nodes.size()));
  for (size_t k = 0; k < nodes.size(); ++k) moment += cross(x[nodes[k]] - centroid, force[k]);
  put_vector(moment, out.data());
}

}  // namespace

const Quantity& quantity_moment() {
  static const Quantity quantity = {
      "moment",           "N m", "Moment of that force about the centroid of the held nodes.",
      Target::attachment, 3,     evaluate};
  return quantity;
}

}  // namespace sinew::measure

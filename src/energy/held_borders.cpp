#include "energy/held_borders.h"

#include "model/add_hinges.h"

namespace sinew::energy {

std::vector<Beyond> beyond_borders(const model::Model& model, std::span<const Border> borders) {
  std::vector<Beyond> list(borders.size());
  for (const bool sliding : {false, true})
    for (const model::Attachment& attachment : model.attachments) {
      if (attachment.clamped.empty() || (attachment.hold == model::Hold::plane) != sliding) continue;
      std::vector<char> on(model.X.size(), 0);
      for (int32_t node : attachment.clamped) on[node] = 1;
      for (size_t k = 0; k < borders.size(); ++k) {
        const auto [a, b, corner] = borders[k];
        if (list[k].pose >= 0 || !on[a] || !on[b]) continue;
        const Vec3d edge = model.X[b] - model.X[a];
        Vec3d out = cross(edge, cross(edge, model.X[corner] - model.X[a]));
        if (sliding) out = attachment.direction * (dot(attachment.direction, out) < 0 ? -1.0 : 1.0);
        list[k] = {attachment.pose, out * (norm(edge) / norm(out))};
      }
    }
  return list;
}

double rest_angle(const model::Model& model, const Border& border, const Beyond& beyond) {
  const Vec3d &a = model.X[border.a], &b = model.X[border.b];
  return model::hinge_angle(a, b, model.X[border.corner], b + beyond.direction);
}

std::vector<Vec3d> directions(std::span<const Beyond> list, std::span<const double> inputs) {
  std::vector<Vec3d> now;
  for (const Beyond& beyond : list) now.push_back(model::pose_at(inputs, beyond.pose).A * beyond.direction);
  return now;
}

void add_input_gradient(const Beyond& beyond, const Vec3d& force, std::span<double> out) {
  // The direction is the difference of two points of the frame.
  model::add_pose_gradient(force, beyond.direction, beyond.pose, out);
  model::add_pose_gradient(-force, {0, 0, 0}, beyond.pose, out);
}

}  // namespace sinew::energy

#include "sensitivity/held_nodes.h"

#include <algorithm>
#include <vector>

#include "math/dual.h"
#include "model/held_part.h"

namespace sinew::sensitivity {

namespace {

using Rate = math::Dual<double, 1>;  // a number with its change; the second derivative is not used

struct Turn {
  Vec3d motion, turning;
};

// rate(j): how fast input j changes.
template <class F>
Turn turn_of(const HeldNodes& held, size_t k, const F& rate) {
  const auto& partial = held.dofs.partials()[k];
  const Vec3d& X = held.model.X[partial.node];
  model::HeldPart<Rate> part;
  for (int32_t a : held.dofs.holders(k)) {
    const model::Attachment& attachment = held.model.attachments[a];
    math::Mat3<Rate> A;
    math::Vec3<Rate> point;
    for (int m = 0; m < 12; ++m) {
      Rate& number = m < 9 ? A.c[m / 3].v[m % 3] : point[m - 9];
      number = Rate(held.inputs[attachment.pose + m]);
      number.gradient[0] = rate(attachment.pose + m);
    }
    point += A * math::Vec3<Rate>{Rate(X[0]), Rate(X[1]), Rate(X[2])};
    model::hold_node(attachment.hold, attachment.direction, A, point, part);
  }
  model::close(part);
  Turn turn;
  const Vec3d &x = held.x[partial.node], &g = held.g[partial.node];
  for (int i = 0; i < 3; ++i) {
    turn.motion[i] = part.target[i].gradient[0];
    turn.turning[i] = 0;
    for (int j = 0; j < 3; ++j) {
      turn.motion[i] += part.P(i, j).gradient[0] * x[j];
      turn.turning[i] += part.P(i, j).gradient[0] * g[j];
    }
  }
  return turn;
}

}  // namespace

void HeldNodes::change(std::span<const double> du, std::span<Vec3d> motion, std::span<Vec3d> turning) const {
  for (const auto& rigid : dofs.rigid())
    motion[rigid.node] += model::pose_at(du, model.attachments[rigid.attachment].pose)(model.X[rigid.node]);
  for (size_t k = 0; k < dofs.partials().size(); ++k) {
    const Turn turn = turn_of(*this, k, [&](int32_t j) { return du[j]; });
    motion[dofs.partials()[k].node] += turn.motion;
    turning[dofs.partials()[k].node] += turn.turning;
  }
}

void HeldNodes::gradient(std::span<const Vec3d> along_motion, std::span<const Vec3d> along_turning,
                         std::span<double> out) const {
  for (const auto& rigid : dofs.rigid())
    model::add_pose_gradient(along_motion[rigid.node], model.X[rigid.node],
                             model.attachments[rigid.attachment].pose, out);
  for (size_t k = 0; k < dofs.partials().size(); ++k) {
    const int32_t node = dofs.partials()[k].node;
    std::vector<int32_t> poses;
    for (int32_t a : dofs.holders(k)) {
      const int32_t pose = model.attachments[a].pose;
      if (std::find(poses.begin(), poses.end(), pose) == poses.end()) poses.push_back(pose);
    }
    for (int32_t pose : poses)
      for (int32_t j = pose; j < pose + 12; ++j) {
        const Turn turn = turn_of(*this, k, [&](int32_t i) { return i == j ? 1.0 : 0.0; });
        out[j] += dot(along_motion[node], turn.motion) + dot(along_turning[node], turn.turning);
      }
  }
}

}  // namespace sinew::sensitivity

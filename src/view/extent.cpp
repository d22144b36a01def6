#include "view/extent.h"

#include <algorithm>
#include <cmath>

#include "contact/collider_shell.h"
#include "model/bounds.h"

namespace sinew::view {

using math::Vec3d;
using mesh::Bounds;

namespace {

constexpr double reach = 0.3;  // of the diagonal of the bodies' box: how far from them colliders count
constexpr double room = 0.25;  // of the diagonal: how far beyond the bodies a box grows

}  // namespace

Bounds extent_of(const model::Model& model, std::span<const Vec3d> x, std::span<const double> inputs) {
  const Bounds bodies = model::bounds(model, x);
  const Vec3d margin = Vec3d::filled(reach * norm(bodies.high - bodies.low));
  Bounds box = bodies;
  for (const model::Collider& collider : model.colliders) {
    if (collider.shape == model::Collider::Shape::plane) continue;
    contact::Shell shell = contact::shell_of(collider, 0);
    const model::Pose pose = contact::shell_pose(collider, inputs, {0, 0, 0});
    for (Vec3d& point : shell.points) point = pose(point);
    Bounds near = mesh::bounding_box(shell.points);
    bool meets = true;
    for (int k = 0; k < 3; ++k) {
      near.low[k] = std::max(near.low[k], bodies.low[k] - margin[k]);
      near.high[k] = std::min(near.high[k], bodies.high[k] + margin[k]);
      meets &= near.low[k] <= near.high[k];
    }
    if (meets) box = unite(box, near);
  }
  return box;
}

Bounds unite(const Bounds& a, const Bounds& b) {
  Bounds out = a;
  for (int k = 0; k < 3; ++k) {
    out.low[k] = std::min(a.low[k], b.low[k]);
    out.high[k] = std::max(a.high[k], b.high[k]);
  }
  return out;
}

bool same(const Bounds& a, const Bounds& b) {
  return std::equal(a.low.v, a.low.v + 3, b.low.v) && std::equal(a.high.v, a.high.v + 3, b.high.v);
}

bool grow(Bounds& box, const Bounds& now) {
  const Bounds before = box;
  const double beyond = room * norm(now.high - now.low);
  for (int k = 0; k < 3; ++k) {
    if (now.low[k] < box.low[k]) box.low[k] = now.low[k] - beyond;
    if (now.high[k] > box.high[k]) box.high[k] = now.high[k] + beyond;
  }
  return !same(before, box);
}

}  // namespace sinew::view

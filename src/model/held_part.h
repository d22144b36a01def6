#pragma once
// The part of a node's position that planes and lines hold: x = P x + target, P the projector onto the free directions.
// For any scalar, so that dual numbers give how both change with the poses.
//
//     HeldPart<double> part;
//     hold_node(Hold::plane, direction, pose.A, pose.A * X + pose.b, part);   // once for each attachment
//     close(part);
#include <cmath>

#include "math/mat.h"
#include "model/model.h"

namespace sinew::model {

template <class S>
struct HeldPart {
  math::Mat3<S> P = math::Mat3<S>::identity();
  math::Vec3<S> target = math::Vec3<S>::zero();
};

// Adds the constraint n.x = value; directions already held are left alone.
template <class S>
void hold_direction(const math::Vec3<S>& n, const S& value, HeldPart<S>& part) {
  const math::Vec3<S> rest = part.P * n;
  if (norm2(rest) < S(1e-16)) return;
  const S length = norm(rest);
  const math::Vec3<S> unit = rest * (S(1) / length);
  // n.x = value with the held part of x known: unit.x = (value - n.target) / length.
  part.target += unit * ((value - dot(n, part.target)) / length);
  part.P -= outer(unit, unit);
}

// `direction` at rest, A the linear part of the pose, `point` where it takes the node.
template <class S>
void hold_node(Hold hold, const math::Vec3d& direction, const math::Mat3<S>& A, const math::Vec3<S>& point,
               HeldPart<S>& part) {
  using std::abs;
  using V = math::Vec3<S>;
  const V n = normalized(A * V{S(direction[0]), S(direction[1]), S(direction[2])});
  if (hold == Hold::plane) {
    hold_direction(n, dot(n, point), part);
    return;
  }
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (abs(n[i]) < abs(n[least])) least = i;
  const V u = normalized(cross(n, V::unit(least))), w = cross(n, u);
  hold_direction(u, dot(u, point), part);
  hold_direction(w, dot(w, point), part);
}

// If all directions are constrained, rounding leaves none free.
template <class S>
void close(HeldPart<S>& part) {
  if (trace(part.P) < S(0.5)) part.P = math::Mat3<S>::zero();
}

}  // namespace sinew::model

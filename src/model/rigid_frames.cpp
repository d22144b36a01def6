#include "model/rigid_frames.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "math/polar.h"
#include "math/rotation.h"

namespace sinew::model {

namespace {

constexpr int64_t chunk_nodes = 1024;
constexpr double rounding = 1e-12;  // of positions, relative

Vec3d vector_at(const math::Vec<double, 6>& v, int first) { return {v[first], v[first + 1], v[first + 2]}; }

}  // namespace

template <class F>
void RigidFrames::each(const F& visit) const {
  for_each_index(static_cast<int64_t>(chunks_.size()), [&](int64_t k) {
    for (int64_t i = chunks_[k].begin; i < chunks_[k].end; ++i) visit(i, chunks_[k].frame);
  });
}

// Sums over the nodes of each frame of what add(i, frame, sum) adds.
template <int width, class F>
std::vector<math::Vec<double, width>> RigidFrames::sums(const F& add) const {
  using Sum = math::Vec<double, width>;
  std::vector<Sum> part(chunks_.size(), Sum::zero()), sum(count(), Sum::zero());
  for_each_index(static_cast<int64_t>(chunks_.size()), [&](int64_t k) {
    for (int64_t i = chunks_[k].begin; i < chunks_[k].end; ++i) add(i, chunks_[k].frame, part[k]);
  });
  for (size_t k = 0; k < chunks_.size(); ++k) sum[chunks_[k].frame] += part[k];
  return sum;
}

RigidFrames::RigidFrames(std::span<const RigidPart> parts, std::span<const Vec3d> x) {
  for (const RigidPart& part : parts) {
    double total = 0;
    for (size_t k = 0; k < part.nodes.size(); ++k) {
      node_.push_back(part.nodes[k]);
      weight_.push_back(part.weights.empty() ? 1 : part.weights[k]);
      total += weight_.back();
    }
    const int64_t begin = begin_.back(), end = static_cast<int64_t>(node_.size());
    for (int64_t i = begin; i < end; ++i) weight_[i] /= total;
    for (int64_t i = begin; i < end; i += chunk_nodes)
      chunks_.push_back({static_cast<int32_t>(length_.size()), i, std::min(i + chunk_nodes, end)});
    begin_.push_back(end);
    length_.push_back(0);
  }
  const std::vector<Vec3d> centre = centres(x);
  arm_.resize(node_.size());
  each([&](int64_t i, int32_t frame) { arm_[i] = x[node_[i]] - centre[frame]; });
  const auto square = sums<1>([&](int64_t i, int32_t, auto& sum) { sum[0] += weight_[i] * norm2(arm_[i]); });
  for (int32_t frame = 0; frame < count(); ++frame) length_[frame] = std::sqrt(square[frame][0]);
}

std::vector<Vec3d> RigidFrames::centres(std::span<const Vec3d> x) const {
  return sums<3>([&](int64_t i, int32_t, Vec3d& sum) { sum += x[node_[i]] * weight_[i]; });
}

void RigidFrames::push(std::span<const Vec3d> x, std::span<const Vec3d> q, std::span<Vec3d> d) const {
  const std::vector<Vec3d> centre = centres(x);
  each([&](int64_t i, int32_t frame) {
    const Vec3d arm = x[node_[i]] - centre[frame];
    d[node_[i]] = q[2 * frame] + cross(q[2 * frame + 1], arm) * (1 / length_[frame]);
  });
}

void RigidFrames::pull(std::span<const Vec3d> x, std::span<const Vec3d> g, std::span<Vec3d> q) const {
  const std::vector<Vec3d> centre = centres(x);
  const auto wrench = sums<6>([&](int64_t i, int32_t frame, auto& sum) {
    const Vec3d &force = g[node_[i]], torque = cross(x[node_[i]] - centre[frame], force);
    for (int k = 0; k < 3; ++k) {
      sum[k] += force[k];
      sum[3 + k] += torque[k];
    }
  });
  for (int32_t frame = 0; frame < count(); ++frame) {
    q[2 * frame] = vector_at(wrench[frame], 0);
    q[2 * frame + 1] = vector_at(wrench[frame], 3) * (1 / length_[frame]);
  }
}

// The velocity is found as that of a body with the weights as masses: momentum over mass, and angular momentum by the
// inertia, both about the centre.
void RigidFrames::advance(std::span<const Vec3d> x, std::span<const Vec3d> d, double a,
                          std::span<Vec3d> out) const {
  const std::vector<Vec3d> centre = centres(x);
  const auto momentum = sums<6>([&](int64_t i, int32_t frame, auto& sum) {
    const Vec3d &velocity = d[node_[i]], spin = cross(x[node_[i]] - centre[frame], velocity);
    for (int k = 0; k < 3; ++k) {
      sum[k] += weight_[i] * velocity[k];
      sum[3 + k] += weight_[i] * spin[k];
    }
  });
  const auto inertia = sums<9>([&](int64_t i, int32_t frame, auto& sum) {
    const Vec3d r = x[node_[i]] - centre[frame];
    for (int k = 0; k < 9; ++k) sum[k] += weight_[i] * ((k % 4 == 0 ? norm2(r) : 0) - r[k / 3] * r[k % 3]);
  });
  std::vector<Vec3d> translation(count()), rotation(count());
  for (int32_t frame = 0; frame < count(); ++frame) {
    Mat3d J;
    for (int k = 0; k < 9; ++k) J(k / 3, k % 3) = inertia[frame][k];
    translation[frame] = vector_at(momentum[frame], 0) * a;
    rotation[frame] = inverse(J) * vector_at(momentum[frame], 3) * a;
  }
  each([&](int64_t i, int32_t frame) {
    const Vec3d& from = x[node_[i]];
    out[node_[i]] = from + (translation[frame] + math::turn(rotation[frame], from - centre[frame]));
  });
}

// The rotation R of each frame for which sum_i w_i |to_i - R from_i|^2 is least; arms by the places of node_.
std::vector<Mat3d> RigidFrames::fitted_rotations(std::span<const Vec3d> from,
                                                 std::span<const Vec3d> to) const {
  const auto moment = sums<9>([&](int64_t i, int32_t, auto& sum) {
    for (int k = 0; k < 9; ++k) sum[k] += weight_[i] * to[i][k / 3] * from[i][k % 3];
  });
  std::vector<Mat3d> rotations(count());
  for (int32_t frame = 0; frame < count(); ++frame) {
    Mat3d M;
    for (int k = 0; k < 9; ++k) M(k / 3, k % 3) = moment[frame][k] / (length_[frame] * length_[frame]);
    rotations[frame] = math::polar_rotation(M);
  }
  return rotations;
}

void RigidFrames::part_way(std::span<const Vec3d> x0, std::span<const Vec3d> x1,
                           std::span<const double> share, std::span<Vec3d> out) const {
  const std::vector<Vec3d> centre0 = centres(x0), centre1 = centres(x1);
  std::vector<Vec3d> arm0(node_.size()), arm1(node_.size());
  each([&](int64_t i, int32_t frame) {
    arm0[i] = x0[node_[i]] - centre0[frame];
    arm1[i] = x1[node_[i]] - centre1[frame];
  });
  std::vector<Vec3d> rotation;
  for (const Mat3d& R : fitted_rotations(arm0, arm1)) {
    const auto [axis, angle] = math::axis_angle(R);
    rotation.push_back(axis * angle);
  }
  each([&](int64_t i, int32_t frame) {
    const double s = share[nodes(frame)[0]];
    const Vec3d moved = (centre1[frame] - centre0[frame]) * s + math::turn(rotation[frame] * s, arm0[i]);
    out[node_[i]] = s == 1 ? x1[node_[i]] : x0[node_[i]] + moved;
  });
}

void RigidFrames::limit(std::span<double> share) const {
  for (int32_t frame = 0; frame < count(); ++frame) {
    double least = 1;
    for (int32_t node : nodes(frame)) least = std::min(least, share[node]);
    for (int32_t node : nodes(frame)) share[node] = least;
  }
}

void RigidFrames::retract(std::span<Vec3d> x) const {
  if (count() == 0) return;
  const std::vector<Vec3d> centre = centres(x);
  std::vector<Vec3d> arm(node_.size());
  each([&](int64_t i, int32_t frame) { arm[i] = x[node_[i]] - centre[frame]; });
  const std::vector<Mat3d> R = fitted_rotations(arm_, arm);
  for (int32_t frame = 0; frame < count(); ++frame) {
    const double off = rounding * (length_[frame] + norm(centre[frame]));
    bool fits = true;
    for (int64_t i = begin_[frame]; i < begin_[frame + 1]; ++i)
      fits &= norm(arm[i] - R[frame] * arm_[i]) <= off;
    if (fits) continue;
    for (int64_t i = begin_[frame]; i < begin_[frame + 1]; ++i)
      x[node_[i]] = centre[frame] + R[frame] * arm_[i];
  }
}

std::vector<Mat3d> RigidFrames::curvature(std::span<const Vec3d> x, std::span<const Vec3d> g) const {
  const std::vector<Vec3d> centre = centres(x);
  const auto moment = sums<9>([&](int64_t i, int32_t frame, auto& sum) {
    const Vec3d &force = g[node_[i]], r = x[node_[i]] - centre[frame];
    for (int k = 0; k < 9; ++k) sum[k] += force[k / 3] * r[k % 3];
  });
  std::vector<Mat3d> blocks(count());
  for (int32_t frame = 0; frame < count(); ++frame) {
    const auto& M = moment[frame];
    const double trace = M[0] + M[4] + M[8], scale = 1 / (length_[frame] * length_[frame]);
    for (int k = 0; k < 9; ++k)
      blocks[frame](k / 3, k % 3) =
          (0.5 * (M[k] + M[3 * (k % 3) + k / 3]) - (k % 4 == 0 ? trace : 0)) * scale;
  }
  return blocks;
}

}  // namespace sinew::model

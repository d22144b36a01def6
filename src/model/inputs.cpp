#include "model/inputs.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"

namespace sinew::model {

using math::axis_angle;

Mat3d rotation(const Vec3d& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3d R = outer(axis, axis) * (1 - c);
  for (int i = 0; i < 3; ++i) R(i, i) += c;
  R(0, 1) -= s * axis[2];
  R(1, 0) += s * axis[2];
  R(0, 2) += s * axis[1];
  R(2, 0) -= s * axis[1];
  R(1, 2) -= s * axis[0];
  R(2, 1) += s * axis[0];
  return R;
}

namespace {

Pose pose_of(const Mat3d& R, const Vec3d& about, const Vec3d& translate) {
  return {R, about + translate - R * about};
}

Pose interpolate(const PoseKey& a, const PoseKey& b, double t) {
  const Vec3d translate = a.translate * (1 - t) + b.translate * t;
  const Vec3d about = a.about * (1 - t) + b.about * t;
  // A key without a turn takes the other key's axis.
  const Vec3d axis_a = a.angle == 0 ? b.axis : a.axis;
  const Vec3d axis_b = b.angle == 0 ? axis_a : b.axis;
  if (norm2(axis_a - axis_b) < 1e-18)
    return pose_of(rotation(axis_a, a.angle * (1 - t) + b.angle * t), about, translate);
  const Mat3d Ra = rotation(a.axis, a.angle), Rb = rotation(b.axis, b.angle);
  const auto [axis, angle] = axis_angle(Rb * transpose(Ra));
  return pose_of(rotation(axis, angle * t) * Ra, about, translate);
}

// The same as a key of its own.
PoseKey key_between(const PoseKey& a, const PoseKey& b, double t, double time) {
  const auto [axis, angle] = axis_angle(interpolate(a, b, t).A);
  PoseKey key{time, a.translate * (1 - t) + b.translate * t, axis, angle, a.about * (1 - t) + b.about * t};
  // About one axis turns beyond half a circle are kept.
  const Vec3d axis_a = a.angle == 0 ? b.axis : a.axis, axis_b = b.angle == 0 ? axis_a : b.axis;
  if (norm2(axis_a - axis_b) < 1e-18) {
    key.axis = axis_a;
    key.angle = a.angle * (1 - t) + b.angle * t;
  }
  return key;
}

// The interval of keys around `time` and the fraction inside it.
template <class Key>
std::pair<size_t, double> locate(const std::vector<Key>& keys, double time) {
  if (time <= keys.front().time) return {0, 0.0};
  if (time >= keys.back().time) return {keys.size() - 1, 0.0};
  const auto next =
      std::upper_bound(keys.begin(), keys.end(), time, [](double t, const Key& key) { return t < key.time; });
  const size_t i = next - keys.begin() - 1;
  return {i, (time - keys[i].time) / (next->time - keys[i].time)};
}

}  // namespace

int InputCurve::add_pose(std::string name, std::vector<PoseKey> keys) {
  blocks_.push_back({std::move(name), size_, 12, std::move(keys), {}});
  size_ += 12;
  return size_ - 12;
}

int InputCurve::add_numbers(std::string name, std::vector<NumberKey> keys) {
  const int width = static_cast<int>(keys.front().value.size());
  blocks_.push_back({std::move(name), size_, width, {}, std::move(keys)});
  size_ += width;
  return size_ - width;
}

int InputCurve::find(std::string_view name) const {
  const auto at =
      std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& block) { return block.name == name; });
  return at == blocks_.end() ? -1 : static_cast<int>(at - blocks_.begin());
}

namespace {

// The keys before `time`, that at `time`, and then the last.
template <class Key>
void lead(std::vector<Key>& keys, Key now, Key last) {
  std::erase_if(keys, [&](const Key& key) { return key.time >= now.time; });
  keys.push_back(std::move(now));
  keys.push_back(std::move(last));
}

}  // namespace

void InputCurve::splice_pose(int block, double time, const PoseKey& key) {
  std::vector<PoseKey>& keys = blocks_[block].poses;
  const auto [i, t] = locate(keys, time);
  PoseKey now = key_between(keys[i], t > 0 ? keys[i + 1] : keys[i], t, time);
  lead(keys, now, key);
}

void InputCurve::splice_numbers(int block, double time, const NumberKey& key) {
  std::vector<NumberKey>& keys = blocks_[block].numbers;
  const auto [i, t] = locate(keys, time);
  NumberKey now = keys[i];
  now.time = time;
  for (size_t k = 0; t > 0 && k < now.value.size(); ++k)
    now.value[k] = now.value[k] * (1 - t) + keys[i + 1].value[k] * t;
  lead(keys, std::move(now), key);
}

void InputCurve::evaluate(double time, std::span<double> out) const {
  for (const Block& block : blocks_) {
    double* o = out.data() + block.first;
    if (!block.poses.empty()) {
      const auto [i, t] = locate(block.poses, time);
      const PoseKey& a = block.poses[i];
      const Pose pose = interpolate(a, t > 0 ? block.poses[i + 1] : a, t);
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) o[3 * j + k] = pose.A(k, j);
      for (int k = 0; k < 3; ++k) o[9 + k] = pose.b[k];
    } else {
      const auto [i, t] = locate(block.numbers, time);
      for (int k = 0; k < block.width; ++k) {
        const double a = block.numbers[i].value[k];
        o[k] = t > 0 ? a * (1 - t) + block.numbers[i + 1].value[k] * t : a;
      }
    }
  }
}

Pose pose_at(std::span<const double> inputs, int first) {
  const double* p = inputs.data() + first;
  return {{{{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}}}, {p[9], p[10], p[11]}};
}

void add_pose_gradient(const Vec3d& force, const Vec3d& X, int first, std::span<double> out) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[first + 3 * j + i] += force[i] * X[j];
    out[first + 9 + i] += force[i];
  }
}

}  // namespace sinew::model

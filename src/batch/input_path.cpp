#include "batch/input_path.h"

#include <cmath>

#include "math/polar.h"

namespace sinew::batch {

namespace {

using model::Mat3d;

Mat3d linear_part(const double* pose) { return model::pose_at({pose, 12}, 0).A; }

bool is_rotation(const Mat3d& A) {
  const Mat3d error = transpose(A) * A - Mat3d::identity();
  return contract(error, error) < 1e-12 && det(A) > 0;
}

}  // namespace

model::InputCurve input_path(const model::InputCurve& curve, std::span<const double> target,
                             std::span<const double> times) {
  std::vector<double> now(curve.size()), end(curve.size());
  const double last = times.back();
  curve.evaluate(last, end);
  std::vector<std::vector<model::NumberKey>> keys(curve.blocks().size());
  const auto add = [&](double time) {
    const double share = last > 0 ? time / last : 1.0;
    curve.evaluate(time, now);
    for (size_t b = 0; b < keys.size(); ++b) {
      const auto& block = curve.blocks()[b];
      model::NumberKey key{time, std::vector<double>(block.width)};
      for (int k = 0; k < block.width; ++k) {
        const int i = block.first + k;
        key.value[k] = time == last ? target[i] : now[i] + share * (target[i] - end[i]);
      }
      if (!block.poses.empty() && time != last && is_rotation(linear_part(&target[block.first]))) {
        const Mat3d R = math::polar_rotation(linear_part(key.value.data()));
        for (int k = 0; k < 9; ++k) key.value[k] = R.c[k / 3][k % 3];
      }
      keys[b].push_back(std::move(key));
    }
  };
  if (times.front() > 0) add(0);
  for (double time : times) add(time);
  model::InputCurve path;
  for (size_t b = 0; b < keys.size(); ++b) path.add_numbers(curve.blocks()[b].name, std::move(keys[b]));
  return path;
}

}  // namespace sinew::batch

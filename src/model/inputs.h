#pragma once
// Inputs: one flat vector of numbers that a scene may vary in time, in named blocks. Poses are 3x4 affine maps
// by columns (12 numbers) that take rest positions to world positions; loads are factors; gravity is 3 numbers.
// An InputCurve gives the whole vector at any time.
//
//     InputCurve curve;  int pose = curve.add_pose("attach.left", keys);  curve.evaluate(0.5, inputs);
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/mat.h"

namespace sinew::model {

using math::Mat3d;
using math::Vec3d;

// x = R (X - about) + about + translate. Between two keys with the same axis the angle is interpolated, so
// that turns beyond 180 degrees are kept; otherwise the shortest rotation is taken.
struct PoseKey {
  double time = 0;              // [s]
  Vec3d translate = {0, 0, 0};  // [m]
  Vec3d axis = {0, 0, 1};       // unit
  double angle = 0;             // [rad]
  Vec3d about = {0, 0, 0};      // [m]
};

struct NumberKey {
  double time = 0;  // [s]
  std::vector<double> value;
};

struct Pose {
  Mat3d A;  // linear part
  Vec3d b;  // [m]
  Vec3d operator()(const Vec3d& X) const { return A * X + b; }
};

class InputCurve {
 public:
  struct Block {
    std::string name;
    int first = 0;
    int width = 0;
    std::vector<PoseKey> poses;      // either these
    std::vector<NumberKey> numbers;  // or these, linear in between and constant outside
  };

  // Each returns the index of the block's first number. Keys are in ascending order of time.
  int add_pose(std::string name, std::vector<PoseKey> keys);
  int add_numbers(std::string name, std::vector<NumberKey> keys);

  // From `time` on the block changes evenly to the value at `key.time` and then stays there. What came before is kept.
  void splice_pose(int block, double time, const PoseKey& key);
  void splice_numbers(int block, double time, const NumberKey& key);
  int find(std::string_view name) const;  // block; -1: there is none

  int size() const { return size_; }
  std::span<const Block> blocks() const { return blocks_; }
  void evaluate(double time, std::span<double> out) const;

 private:
  std::vector<Block> blocks_;
  int size_ = 0;
};

Mat3d rotation(const Vec3d& axis, double angle);
Pose pose_at(std::span<const double> inputs, int first);
// Adds the derivative of force . pose(X) with respect to the twelve numbers of a pose.
void add_pose_gradient(const Vec3d& force, const Vec3d& X, int first, std::span<double> out);

}  // namespace sinew::model

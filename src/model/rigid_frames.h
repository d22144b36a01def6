#pragma once
// RigidFrames: sets of nodes that move as rigid bodies. A frame has two blocks of unknowns, a translation t and L times a
// rotation vector w, L the radius of gyration: both are lengths, and their residuals forces. With the arm r_i from the
// centre to a node,
//     d_i = t + w x r_i        x_i <- x_i + a t + (exp(a [w]) - 1) r_i   for a finite step
// The second derivative of the exponential in w, against the forces g, is the geometric stiffness of a frame
//     sum_i sym(g_i r_i^T) - (g_i . r_i) 1.
// A frame has no pose of its own: its centre is the weighted mean of its nodes, and x is all that a step needs. Sums go
// over fixed chunks of nodes in order: the same bits for any number of threads.
#include <span>

#include "math/mat.h"
#include "model/carried.h"

namespace sinew::model {

using math::Mat3d;
using math::Vec3d;

class RigidFrames {
 public:
  RigidFrames() = default;
  // The parts keep the shape that they have at x.
  RigidFrames(std::span<const RigidPart> parts, std::span<const Vec3d> x);

  int32_t count() const { return static_cast<int32_t>(length_.size()); }
  std::span<const int32_t> nodes(int32_t frame) const {
    return std::span(node_).subspan(begin_[frame], begin_[frame + 1] - begin_[frame]);
  }
  double length(int32_t frame) const { return length_[frame]; }  // the radius of gyration L [m]
  std::vector<Vec3d> centres(std::span<const Vec3d> x) const;

  // d at the nodes of the frames, from their blocks q; and its transpose.
  void push(std::span<const Vec3d> x, std::span<const Vec3d> q, std::span<Vec3d> d) const;
  void pull(std::span<const Vec3d> x, std::span<const Vec3d> g, std::span<Vec3d> q) const;
  // The step a d from x as a finite motion. Of a d that is no rigid velocity the nearest one is taken.
  void advance(std::span<const Vec3d> x, std::span<const Vec3d> d, double a, std::span<Vec3d> out) const;
  // The given share of the motion of each frame from x0 to x1. The nodes of a frame have equal shares, as of limit().
  void part_way(std::span<const Vec3d> x0, std::span<const Vec3d> x1, std::span<const double> share,
                std::span<Vec3d> out) const;
  // Gives all nodes of a frame the least of their shares.
  void limit(std::span<double> share) const;
  // Fits the shape of each frame to x by least squares; frames that fit but for rounding stay as they are.
  void retract(std::span<Vec3d> x) const;
  // The geometric stiffness of each frame, over L^2.
  std::vector<Mat3d> curvature(std::span<const Vec3d> x, std::span<const Vec3d> g) const;

 private:
  struct Chunk {
    int32_t frame;
    int64_t begin, end;  // in node_
  };
  template <class F>
  void each(const F& visit) const;
  template <int width, class F>
  std::vector<math::Vec<double, width>> sums(const F& add) const;
  std::vector<Mat3d> fitted_rotations(std::span<const Vec3d> from, std::span<const Vec3d> to) const;

  std::vector<int64_t> begin_{0};
  std::vector<int32_t> node_;
  std::vector<double> weight_;  // of each entry of node_; those of a frame sum to 1
  std::vector<Vec3d> arm_;      // from the centre, as the frames were made [m]
  std::vector<double> length_;
  std::vector<Chunk> chunks_;
};

}  // namespace sinew::model

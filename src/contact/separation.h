#pragma once
// The distance between two primitives of a surface, a point and a triangle or two edges, and its derivatives by the four corners.
// The difference of the closest points is r = sum weight[k] x[k]. The weights are those of the feature that is closest: a
// corner, an edge or the inside of the triangle. Within a feature they depend on up to two parameters, whose optimum moves with
// the corners: the second derivatives have it eliminated. The distance has continuous first derivatives where it is above zero
// and no edges are parallel.
//
//     const Separation at = point_triangle(x);          // gradient by corner k: at.normal * at.weight[k]
//     CornerBlocks H;  second_derivatives(at, H);
#include <array>

#include "contact/ccd.h"
#include "math/mat.h"

namespace sinew::contact {

using math::Mat3d;
using CornerBlocks = std::array<std::array<Mat3d, 4>, 4>;

struct Separation {
  double distance = 0;  // [m]
  double apart =
      0;  // the distance of the closest points; the two may differ where something is a collider [m]
  Vec3d normal = {0, 0, 0};        // from the triangle, or the second edge; zero where the distance is
  std::array<double, 4> weight{};  // signed
  int parameters = 0;              // of the feature
  std::array<Vec3d, 2> along{};    // derivative of r by each [m]
  std::array<std::array<double, 4>, 2> change{};  // derivative of the weights by each
  Mat3d curvature = Mat3d::zero();                // of a collider: second derivatives of the distance [1/m]
};

Separation point_triangle(const Corners& x);  // corners p, a, b, c
Separation between_edges(const Corners& x);   // corners a0, a1, b0, b1

// Block (i, j): of the distance by corners i and j [1/m].
void second_derivatives(const Separation& at, CornerBlocks& blocks);

// The square of the area that two edges span, c = |(a1 - a0) x (b1 - b0)|^2 [m^4], and its derivatives by the corners.
struct SpannedArea {
  double squared = 0;
  std::array<Vec3d, 4> first{};
};
SpannedArea spanned_area(const Corners& x);
void second_derivatives_of_area(const Corners& x, CornerBlocks& blocks);

}  // namespace sinew::contact

#include "contact/separation.h"

#include <cmath>

#include "geometry/closest.h"

namespace sinew::contact {

namespace {

// Below it, as a share of the product of two lengths squared, the parameters of a feature are no longer independent.
constexpr double no_area = 1e-12;

void add_parameter(Separation& at, const Corners& x, const std::array<double, 4>& change) {
  Vec3d along = Vec3d::zero();
  for (int k = 0; k < 4; ++k) along += x[k] * change[k];
  if (norm2(along) == 0) return;
  if (at.parameters == 1) {
    const double lengths = norm2(at.along[0]) * norm2(along);
    if (norm2(cross(at.along[0], along)) <= no_area * lengths) return;
  }
  at.along[at.parameters] = along;
  at.change[at.parameters++] = change;
}

void measure(Separation& at, const Corners& x) {
  Vec3d r = Vec3d::zero();
  for (int k = 0; k < 4; ++k) r += x[k] * at.weight[k];
  at.distance = at.apart = norm(r);
  if (at.distance > 0) at.normal = r / at.distance;
}

}  // namespace

Separation point_triangle(const Corners& x) {
  const geometry::OnTriangle on = geometry::closest_on_triangle(x[0], x[1], x[2], x[3]);
  Separation at;
  at.weight = {1, -on.weight[0], -on.weight[1], -on.weight[2]};
  measure(at, x);
  int first = 0;  // corner of the feature from which its parameters lead to the others
  while (!(on.feature & 1 << first)) ++first;
  for (int k = first + 1; k < 3; ++k)
    if (on.feature & 1 << k) {
      std::array<double, 4> change{};
      change[1 + first] = 1;
      change[1 + k] = -1;
      add_parameter(at, x, change);
    }
  return at;
}

Separation between_edges(const Corners& x) {
  const geometry::OnEdges on = geometry::closest_on_edges(x[0], x[1], x[2], x[3]);
  Separation at;
  at.weight = {1 - on.s, on.s, on.t - 1, -on.t};
  measure(at, x);
  if (on.s > 0 && on.s < 1) add_parameter(at, x, {-1, 1, 0, 0});
  if (on.t > 0 && on.t < 1) add_parameter(at, x, {0, 0, 1, -1});
  return at;
}

// Of f(x, c) = |r|^2 / 2, minimised over the parameters c: f_xx - f_xc f_cc^-1 f_cx. What they are apart is sqrt(2 f), or its opposite
// where the normal is turned.
void second_derivatives(const Separation& at, CornerBlocks& blocks) {
  const Vec3d& n = at.normal;
  const Mat3d across = Mat3d::identity() - outer(n, n);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) blocks[i][j] = across * (at.weight[i] * at.weight[j] / at.apart);
  if (at.parameters == 0) return;
  double inverse[2][2] = {};
  const double m00 = norm2(at.along[0]);
  if (at.parameters == 1) {
    inverse[0][0] = 1 / m00;
  } else {
    const double m01 = dot(at.along[0], at.along[1]), m11 = norm2(at.along[1]), det = m00 * m11 - m01 * m01;
    inverse[0][0] = m11 / det;
    inverse[0][1] = inverse[1][0] = -m01 / det;
    inverse[1][1] = m00 / det;
  }
  Vec3d mixed[2][4];
  for (int a = 0; a < at.parameters; ++a)
    for (int i = 0; i < 4; ++i) mixed[a][i] = at.along[a] * at.weight[i] + n * (at.apart * at.change[a][i]);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int a = 0; a < at.parameters; ++a)
        for (int b = 0; b < at.parameters; ++b)
          blocks[i][j] -= outer(mixed[a][i], mixed[b][j]) * (inverse[a][b] / at.apart);
}

SpannedArea spanned_area(const Corners& x) {
  const Vec3d u = x[1] - x[0], v = x[3] - x[2];
  const double uv = dot(u, v);
  const Vec3d by_u = 2.0 * (u * norm2(v) - v * uv), by_v = 2.0 * (v * norm2(u) - u * uv);
  return {norm2(cross(u, v)), {-by_u, by_u, -by_v, by_v}};
}

void second_derivatives_of_area(const Corners& x, CornerBlocks& blocks) {
  const Vec3d u = x[1] - x[0], v = x[3] - x[2];
  const Mat3d I = Mat3d::identity(), uu = (I * norm2(v) - outer(v, v)) * 2.0,
              vv = (I * norm2(u) - outer(u, u)) * 2.0,
              uv = (outer(u, v) * 2.0 - outer(v, u) - I * dot(u, v)) * 2.0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double sign = i % 2 == j % 2 ? 1 : -1;
      blocks[i][j] = (i < 2 ? (j < 2 ? uu : uv) : (j < 2 ? transpose(uv) : vv)) * sign;
    }
}

}  // namespace sinew::contact

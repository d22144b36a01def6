// Three nodes, constant strain, one quadrature point: sheets. The measure of a triangle is its area.
#include <algorithm>

#include "element/kind.h"

namespace sinew::element {

namespace {

double area(const Vec3d* X) { return 0.5 * norm(cross(X[1] - X[0], X[2] - X[0])); }

// Radius ratio 2 r_in / r_out = 16 A^2 / (a b c (a + b + c)).
double quality(const Vec3d* X) {
  const double a = norm(X[1] - X[0]), b = norm(X[2] - X[1]), c = norm(X[0] - X[2]), A = area(X);
  return A > 0 ? 16 * A * A / (a * b * c * (a + b + c)) : 0;
}

constexpr std::array<int8_t, 2> edges[] = {{0, 1}, {0, 2}, {1, 2}};
constexpr int8_t face[] = {0, 1, 2};
constexpr std::array<int8_t, 3> face_triangles[] = {{0, 1, 2}};
constexpr double third = 1.0 / 3, thirds[] = {third, third, third};

}  // namespace

const Kind& kind_triangle() {
  static const Kind kind = {
      .name = "triangle",
      .phrase = "triangles",
      .plural = "triangles",
      .noun = "triangle",
      .doc = "3 nodes, constant strain.",
      .dimension = 2,
      .nodes = 3,
      .corners = 3,
      .edges = edges,
      .face_nodes = 3,
      .faces = face,
      .face_triangles = face_triangles,
      .points = 1,
      .point_values = thirds,
      .mass_shares = thirds,
      .volume = area,
      .point_volumes = [](const Vec3d* X, double* out) { *out = area(X); },
      .min_volume = area,
      .quality = quality,
      .values = [](const double* L, double* N) { std::copy_n(L, 3, N); },
      .node_sweeps = true,
      .constraints = true,
      .lanes = true,
      .bytes = 15000,  // with the turns of its edges and a factor
  };
  return kind;
}

}  // namespace sinew::element

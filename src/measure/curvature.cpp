// The mean curvature of a sheet at its nodes: that of the quadric z = a x + b y + c x^2 + d x y + e y^2 that is nearest, by least
// squares, to the nodes that one or two edges lead to, with z along the normal of the triangles around the node (Cazals, Pouget:
// Estimating differential quantities using polynomial fitting of osculating jets, 2005). It goes by positions alone: a border,
// held or free, needs no rule of its own.
#include <algorithm>
#include <array>
#include <cmath>

#include "measure/points.h"
#include "mesh/adjacency.h"

namespace sinew::measure {

namespace {

// Nodes within two edges of one, without itself, ascending.
void find_around(const mesh::Csr& neighbours, int32_t node, std::vector<int32_t>& around) {
  const std::span<const int32_t> first = neighbours.row(node);
  around.assign(first.begin(), first.end());
  for (const int32_t next : first)
    around.insert(around.end(), neighbours.row(next).begin(), neighbours.row(next).end());
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  std::erase(around, node);
}

using Coefficients = std::array<double, 5>;

// Least squares by Cholesky's factors. What the points do not settle, where they are few, is 0.
struct NormalEquations {
  double A[5][5] = {}, r[5] = {};

  void add(const Coefficients& row, double height) {
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j <= i; ++j) A[i][j] += row[i] * row[j];
      r[i] += row[i] * height;
    }
  }
  Coefficients solve() const {
    double L[5][5] = {};
    Coefficients q = {};
    for (int i = 0; i < 5; ++i) {
      q[i] = r[i];
      for (int j = 0; j <= i; ++j) {
        double rest = A[i][j];
        for (int k = 0; k < j; ++k) rest -= L[i][k] * L[j][k];
        if (j == i)
          L[i][i] = rest > 1e-10 * A[i][i] ? std::sqrt(rest) : 0;
        else
          L[i][j] = L[j][j] > 0 ? rest / L[j][j] : 0;
      }
      for (int k = 0; k < i; ++k) q[i] -= L[i][k] * q[k];
      q[i] = L[i][i] > 0 ? q[i] / L[i][i] : 0;
    }
    for (int i = 4; i >= 0; --i) {
      for (int k = i + 1; k < 5; ++k) q[i] -= L[k][i] * q[k];
      q[i] = L[i][i] > 0 ? q[i] / L[i][i] : 0;
    }
    return q;
  }
};

// Positive where the surface bends away from the normal, as a sphere does from the one that points out of it.
double mean_curvature(std::span<const Vec3d> x, int32_t node, const Vec3d& normal,
                      std::span<const int32_t> around) {
  double reach = 0;  // coordinates over it are of order 1
  for (const int32_t i : around) reach = std::max(reach, norm(x[i] - x[node]));
  const Vec3d side = std::abs(normal[0]) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d u = normalized(cross(normal, side)), v = cross(normal, u);
  NormalEquations equations;
  for (const int32_t i : around) {
    const Vec3d d = (x[i] - x[node]) / reach;
    const double a = dot(d, u), b = dot(d, v);
    equations.add({a, b, a * a, a * b, b * b}, dot(d, normal));
  }
  const Coefficients q = equations.solve();
  const double slope2 = 1 + q[0] * q[0] + q[1] * q[1];
  const double bent = (1 + q[1] * q[1]) * q[2] - q[0] * q[1] * q[3] + (1 + q[0] * q[0]) * q[4];
  return -bent / (slope2 * std::sqrt(slope2) * reach);
}

void evaluate(const Snapshot& snapshot, int body, std::span<double> out) {
  const model::Body& of = snapshot.model().bodies[body];
  std::fill(out.begin(), out.end(), 0.0);
  if (!of.kind->is_triangle()) return;
  const auto x = snapshot.state().x().subspan(of.nodes.begin, of.visible().size());
  std::vector<model::Triangle> triangles(of.surface);
  std::vector<Vec3d> normals(x.size(), Vec3d::zero());
  for (model::Triangle& t : triangles) {
    for (int32_t& node : t) node -= of.nodes.begin;
    const Vec3d area = cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
    for (const int32_t node : t) normals[node] += area;
  }
  const mesh::Csr neighbours = mesh::node_nodes(triangles, static_cast<int64_t>(x.size()));
  std::vector<int32_t> around;
  for (size_t i = 0; i < x.size(); ++i) {
    const double area = norm(normals[i]);
    if (!(area > 0)) continue;  // collapsed, or folded flat
    find_around(neighbours, static_cast<int32_t>(i), around);
    out[i] = mean_curvature(x, static_cast<int32_t>(i), normals[i] / area, around);
  }
}

}  // namespace

const Quantity& quantity_curvature() {
  static const Quantity quantity = {
      "curvature",
      "1/m",
      "Mean curvature of a shell, positive where it bends away from its normal; "
      "1/R of a sphere, 1/(2 R) of a cylinder. 0 of a solid.",
      Target::node,
      1,
      evaluate};
  return quantity;
}

}  // namespace sinew::measure

#pragma once
// Corotated constraints one tet after another in plain Eigen, in any order: |F - R| and J - 1.
#include <span>
#include <vector>

#include "model/model.h"
#include "unit/eigen.h"

namespace sinew::sample {

class ScalarConstraints {
 public:
  using Matrix = Eigen::Matrix3d;
  using Vector = Eigen::Vector3d;

  // Of a model with one set of uniform young and poisson; mobility 1/w of every node, 0 where held.
  ScalarConstraints(const model::Model& model, std::vector<double> mobility, bool hard)
      : model_(model),
        mobility_(std::move(mobility)),
        hard_(hard),
        multiplier_(2 * model.elements.size(), 0.0) {
    const double young = model.params.material[0][0].values[0], nu = model.params.material[0][1].values[0];
    mu_ = young / 2 / (1 + nu);
    lambda_ = young * nu / (1 + nu) / (1 - 2 * nu);
  }

  void sweep(std::vector<math::Vec3d>& x, std::span<const int32_t> order) {
    for (int32_t t : order)
      for (bool volume : {false, true}) relax(x, t, volume);
  }

 private:
  static Vector vector(const math::Vec3d& v) { return {v[0], v[1], v[2]}; }
  static Matrix rotation(const Matrix& F) {
    const Eigen::JacobiSVD<Matrix> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Matrix U = svd.matrixU();
    if ((U * svd.matrixV().transpose()).determinant() < 0) U.col(2) *= -1;
    return U * svd.matrixV().transpose();
  }

  void relax(std::vector<math::Vec3d>& x, int32_t t, bool volume) {
    const model::Tet tet = model_.elements.nodes<4>(t);
    Matrix rest, now;
    for (int a = 0; a < 3; ++a) {
      rest.col(a) = vector(model_.X[tet[a + 1]]) - vector(model_.X[tet[0]]);
      now.col(a) = vector(x[tet[a + 1]]) - vector(x[tet[0]]);
    }
    const Matrix B = rest.inverse(), F = now * B;
    Matrix G = F - rotation(F);
    double C = G.norm(), compliance = 6 / (2 * mu_ * rest.determinant());
    if (volume) {
      C = F.determinant() - 1;
      G << F.col(1).cross(F.col(2)), F.col(2).cross(F.col(0)), F.col(0).cross(F.col(1));
      compliance = 6 / (lambda_ * rest.determinant());
    } else if (C > 0) {
      G /= C;
    }
    if (hard_) compliance = 0;
    Vector y[4] = {Vector::Zero(), {}, {}, {}};
    for (int a = 0; a < 3; ++a) {
      y[a + 1] = G * B.row(a).transpose();
      y[0] -= y[a + 1];
    }
    double resistance = compliance;
    for (int a = 0; a < 4; ++a) resistance += mobility_[tet[a]] * y[a].squaredNorm();
    if (resistance == 0) return;
    double& multiplier = multiplier_[2 * t + volume];
    const double change = -(C + compliance * multiplier) / resistance;
    multiplier += change;
    for (int a = 0; a < 4; ++a)
      for (int i = 0; i < 3; ++i) x[tet[a]][i] += mobility_[tet[a]] * change * y[a][i];
  }

  const model::Model& model_;
  std::vector<double> mobility_;
  bool hard_;
  double mu_, lambda_;
  std::vector<double> multiplier_;
};

}  // namespace sinew::sample

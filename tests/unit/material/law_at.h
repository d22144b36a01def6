#pragma once
// A law at one point, through its table of kernels, in the types of Eigen.
//
//     const LawAt at(*find_law("stvk"), 2.0, 0.3);  at.psi(F);  at.P(F);  at.C(F, exact);
#include <string>
#include <type_traits>
#include <vector>

#include "material/isotropic.h"
#include "material/law.h"
#include "math/pack.h"
#include "math/random.h"
#include "unit/eigen.h"
#include "unit/law_fields.h"

namespace sinew::material {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Matrix9d = Eigen::Matrix<double, 9, 9>;

template <class Pack>
class LawIn {
 public:
  using T = math::ScalarOf<Pack>;
  static constexpr int lanes = math::lanes_of<Pack>;

  LawIn(const Law& law, double young = 2.5, double poisson = 0.3) : law_(law) {
    std::vector<double> p(law.param_count);
    law.convert(field_values(law, young, poisson).data(), p.data());
    for (double value : p) params_.push_back(Pack(value));
  }

  double psi(const Matrix3d& F, PointOptions options = {}) const {
    Pack value;
    kernels().evaluate(1, params_.data(), 0, packed(F).data(), options, &value, nullptr);
    return value[lanes - 1];
  }
  Matrix3d P(const Matrix3d& F, PointOptions options = {}) const {
    Pack value[9];
    kernels().evaluate(1, params_.data(), 0, packed(F).data(), options, nullptr, value);
    Matrix3d m;
    for (int k = 0; k < 9; ++k) m(k % 3, k / 3) = value[k][lanes - 1];
    return m;
  }
  Matrix9d C(const Matrix3d& F, PointOptions options) const {
    Pack value[upper_count];
    kernels().linearise(1, params_.data(), 0, packed(F).data(), options, value);
    Matrix9d m;
    for (int i = 0; i < 9; ++i)
      for (int j = i; j < 9; ++j) m(i, j) = m(j, i) = value[upper(i, j)][lanes - 1];
    return m;
  }

  const std::vector<Pack>& params() const { return params_; }

 private:
  static std::vector<Pack> packed(const Matrix3d& F) {
    std::vector<Pack> packs;
    for (int k = 0; k < 9; ++k) packs.push_back(Pack(F(k % 3, k / 3)));
    return packs;
  }
  const PointKernels<Pack>& kernels() const {
    if constexpr (sizeof(T) == 8)
      return law_.d;
    else
      return law_.f;
  }
  const Law& law_;
  std::vector<Pack> params_;
};

using LawAt = LawIn<math::PackD>;
using LawAtSingle = LawIn<math::PackF>;

inline Matrix3d random_rotation(const math::Random& random, uint64_t i) {
  const math::Random r = random.stream(i);
  return Eigen::Quaterniond(r.normal(0), r.normal(1), r.normal(2), r.normal(3))
      .normalized()
      .toRotationMatrix();
}

inline Matrix3d with_stretches(const math::Random& random, uint64_t i, const Vector3d& sigma) {
  return random_rotation(random.stream(1), i) * sigma.asDiagonal() *
         random_rotation(random.stream(2), i).transpose();
}

// `count` matrices with low < det F < high and stretches of size 1.
inline std::vector<Matrix3d> random_gradients(uint64_t seed, int count, double low = 0.2, double high = 3) {
  const math::Random random(seed);
  std::vector<Matrix3d> list;
  for (uint64_t i = 0; static_cast<int>(list.size()) < count; ++i) {
    Matrix3d F = Matrix3d::Identity();
    for (int k = 0; k < 9; ++k) F(k % 3, k / 3) += 0.5 * random.normal(9 * i + k);
    const double J = F.determinant();
    if (J > low && J < high) list.push_back(F);
  }
  return list;
}

// f'(0) by central differences of fourth order.
template <class F>
std::invoke_result_t<F, double> slope(const F& f, double h) {
  return ((f(-2 * h) - f(2 * h)) + 8.0 * (f(h) - f(-h))) / (12 * h);
}

inline Matrix3d unit_entry(int k) {
  Matrix3d E = Matrix3d::Zero();
  E(k % 3, k / 3) = 1;
  return E;
}

template <class Psi>
Matrix3d stress_by_differences(const Psi& psi, const Matrix3d& F, double h = 2e-4) {
  Matrix3d P;
  for (int k = 0; k < 9; ++k)
    P(k % 3, k / 3) = slope([&](double t) { return psi(Matrix3d(F + t * unit_entry(k))); }, h);
  return P;
}

inline Matrix9d hessian_by_differences(const LawAt& at, const Matrix3d& F, double h = 2e-4) {
  Matrix9d C;
  for (int k = 0; k < 9; ++k) {
    const Matrix3d dP = slope([&](double t) { return at.P(F + t * unit_entry(k)); }, h);
    C.col(k) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(dP.data());
  }
  return C;
}

}  // namespace sinew::material

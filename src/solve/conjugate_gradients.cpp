#include "solve/conjugate_gradients.h"

#include "base/parallel.h"

namespace sinew::solve {

namespace {

constexpr int64_t vector_block = 2048;

template <class F>
double sum_over(size_t n, F&& f) {
  return sum_blocks(static_cast<int64_t>(n), vector_block, [&](int64_t begin, int64_t end) {
    double s = 0;
    for (int64_t i = begin; i < end; ++i) s += f(i);
    return s;
  });
}

}  // namespace

Mat3f safe_inverse(const Mat3d& m) {
  const double a = m(0, 0), b = a * m(1, 1) - m(0, 1) * m(1, 0);
  const Mat3d inverse = a > 0 && b > 0 && det(m) > 0 ? math::inverse(m) : Mat3d::identity();
  Mat3f result;
  for (int k = 0; k < 9; ++k) result.c[k / 3].v[k % 3] = static_cast<float>(inverse.c[k / 3].v[k % 3]);
  return result;
}

// update(alpha) takes r -= alpha t and returns r.z, z = M^-1 r; direction(i) is z at i.
template <class Update, class Direction>
LinearReport ConjugateGradients::iterate(const Product& product, const Update& update,
                                         const Direction& direction, std::span<const Vec3d> b,
                                         std::span<Vec3d> x, double tolerance, int max_iterations) {
  const size_t n = b.size();
  for (auto* v : {&r_, &p_, &t_, &z_}) v->resize(n);
  sum_over(n, [&](int64_t i) {
    x[i] = t_[i] = {0, 0, 0};
    r_[i] = b[i];
    return 0.0;
  });
  LinearReport report;
  double rz = update(0.0);
  report.negative_curvature = rz < 0;
  for (size_t i = 0; i < n; ++i) p_[i] = direction(i);
  const double stop = tolerance * tolerance * rz;
  while (rz > stop && rz > 0 && report.iterations < max_iterations) {
    const double curvature = product(p_, t_);
    if (!(curvature > 0)) {
      report.negative_curvature = true;
      return report;
    }
    ++report.iterations;
    const double alpha = rz / curvature;
    const double next = update(alpha);
    if (next < 0) {  // the preconditioner is not definite
      report.negative_curvature = true;
      return report;
    }
    const double beta = next / rz;
    rz = next;
    for_each_block(static_cast<int64_t>(n), vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        x[i] += p_[i] * alpha;
        p_[i] = direction(i) + p_[i] * beta;
      }
    });
  }
  report.converged = rz >= 0 && rz <= stop;
  return report;
}

LinearReport ConjugateGradients::solve(const Product& product, const Precondition& precondition,
                                       std::span<const Vec3d> b, std::span<Vec3d> x, double tolerance,
                                       int max_iterations) {
  const auto update = [&](double alpha) {
    for_each_block(static_cast<int64_t>(b.size()), vector_block, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) r_[i] -= t_[i] * alpha;
    });
    precondition(r_, z_);
    return sum_over(b.size(), [&](int64_t i) { return dot(r_[i], z_[i]); });
  };
  const auto direction = [&](int64_t i) { return z_[i]; };
  return iterate(product, update, direction, b, x, tolerance, max_iterations);
}

LinearReport ConjugateGradients::solve(const Product& product, std::span<const Mat3f> inverse_diagonal,
                                       std::span<const Vec3d> b, std::span<Vec3d> x, double tolerance,
                                       int max_iterations) {
  const auto direction = [&](int64_t i) {
    const Mat3f& M = inverse_diagonal[i];
    const Vec3d& r = r_[i];
    Vec3d z;
    for (int k = 0; k < 3; ++k) z[k] = M(k, 0) * r[0] + M(k, 1) * r[1] + M(k, 2) * r[2];
    return z;
  };
  const auto update = [&](double alpha) {
    return sum_over(b.size(), [&](int64_t i) {
      r_[i] -= t_[i] * alpha;
      return dot(r_[i], direction(i));
    });
  };
  return iterate(product, update, direction, b, x, tolerance, max_iterations);
}

}  // namespace sinew::solve

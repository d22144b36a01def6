#pragma once
// Preconditioned conjugate gradients over 3-vectors, for any product and any preconditioner. From a zero start; stops
// when |r| in the norm of the preconditioner has fallen by `tolerance`, or on p.Ap <= 0.
#include <functional>
#include <span>
#include <vector>

#include "math/mat.h"

namespace sinew::solve {

using math::Mat3d;
using math::Vec3d;
using Mat3f = math::Mat<float, 3, 3>;  // a preconditioner needs no more digits

struct LinearReport {
  bool converged = false;
  bool negative_curvature = false;  // the matrix is not positive definite; x is the iterate before
  int iterations = 0;
};

// out = A p, returning p.out.
using Product = std::function<double(std::span<const Vec3d> p, std::span<Vec3d> out)>;
// z = M^-1 r
using Precondition = std::function<void(std::span<const Vec3d> r, std::span<Vec3d> z)>;

class ConjugateGradients {
 public:
  LinearReport solve(const Product& product, const Precondition& precondition, std::span<const Vec3d> b,
                     std::span<Vec3d> x, double tolerance, int max_iterations);
  // The same with inverse diagonal blocks: fewer passes over the vectors, and M^-1 r is never stored.
  LinearReport solve(const Product& product, std::span<const Mat3f> inverse_diagonal,
                     std::span<const Vec3d> b, std::span<Vec3d> x, double tolerance, int max_iterations);
  int64_t bytes() const { return static_cast<int64_t>(4 * r_.size() * sizeof(Vec3d)); }

 private:
  template <class Update, class Direction>
  LinearReport iterate(const Product& product, const Update& update, const Direction& direction,
                       std::span<const Vec3d> b, std::span<Vec3d> x, double tolerance, int max_iterations);
  std::vector<Vec3d> r_, p_, t_, z_;
};

// The inverse of a symmetric block; a block that is not definite gets the identity.
Mat3f safe_inverse(const Mat3d& block);

}  // namespace sinew::solve

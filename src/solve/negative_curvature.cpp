#include "solve/negative_curvature.h"

#include "math/random.h"
#include "solve/vectors.h"

namespace sinew::solve {

namespace {

constexpr int max_iterations = 60;
constexpr double tolerance = 1e-3, precondition_tolerance = 1e-2;
constexpr int max_precondition_iterations = 300;

std::vector<Vec3d> noise(int64_t count) {
  const math::Random random(1);
  std::vector<Vec3d> values(count);
  for (int64_t i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c) values[i][c] = random.uniform(3 * i + c, -1, 1);
  return values;
}

}  // namespace

bool find_negative_curvature(const System& system, LinearSolver& projected, std::span<const Vec3d> x,
                             std::span<Vec3d> d) {
  const model::DofMap& dofs = system.dofs();
  std::vector<Vec3d> Hd(x.size()), q(dofs.unknown_count());
  ConjugateGradients gradients;
  // The direction at which the iteration stops is the last one that a product was asked for.
  const Product product = [&](std::span<const Vec3d> p, std::span<Vec3d> out) {
    dofs.push(x, p, d);
    system.product(x, Hessian::exact, d, Hd);
    dofs.pull(x, Hd, out);
    return dot_of(p, out);
  };
  const Precondition precondition = [&](std::span<const Vec3d> r, std::span<Vec3d> z) {
    projected.solve(r, z, precondition_tolerance, max_precondition_iterations);
  };
  return gradients.solve(product, precondition, noise(dofs.unknown_count()), q, tolerance, max_iterations)
      .negative_curvature;
}

}  // namespace sinew::solve

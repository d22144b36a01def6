#pragma once
// Newton's method as it stands in textbooks and comparisons: a fixed number of iterations, each a linear system that is
// solved by a fixed number of iterations, and whole steps unless a line search is asked for. No fallbacks: where a step
// leads astray, the method fails. solve/newton.h is the robust one.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solve/iterate.h"
#include "solve/linear_solver.h"

namespace sinew::solve {

struct PlainNewtonOptions {
  int max_iterations = 11;
  Hessian hessian = Hessian::modified;
  std::string linear = "cg";  // or plain_cg, gauss_seidel, bicgstab, direct
  int linear_iterations = 10;
  double relaxation = 1.3;  // of Gauss-Seidel
  bool line_search = false;
};

class PlainNewton final : public Solver {
 public:
  PlainNewton(System& system, const PlainNewtonOptions& options);

  SolveReport solve(std::span<Vec3d> x, double tolerance, const Control& control) override;
  std::string_view linear_solver() const override { return linear_->name(); }

 private:
  double direction(SolveReport& report);
  bool step(SolveReport& report);

  System& system_;
  PlainNewtonOptions options_;
  std::unique_ptr<LinearSolver> linear_;
  std::shared_ptr<const energy::BlockPattern> pattern_;  // that it was made for
  int64_t carried_version_ = 0;
  Iterate point_;
  std::vector<Vec3d> d_, rhs_, q_;
};

}  // namespace sinew::solve

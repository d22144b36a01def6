#pragma once
// K q = b for many right-hand sides b at one point, symmetric positive definite K: conjugate gradients in double precision with
// one multigrid hierarchy for all.
//
// A few columns are solved one after the other. More of them go in groups, in lanes (solve/lanes.h): each column has
// its own step lengths and stays as it is once it has converged, the matrices are read once for the group. Vectors of a group are
// single precision, products of directions with K are summed in double precision from a matrix in double precision; where a
// residual has fallen by three digits it is computed anew, in double precision, from what the solution has gained since
// (Sleijpen, van der Vorst: Reliable updated residuals in hybrid Bi-CG methods, 1996). So the digits are those of double
// precision at the traffic of single precision.
//
//     ColumnSolver solver;
//     solver.prepare(system, x, Hessian::exact);
//     solver.solve(columns, 1e-13, 500);          // columns[k].report says how it went
//
// The same bits for any number of threads; those of a column may depend on how many are solved at once.
#include <span>
#include <vector>

#include "solve/conjugate_gradients.h"
#include "solve/multigrid.h"

namespace sinew::solve {

class ColumnSolver {
 public:
  struct Column {
    std::span<const Vec3d> b;
    std::span<Vec3d> q;
    LinearReport report = {};
  };

  // Assembles the matrices at x. Without carried nodes (model::DofMap::carries).
  void prepare(const System& system, std::span<const Vec3d> x, Hessian hessian);
  // From zero starts, until |b - K q| in the norm of the preconditioner has fallen by `tolerance` or is rounding alone; the latter
  // counts as not converged.
  void solve(std::span<Column> columns, double tolerance, int max_iterations);
  int levels() const { return multigrid_.levels(); }
  int64_t bytes() const;

 private:
  struct Group;
  void solve_one(Column& column, double tolerance, int max_iterations);
  void solve_group(std::span<Column> columns, double tolerance, int max_iterations);

  energy::BlockMatrix matrix_;  // single precision, for the hierarchy
  SymmetricProduct product_;
  SymmetricProductOf<double> exact_;
  Multigrid multigrid_;
  ConjugateGradients cg_;
  std::shared_ptr<Group> group_;  // work space of lanes
};

}  // namespace sinew::solve

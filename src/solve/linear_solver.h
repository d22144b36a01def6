#pragma once
// How a Newton step is solved. The choice is made by size, never by a clock, and named in the report.
//
//     pcg            assembled 3x3 blocks in single precision, conjugate gradients with block Jacobi
//     pcg_multigrid  the same with a multigrid cycle (solve/multigrid.h)
//     pcg_cholesky   the same with incomplete Cholesky
//     matrix_free    no matrix: products element by element, block Jacobi
//     cholmod, mumps sparse direct, where built in
//
// A solver is made for the pattern and the carried nodes of a System: where one of them changes, another solver is due.
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "solve/conjugate_gradients.h"
#include "solve/system.h"

namespace sinew::solve {

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  virtual std::string_view name() const = 0;
  // Linearises at x. False: the matrix is not positive definite.
  virtual bool prepare(const System& system, std::span<const Vec3d> x, Hessian hessian) = 0;
  // Direct solvers ignore the tolerance.
  virtual LinearReport solve(std::span<const Vec3d> b, std::span<Vec3d> q, double tolerance,
                             int max_iterations) = 0;
  virtual bool direct() const { return false; }
  // True if the linearisation stays as it is when x changes, so that it may serve again.
  virtual bool lasting() const { return true; }
  // False: the preconditioner lacks some of what makes the matrix stiff.
  virtual bool promising() const { return true; }
  // What an iteration costs, over one with block Jacobi.
  virtual double iteration_work() const { return 1; }
  virtual int64_t bytes() const = 0;
};

// "auto" and every name above that this build has.
std::span<const std::string_view> linear_solver_names();
std::unique_ptr<LinearSolver> make_linear_solver(std::string_view name, const System& system);
// More than half of the nodes are those of sheets.
bool mostly_sheets(const System& system);
// For a system on which conjugate gradients fail; null where none is built in or it would not fit memory.
std::unique_ptr<LinearSolver> make_direct_solver(const System& system);
// Direct solvers of several threads take turns: a BLAS without threads of its own may share memory between its callers, as
// OpenBLAS does, and MUMPS and METIS have global state.
std::mutex& direct_turn();

#ifdef SINEW_HAS_CHOLMOD
std::unique_ptr<LinearSolver> make_cholmod_solver();
#endif
#ifdef SINEW_HAS_MUMPS
std::unique_ptr<LinearSolver> make_mumps_solver();
#endif

}  // namespace sinew::solve

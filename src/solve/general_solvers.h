#pragma once
// Linear solvers for comparisons. All assemble in double precision; all but cg are for Newton steps on a Hessian that need
// not be definite.
//
//     gauss_seidel   sweeps over the block rows, q_i += omega A_ii^-1 (b - A q)_i, colour by colour: rows of one
//                    colour share no block, so that threads may take them at the same time
//     bicgstab       stabilised bi-conjugate gradients with block Jacobi (van der Vorst: Bi-CGSTAB: A Fast and Smoothly
//                    Converging Variant of Bi-CG for the Solution of Nonsymmetric Linear Systems, 1992)
//     cg             conjugate gradients without a preconditioner; stops where p.Ap <= 0
//     lu             sparse LU with pivoting (Eigen)
//
// prepare() is false where a factorisation fails, never for lack of definiteness. A tolerance of 0 makes the number of
// iterations a fixed one.
#include <memory>

#include "solve/linear_solver.h"

namespace sinew::solve {

std::unique_ptr<LinearSolver> make_gauss_seidel(double relaxation);
std::unique_ptr<LinearSolver> make_bicgstab();
std::unique_ptr<LinearSolver> make_plain_cg();
std::unique_ptr<LinearSolver> make_lu();

}  // namespace sinew::solve

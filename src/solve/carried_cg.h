#pragma once
// Conjugate gradients for a System that carries nodes, under the names of solve/linear_solver.h. Products are
// pull(K push(q)) with the node matrix, or element by element; the preconditioner is an incomplete Cholesky factorisation of
// the reduced matrix, or of its diagonal alone, where it is complete: 3x3 blocks of nodes and 6x6 blocks of frames.
#include <memory>
#include <string_view>

#include "solve/linear_solver.h"

namespace sinew::solve {

// pcg, pcg_cholesky or matrix_free.
std::unique_ptr<LinearSolver> make_carried_cg(std::string_view name);

}  // namespace sinew::solve

#pragma once
// Position-based nonlinear Gauss-Seidel: a budget of sweeps (solve/node_sweeps.h), fewer where the tolerance is met.
// Over-relaxation between sweeps, with y the result of a plain sweep from x_l:
//     sor        x_(l+1) = w (y - x_(l-1)) + x_(l-1)
//     chebyshev  x_(l+1) = w_(l+1) (c (y - x_l) + x_l - x_(l-1)) + x_(l-1),   w_1 = w_2 = 1, then 2/(2 - r^2), and
//                4/(4 - r^2 w_l)   (Wang: A Chebyshev semi-iterative approach for accelerating projective and
//                position-based dynamics, 2015)
//     in_sweep   every node moves by w times its step
// in_sweep keeps the energy falling (solve/node_sweeps.h), the others do not. Chebyshev is the faster one where steps are
// short, as in corotated bodies and with the modified Hessian; where a block is the energy's own, in_sweep is, and Chebyshev
// may diverge. `automatic` takes that one. Every 48 sweeps energy and residual are looked at; where both rose, or the forces
// met in a sweep grew tenfold, the sweeps go back to the last look and go on with in_sweep,
// for half as many again as were lost.
//
// Where sweeps crawl, as they do for waves that are many elements long and for stiff ties, `levels` lets steps of the whole
// body (solve/coarse_correction.h) alternate with a few plain sweeps. `automatic` does so at once where links are far stiffer than
// their bodies, else from the first look on at which sweeps have taken off less than such steps would have for their counted work;
// what they cost counts against the budget.
#include <memory>

#include "solve/solver.h"

namespace sinew::solve {

enum class Acceleration { automatic, none, in_sweep, sor, chebyshev };

enum class Levels { automatic, single, multi };

struct PbngOptions {
  int iterations = 40;  // sweeps, and the work of other steps in sweeps
  Levels levels = Levels::automatic;
  Acceleration acceleration = Acceleration::automatic;
  double relaxation = 1.7;            // w, c
  double spectral_radius = 0.95;      // r
  bool modified = false;              // the paper's blocks for every law
  bool single = false;                // sweeps in single precision
  std::vector<int32_t> colours = {};  // order of the nodes; empty: greedy colours
};

// w_(l+1) of the Chebyshev iteration from w_l.
double next_chebyshev_weight(int l, double radius, double weight);

std::unique_ptr<Solver> make_pbng(System& system, const PbngOptions& options);

}  // namespace sinew::solve

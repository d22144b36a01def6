#pragma once
// When forces count as balanced. Relative residual of a body: the 2-norm of the force over its free unknowns, over
// |f_internal| + |f_external|, held nodes included. It is taken body by body, so that a stiff body does not hide a soft one;
// the worst counts. A residual below 1e-12 E h^2, or below what the rounding of positions makes of the stiffness,
// 4 eps |(M h + w + k) x|, M the modulus at rest, w the weight of inertia and k the stiffness of what is tied to a node, is
// zero.
//
//     double r = relative_residual({unbalanced2, rounding2, scale}, floors.body[b]);
#include <vector>

#include "model/model.h"

namespace sinew::solve {

struct Floors {
  struct Body {
    double force;      // 1e-12 E h^2 [N]
    double stiffness;  // of a node, M h [N/m]
  };
  std::vector<Body> body;
  double energy = 0;  // [J]
};

Floors make_floors(const model::Model& model, const model::Params& params);
// The stiffness of the links at each node [N/m]; empty if there are none.
std::vector<double> link_stiffness(const model::Model& model, const model::Params& params);

struct BodyForces {
  double unbalanced2;  // sum of squares over the free unknowns [N^2]
  double rounding2;    // sum of ((M h + w + k) |x|)^2 [N^2]
  double scale;        // |f_internal| + |f_external| [N]
};
double relative_residual(const BodyForces& forces, const Floors::Body& floor);
// Rounding error of a difference of energies [J].
double energy_noise(double energy, const Floors& floors);

}  // namespace sinew::solve

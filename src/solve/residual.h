#pragma once
// When forces count as balanced. Relative residual of a body: the 2-norm of the force over its free unknowns, over
// |f_internal| + |f_external|, held nodes included. It is taken body by body, so that a stiff body does not hide a soft one;
// the worst counts. A residual below 1e-12 E h^2, or below what the rounding of positions makes of the stiffness,
// 4 eps |(M h + w + k) x|, M the modulus at rest, w the weight of inertia and k the stiffness of what is tied to a node, is
// zero: no step could lower it. Whether that is small enough is another question, which `rounding_share` answers: what the
// rounding is to the forces. Where it is above the tolerance the positions are too coarse for the mesh, and a solve that ended
// there has not converged.
//
// Slivers of sheets that bend as shells are stiffer than all else by many orders of magnitude: of the force on a node only what is beyond
// eps k |x| counts, k the stiffness that bending has there at rest. It would hide other forces in the sum over the body.
//
//     double r = relative_residual(forces, floors.body[b]), hidden = rounding_share(forces, floors.body[b]);
#include <vector>

#include "model/model.h"

namespace sinew::solve {

struct Floors {
  struct Body {
    double force;      // 1e-12 E h^2 [N]
    double stiffness;  // of a node, M h [N/m]
    double edge;       // h [m]
  };
  std::vector<Body> body;
  double energy = 0;  // [J]
};

Floors make_floors(const model::Model& model, const model::Params& params);
// The stiffness of the links at each node [N/m]; empty if there are none.
std::vector<double> link_stiffness(const model::Model& model, const model::Params& params);
// The stiffness that bending as a shell has at each node at rest, about [N/m]; empty if no body bends so.
std::vector<double> bending_stiffness(const model::Model& model, const model::Params& params);
// What is left of the square of a force on a node at x beyond the rounding of x.
double beyond_rounding(double force2, double stiffness, const math::Vec3d& x);

struct BodyForces {
  double unbalanced2;  // sum of squares over the free unknowns [N^2]
  double stiffness2;   // sum of (M h + w + k)^2 [N^2/m^2]
  double rounding2;    // sum of ((M h + w + k) |x|)^2 [N^2]
  double scale;        // |f_internal| + |f_external| [N]
};
double relative_residual(const BodyForces& forces, const Floors::Body& floor);
// Of the forces, what rounding of the positions hides; 0 where it is no more than 1e-10 of an edge, which is a strain that a
// body without load may have.
double rounding_share(const BodyForces& forces, const Floors::Body& floor);
// Rounding error of a difference of energies [J].
double energy_noise(double energy, const Floors& floors);

}  // namespace sinew::solve

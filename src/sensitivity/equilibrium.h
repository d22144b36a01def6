#pragma once
// The derivative of an equilibrium by the implicit function theorem. The force g(x; u, p) over the free unknowns is 0 for
// all inputs u and parameters p, held nodes are at x_b(u); with the stiffness K = dg/dx
//     forward:  dx = dx_b - K_ff^-1 (K dx_b + dg/du du + dg/dp dp)_f
//     adjoint:  l = K_ff^-T (dL/dx)_f,   dL = (dL/dx - K^T l) . dx_b - l . (dg/du du + dg/dp dp)
// One factorisation at the equilibrium, then one solve for each change, or for the gradient of one L in everything. Systems that
// are too large to factor keep a multigrid hierarchy instead; many solves at once then cost a few times one.
//
//     auto derivative = EquilibriumDerivative::at(model, inputs, state);
//     auto dx = derivative->forward({.inputs = du});           // of every node
//     auto gradient = derivative->adjoint(dL_dx);              // gradient->inputs[j], gradient->params.material[set][value]
//     auto gradients = derivative->adjoint(of_many);           // of many L at once
//
// Contacts keep their pairs, normals, loads of friction and stiffness; warnings() says where that, or anything else, makes
// the result less than the derivative.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/model.h"

namespace sinew::sensitivity {

using math::Vec3d;

struct Change {
  std::vector<double> inputs = {};  // of the whole vector; empty: none
  // Lists and their entries may be empty: no change. A field takes one number for all elements, or one for each.
  model::Params params = {};
};

struct Gradient {
  std::vector<double> inputs;
  model::Params params;  // of each element of a set, each tet of a body, each link
};

class EquilibriumDerivative {
 public:
  // Systems of more free nodes are not factored: at this size the factors of a block take half a gigabyte and three seconds.
  static constexpr int32_t max_factored = 30000;

  // At a state and the whole input vector that it is in equilibrium with. The model must outlive the result.
  static Result<EquilibriumDerivative> at(const model::Model& model, std::span<const double> inputs,
                                          const model::State& state, int32_t most_factored = max_factored);
  EquilibriumDerivative(EquilibriumDerivative&&) noexcept;
  EquilibriumDerivative& operator=(EquilibriumDerivative&&) noexcept;
  ~EquilibriumDerivative();

  // Safe to be called from several threads, one after the other.
  Result<std::vector<Vec3d>> forward(const Change& change) const;
  Result<Gradient> adjoint(std::span<const Vec3d> dL_dx) const;
  // The same for many changes, or many L, at once.
  Result<std::vector<std::vector<Vec3d>>> forward(std::span<const Change> changes) const;
  Result<std::vector<Gradient>> adjoint(std::span<const std::vector<Vec3d>> dL_dx) const;

  std::span<const std::string> warnings() const;
  double relative_residual() const;        // of the state
  std::string_view linear_solver() const;  // that K was factored by

 private:
  struct Parts;
  explicit EquilibriumDerivative(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// A gradient of each element as one for the parameters of a model: fields with one number for all get the sum.
model::Params gathered(const model::Params& each, const model::Params& like);

}  // namespace sinew::sensitivity

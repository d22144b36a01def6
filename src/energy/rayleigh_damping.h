#pragma once
// Stiffness-proportional Rayleigh damping of an implicit time step: beta/(2 h) (x - x_n) K_n (x - x_n), body by body, with
// K_n the projected stiffness of the body's elements at x_n, where the step starts from (extrapolated for BDF2). Its gradient
// is the force beta K_n v. It is not objective: a fast rotation is braked. (Mass-proportional damping is in the weights of
// energy::Inertia.)
//
//     RayleighDamping damping(model, terms);
//     damping.set(view_at_x_n, 1 / h);   energy += damping.evaluate(x, gradient);
#include "energy/term.h"

namespace sinew::energy {

class RayleighDamping {
 public:
  // The terms must outlive it.
  RayleighDamping(const model::Model& model, const Terms& terms);

  // About view.x, which it copies, at the rate 1/h [1/s]; 0: none.
  void set(const View& view, double rate);
  bool active() const { return rate_ > 0 && !parts_.empty(); }
  std::span<const Vec3d> origin() const { return origin_; }  // x_n

  // The energy [J] at x. Adds its gradient at every node.
  double evaluate(std::span<const Vec3d> x, std::span<Vec3d> gradient) const;
  // Adds the second derivatives: over the free unknowns, to a product, to the diagonal block of each node.
  void assemble(BlockMatrix& matrix) const;
  void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const;
  void diagonal(std::span<Mat3d> blocks) const;

 private:
  struct Part {
    const Term* term;
    double beta;  // [s]
    std::unique_ptr<Linearisation> stiffness;
  };
  // visit(part, factor) for the terms of damped bodies, factor = beta/h.
  template <class F>
  void for_each(F&& visit) const {
    if (rate_ > 0)
      for (const Part& part : parts_) visit(part, rate_ * part.beta);
  }

  std::vector<Part> parts_;
  double rate_ = 0;
  View view_;
  std::vector<Vec3d> origin_;
  mutable std::vector<Vec3d> moved_, force_;  // one caller at a time
};

}  // namespace sinew::energy

#pragma once
// System: what a solver minimises. Terms at given parameters and inputs, inertia beside them, damping, and the
// map of free unknowns.
//
//     Phi(x) = E(x) + sum_i w_i/2 |x_i - y_i|^2 + beta/(2 dt) (x - x_n) K_n (x - x_n)
//
// The quadratic node weights w_i hold inertia and mass damping; K_n is the projected
// stiffness at x_n, where a step starts from (extrapolated for BDF2). It is not objective: a fast rotation is braked.
// Residual: the 2-norm of the gradient over free unknowns [N], without what presses a node against a plane; relative:
// solve/residual.h, with k the stiffness of the node's links and contacts.
#include <memory>
#include <span>
#include <vector>

#include "energy/term.h"
#include "model/dof_map.h"
#include "solve/residual.h"

namespace sinew::solve {

using energy::Hessian;
using math::Mat3d;
using math::Vec3d;

struct Evaluation {
  double energy = 0;        // [J]
  double energy_noise = 0;  // rounding error of a difference of energies [J]
  bool energy_valid = true;
  double residual = 0;  // over all bodies [N]
  double relative = 0;  // of the worst body; a residual that is rounding alone counts as 0
  int64_t inverted = 0;
  double min_det_F = 0;
};

class System {
 public:
  explicit System(const model::Model& model);

  const model::Model& model() const { return model_; }
  const model::DofMap& dofs() const { return dofs_; }
  // Of all terms and the contacts of now. Made when it is first asked for.
  const std::shared_ptr<const energy::BlockPattern>& pattern() const;
  const model::Params& params() const { return params_; }
  const energy::Terms& terms() const { return terms_; }
  energy::View view(std::span<const Vec3d> x) const { return {x, inputs_, inversion_, clamp_threshold_}; }

  void set_params(const model::Params& params);
  int64_t params_version() const { return version_; }  // changes with them
  void set_inputs(std::span<const double> inputs);
  std::span<const double> inputs() const { return inputs_; }
  // What touches, as linear pairs, until the next call.
  void set_contacts(const contact::ContactSet& contacts);
  std::span<const contact::Pair> contacts() const { return contacts_; }
  // Half-spaces n.x >= offset that nodes are kept in by moving them, not by forces: of colliders that ask for it.
  struct Plane {
    int32_t node;
    Vec3d normal;
    double offset;  // [m]
    bool clamp;     // model::Collider::Response::clamp
  };
  std::span<const Plane> planes() const { return planes_; }
  // Moves free nodes that are behind a plane onto it.
  void leave_planes(std::span<Vec3d> x) const;
  bool outside_planes(std::span<const Vec3d> x) const;  // no free node is behind one, but for rounding
  int64_t contacts_version() const { return contacts_version_; }
  material::Inversion inversion() const { return inversion_; }
  void set_inversion(material::Inversion inversion, double clamp_threshold);

  // Node weights w [kg/s^2] and their targets y [m]; empty spans: none.
  void set_inertia(std::span<const double> weight, std::span<const Vec3d> target);
  std::span<const double> inertia_weight() const { return weight_; }
  std::span<const Vec3d> inertia_target() const { return target_; }
  // Stiffness damping about x_n, at rate 1/dt [1/s]; 0: none. The bodies' own factors are used.
  void set_damping(std::span<const Vec3d> x_n, double rate);
  bool damped() const { return damping_rate_ > 0; }
  std::span<const Vec3d> damping_origin() const { return damping_x_; }  // x_n
  // beta/dt K_n over the free unknowns, added, and what it makes of x - x_n at every node, added.
  void assemble_damping(energy::BlockMatrix& matrix) const;
  void add_damping(std::span<const Vec3d> x, std::span<Vec3d> gradient) const { damp(x, gradient); }

  // Gradient at every node (held ones included); x must satisfy nothing in particular.
  Evaluation evaluate(std::span<const Vec3d> x, std::span<Vec3d> gradient) const;
  // Second derivatives over the free unknowns; held directions get a unit diagonal of the matrix's own scale.
  void assemble(std::span<const Vec3d> x, Hessian hessian, energy::BlockMatrix& matrix) const;
  // out = H d at every node.
  void product(std::span<const Vec3d> x, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const;
  // Matrix-free form: linearise once, then apply as often as needed. x must stay as it is meanwhile.
  void linearise(std::span<const Vec3d> x, Hessian hessian) const;
  void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const;
  void diagonal(std::span<Mat3d> blocks) const;

  int64_t bytes() const;          // of the pattern
  int64_t scratch_bytes() const;  // of the matrix-free form

 private:
  void set_floors();
  void set_link_stiffness();
  double reactions2(std::span<const Vec3d> x, std::span<const Vec3d> gradient,
                    const model::Range& nodes) const;
  void add_quadratic(std::span<const Vec3d> d, std::span<Vec3d> out) const;
  double damping_factor(const energy::Term& term) const;
  double damp(std::span<const Vec3d> x, std::span<Vec3d> gradient) const;

  const model::Model& model_;
  model::Params params_;
  int64_t version_ = 0;
  energy::Terms terms_;
  model::DofMap dofs_;
  mutable std::shared_ptr<const energy::BlockPattern> pattern_;
  mutable int64_t pattern_for_ = -1;              // version of the contacts
  mutable std::vector<int32_t> pattern_changes_;  // stencils of the terms that change, when it was made
  std::vector<contact::Pair> contacts_;
  std::vector<Plane> planes_;
  int64_t contacts_version_ = 0;
  std::vector<double> inputs_;
  material::Inversion inversion_ = material::Inversion::extend;
  double clamp_threshold_ = 0.25;
  Floors floors_;
  std::vector<double> link_stiffness_;  // of each node, contacts too [N/m]; empty: none
  std::vector<double> weight_;
  std::vector<Vec3d> target_;
  std::vector<Vec3d> damping_x_;
  double damping_rate_ = 0;
  std::vector<energy::Scratch> damping_scratch_;
  mutable std::vector<energy::Scratch> scratch_;
  // Scratch of const calls: one System serves one thread of callers.
  mutable std::vector<Vec3d> external_, work_, work2_;
  mutable std::vector<double> body_scale_;
};

}  // namespace sinew::solve

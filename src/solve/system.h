#pragma once
// System: what a solver minimises. Terms at given parameters and inputs, inertia and stiffness damping beside them
// (energy/inertia.h, energy/rayleigh_damping.h), and the map of free unknowns.
//
//     Phi(x) = E(x) + sum_i w_i/2 |x_i - y_i|^2 + beta/(2 dt) (x - x_n) K_n (x - x_n)
//
// Residual: the 2-norm of the gradient over free unknowns [N], without what presses a node against a plane; relative:
// solve/residual.h, with k the stiffness of the node's links and contacts.
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "contact/contact_set.h"
#include "energy/inertia.h"
#include "energy/rayleigh_damping.h"
#include "energy/term.h"
#include "model/dof_map.h"
#include "solve/residual.h"

namespace sinew::contact {
class BarrierPairs;
}

namespace sinew::energy {
class BarrierDriven;
class ContactDriven;
class PointPairEnergy;
}  // namespace sinew::energy

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
  double rounding =
      0;  // what rounding of the positions hides, over the forces of the worst body (rounding_share)
  int32_t rounded_body = -1;
  int64_t inverted = 0;
  double min_det_F = 0;

  // Takes a body into the relative residual and the rounding.
  void note(int32_t body, const BodyForces& forces, const Floors::Body& floor) {
    relative = std::max(relative, relative_residual(forces, floor));
    if (const double share = rounding_share(forces, floor); share > rounding) {
      rounding = share;
      rounded_body = body;
    }
  }
};

class System {
 public:
  explicit System(const model::Model& model);

  const model::Model& model() const { return model_; }
  const model::DofMap& dofs() const { return dofs_; }
  // The pattern of all terms and the current contacts. It is made when it is first asked for.
  const std::shared_ptr<const energy::BlockPattern>& pattern() const;
  const model::Params& params() const { return params_; }
  const energy::Terms& terms() const { return terms_; }
  std::span<const energy::PointPairEnergy* const> point_pairs() const {
    return point_pairs_;
  }  // some of them
  energy::View view(std::span<const Vec3d> x) const { return {x, inputs_, inversion_, clamp_threshold_}; }

  void set_params(const model::Params& params);
  int64_t params_version() const { return version_; }  // changes with them; of one term alone: Term::version
  void set_inputs(std::span<const double> inputs);
  // Which nodes are carried, in the shape of x (model/carried.h). The pattern of the node matrix stays; solvers whose
  // arrays are as long as the unknowns follow the version.
  void set_carried(const model::Carried& carried, std::span<const Vec3d> x);
  int64_t carried_version() const { return carried_version_; }
  std::span<const double> inputs() const { return inputs_; }
  // Sets the contacts, as linear pairs, until the next call.
  void set_contacts(const contact::ContactSet& contacts);
  std::span<const contact::Pair> contacts() const { return contacts_; }
  // Sets the pairs that a barrier keeps apart until the next call; null: none.
  void set_barrier(contact::BarrierPairs* pairs);
  bool has_barrier() const { return barrier_; }
  // The share of the straight way from x to `end` that keeps them apart, at most 1. The energies are right for x and for the way
  // up to there, until the next call.
  double clear_way(std::span<const Vec3d> x, std::span<const Vec3d> end) const;
  // contact::BarrierPairs::leave_colliders(); what is held stays.
  bool leave_colliders(std::span<const Vec3d> x, std::span<Vec3d> end) const;
  // Prepares second derivatives at x, which may change the pattern.
  void activate_barrier(std::span<const Vec3d> x) const;
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
  int64_t contacts_version() const { return contacts_version_; }
  material::Inversion inversion() const { return inversion_; }
  void set_inversion(material::Inversion inversion, double clamp_threshold);

  // Node weights w [kg/s^2] and their targets y [m]; empty spans: none.
  void set_inertia(std::span<const double> weight, std::span<const Vec3d> target) {
    inertia_.set(weight, target);
  }
  std::span<const double> inertia_weight() const { return inertia_.weight(); }
  std::span<const Vec3d> inertia_target() const { return inertia_.target(); }
  // Stiffness damping about x_n, at rate 1/dt [1/s]; 0: none. The bodies' own factors are used.
  void set_damping(std::span<const Vec3d> x_n, double rate) { damping_.set(view(x_n), rate); }
  const energy::RayleighDamping& damping() const { return damping_; }
  // For terms that depend on how the nodes move, at the inputs of now (energy::MotionDriven).
  void set_motion(std::span<const Vec3d> x_n, double rate);

  // Dead forces on the nodes [N] with the energy -f.(x - about), by which a start out of balance becomes the first point of a
  // path of equilibria; empty spans: none.
  void set_balance(std::span<const Vec3d> force, std::span<const Vec3d> about) {
    balance_.assign(force.begin(), force.end());
    balance_about_.assign(about.begin(), about.end());
  }

  // Gradient at every node (held ones included); x must satisfy nothing in particular.
  Evaluation evaluate(std::span<const Vec3d> x, std::span<Vec3d> gradient) const;
  // That rounding limits the residual of the body at x to this share of its forces, and why.
  std::string rounding_text(int32_t body, double share, std::span<const Vec3d> x) const;
  // Second derivatives over the free unknowns; held directions get a unit diagonal of the matrix's own scale. Those of
  // point_pairs() may be left out.
  enum class PointPairs { with, without };
  void assemble(std::span<const Vec3d> x, Hessian hessian, energy::BlockMatrix& matrix,
                PointPairs pairs = PointPairs::with) const;
  // out = H d at every node.
  void product(std::span<const Vec3d> x, Hessian hessian, std::span<const Vec3d> d,
               std::span<Vec3d> out) const;
  // Matrix-free form: linearise once, then apply as often as needed. x must stay as it is meanwhile.
  void linearise(std::span<const Vec3d> x, Hessian hessian) const;
  void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const;
  void diagonal(std::span<Mat3d> blocks) const;
  // What the turning of rigid frames adds to the second derivatives over the unknowns, a block for each frame.
  std::vector<Mat3d> curvature(std::span<const Vec3d> x, Hessian hessian) const;

  // Links or contacts of some node are so much stiffer than its body that methods which see one node at a time make no headway.
  bool has_stiff_links() const;

  int64_t bytes() const;          // of the pattern
  int64_t scratch_bytes() const;  // of the matrix-free form

 private:
  void set_floors();
  void set_link_stiffness();
  double reactions2(std::span<const Vec3d> x, std::span<const Vec3d> gradient,
                    const model::Range& nodes) const;
  double add_balance(std::span<const Vec3d> x, std::span<Vec3d> external) const;
  void sum_carried_residual(std::span<const Vec3d> x, std::span<const Vec3d> gradient) const;

  const model::Model& model_;
  model::Params params_;
  int64_t version_ = 0, carried_version_ = 0;
  energy::Terms terms_;
  struct Driven {
    energy::Term* term;
    energy::ContactDriven* contacts;
  };
  std::vector<Driven> driven_;  // the terms whose stencils come and go with the contacts
  struct Barrier {
    energy::Term* term;
    energy::BarrierDriven* pairs;
  };
  std::vector<Barrier> barriers_;
  std::vector<const energy::PointPairEnergy*> point_pairs_;
  contact::BarrierPairs* barrier_ = nullptr;
  model::DofMap dofs_;
  mutable std::shared_ptr<const energy::BlockPattern> pattern_;
  mutable int64_t stencils_version_ = 0, pattern_for_ = -1;
  mutable std::vector<int32_t> pattern_driven_;  // stencils of the driven terms when it was made
  std::vector<contact::Pair> contacts_;
  std::vector<Plane> planes_;
  int64_t contacts_version_ = 0;
  std::vector<double> inputs_;
  material::Inversion inversion_ = material::Inversion::extend;
  double clamp_threshold_ = 0.25;
  Floors floors_;
  std::vector<double> link_stiffness_;     // of each node, contacts too [N/m]; empty: none
  std::vector<double> bending_stiffness_;  // likewise, of sheets that bend as shells
  energy::Inertia inertia_;
  energy::RayleighDamping damping_;
  std::vector<Vec3d> balance_, balance_about_;
  // Work space of const calls: one System serves one thread of callers.
  mutable std::vector<std::unique_ptr<energy::Linearisation>> linearised_;  // of the terms that have one
  mutable std::vector<Vec3d> external_;
  struct BodySums {
    double scale;          // of the forces [N]
    double stiffness = 0;  // sum of stiffness^2 [N^2/m^2]
    double rounding = 0;   // sum of (stiffness |x|)^2 [N^2]
    double free = 0;       // sum of |gradient|^2 over the unknowns [N^2]
  };
  mutable std::vector<BodySums> body_sums_;
};

}  // namespace sinew::solve

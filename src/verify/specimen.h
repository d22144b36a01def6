#pragma once
// One elastic body made in code, with what holds and moves it, and the solves that the problems need.
//
//     Specimen bar(*mesh::make_box({...}), {"neo_hookean", 1, 0.3});
//     bar.hold_plane(bar.group("xmax"), {1, 0, 0}, bar.motion(A, b));
//     const Solution solution = bar.equilibrium(control);
//
// Motions take the rest state at time 0 to x = A X + b at time 1, linearly; any affine map will do.
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.h"
#include "mesh/mesh.h"
#include "model/model.h"
#include "step/stepper.h"

namespace sinew::verify {

using math::Mat3d;
using math::Vec3d;

struct Solid {
  std::string_view law;
  double young = 1;  // [Pa]
  double poisson = 0;
  double density = 1;               // [kg/m^3]
  std::vector<double> fields = {};  // of a law that has others than young and poisson

  // A solid given by shear and bulk modulus [Pa].
  static Solid from_moduli(std::string_view law, double mu, double kappa) {
    return {law, 9 * kappa * mu / (3 * kappa + mu), (3 * kappa - 2 * mu) / (2 * (3 * kappa + mu))};
  }
  std::vector<double> values() const { return fields.empty() ? std::vector{young, poisson} : fields; }
};

// E = 1, nu = 0.3: the solid of the homogeneous problems. Mooney-Rivlin has a quarter of mu in its second invariant.
Solid solid_of(std::string_view law);

struct Solution {
  step::StepReport report;
  model::State state;

  bool solved() const { return report.status == step::StepStatus::converged; }
  // A number read off the state, or none if it is not the solution.
  double valid(double value) const { return solved() ? value : std::numeric_limits<double>::quiet_NaN(); }
};

class Specimen {
 public:
  // A mesh with edge nodes makes elements of second order.
  // Of the kind of that name, or, where the mesh has edge nodes, of second order.
  Specimen(mesh::TetMesh mesh, const Solid& solid, std::string_view elements = "linear");
  // A sheet of triangles.
  Specimen(const mesh::TriMesh& mesh, double thickness, const Solid& solid,
           model::Bending bending = model::Bending::none);
  // One more law on the same elements: the energies add.
  void add_law(const Solid& solid);

  const model::Model& model() const { return model_; }
  model::Model& model() { return model_; }
  const std::vector<int32_t>& group(const std::string& name) const { return groups_.at(name); }

  int32_t still();  // a frame that does not move
  int32_t motion(const Mat3d& A, const Vec3d& b);
  // Each returns the index of the attachment.
  int hold(std::vector<int32_t> nodes, int32_t pose);
  // Borders of sheets do not turn there either.
  int clamp(std::vector<int32_t> nodes, int32_t pose);
  int hold_plane(std::vector<int32_t> nodes, const Vec3d& normal, int32_t pose);
  int clamp_plane(std::vector<int32_t> nodes, const Vec3d& normal, int32_t pose);
  enum class Load { constant, growing };  // growing: from 0 at time 0 to the whole at time 1
  void set_gravity(const Vec3d& g, Load load = Load::constant);  // [m/s^2]
  void add_load(std::vector<int32_t> nodes, std::vector<Vec3d> forces, Load load = Load::constant);  // [N]
  // A fixed plane z = 0 that the body cannot pass, free above it, with Coulomb's coefficient of friction.
  void add_floor(double friction);

  // The equilibrium at time 1 by Newton's method, from the rest positions or from others, in equal steps of time. A
  // large step may end in another equilibrium than the one that grows out of the rest state.
  Solution equilibrium(const Control& control, double tolerance = 1e-11, std::span<const Vec3d> start = {},
                       int steps = 1) const;
  // The equilibria at these times, ascending, each from the one before; fewer if one is not found. The first from the rest
  // positions or from others.
  std::vector<Solution> path(const Control& control, double tolerance, std::span<const double> times,
                             std::span<const Vec3d> start = {}) const;
  // Solves by any method, in one step. A method with a budget gets a million iterations.
  Solution equilibrium_by(const step::Method& method, double tolerance, const Control& control) const;

 private:
  model::Model model_;
  mesh::Groups groups_;
};

// Motion in time, from rest positions at time 0; set state.x() and state.v() before the first step for
// another start.
class Motion {
 public:
  Motion(const model::Model& model, step::Integrator integrator, double dt, double tolerance = 1e-11);

  bool advance(const Control& control);  // one step; false: it did not converge

  model::State state;

 private:
  const model::Model& model_;
  double dt_;  // [s]
  std::unique_ptr<step::Stepper> stepper_;
};

// The period [s] of a vibration that starts at the displacement u, from the first two zeros of the part of
// the motion along u (lumped masses as weights). Not a number if a step fails or two periods' worth of steps
// do not have two zeros.
double vibration_period(const model::Model& model, std::span<const Vec3d> u, double expected,
                        int steps_per_period, const Control& control);

// Every node that is a point of the body, of a mesh or of a specimen.
std::vector<int32_t> all_nodes(const model::Model& model);
std::vector<int32_t> all_nodes(const mesh::TetMesh& mesh);
// The nodes of the boundary, ascending.
std::vector<int32_t> boundary_nodes(const mesh::TetMesh& mesh);
// Node at a rest position (the nearest).
int32_t node_at(const model::Model& model, const Vec3d& X);

// The value that is farthest from the reference.
double farthest(const std::vector<double>& values, double reference);
// The limit of three values whose errors fall by one factor (Aitken).
double limit(const std::vector<double>& of);
// Observed order of convergence from the errors at h and h/2.
double observed_order(double error, double error_half);

}  // namespace sinew::verify

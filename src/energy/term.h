#pragma once
// A Term is one part of the energy. It is virtual once per pass, never per element. Each file of this folder that
// defines const TermKind& term_<stem>() adds one: it looks at the Model and makes the terms that apply.
//
//     for (const TermKind* kind : term_kinds()) kind->make(model, terms);
//
// Gradients and products are added to what is there, at every node, held ones included. Same bits for any
// number of threads. What only some terms do are interfaces beside Term: energy/term_interfaces.h and NodeLocal in
// energy/node_local.h. Whoever needs one asks for it once, when the terms are made.
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "energy/block_matrix.h"
#include "energy/terms.h"
#include "material/law.h"
#include "model/model.h"

namespace sinew::energy {

using material::Hessian;

struct View {
  std::span<const Vec3d> x;  // positions [m]
  std::span<const double> inputs;
  material::Inversion inversion = material::Inversion::extend;
  double clamp_threshold = 0.25;

  material::PointOptions point(Hessian hessian) const { return {hessian, inversion, clamp_threshold}; }
};

struct EvalInfo {
  double value = 0;          // [J]
  bool energy_valid = true;  // the gradient is the derivative of value here
  int64_t inverted = 0;      // elements with det F <= 0
  double min_det_F = std::numeric_limits<double>::infinity();
};

// The second derivatives H of a term about one configuration, kept for many products. The term must outlive it, and the
// view until the next set().
class Linearisation {
 public:
  virtual ~Linearisation() = default;

  virtual void set(const View& view, Hessian hessian) = 0;                       // keeps its memory
  virtual void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const = 0;  // out += H d
  virtual void diagonal(std::span<Mat3d> blocks) const = 0;  // adds the diagonal block of each node
  virtual int64_t bytes() const { return 0; }
};

class Term {
 public:
  virtual ~Term() = default;

  struct Role {
    bool external = false;  // a load
    bool link = false;      // springs between bodies, or from a body to the world
    int32_t body = -1;      // whose stiffness it is, scaled by that body's Rayleigh damping; -1: none's
  };
  bool external() const { return role_.external; }
  // Its forces act on bodies from outside, and are summed apart from those of elements in the residual's scale.
  bool acts_on_bodies() const { return role_.external || role_.link; }
  int32_t body() const { return role_.body; }

  // Takes the values it needs from the parameters. The version changes where they differ from those it had.
  void bind(const model::Params& params) {
    if (take(params) || version_ == 0) ++version_;
  }
  int64_t version() const { return version_; }

  virtual EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const = 0;  // gradient may be empty

  // Second derivatives; a term that is linear in x has none.
  virtual Stencils stencils() const { return {}; }
  // Finds the blocks of its stencils in the pattern of the matrices that it is assembled into.
  void map(const BlockPattern& pattern, std::span<const int32_t> block_of_node);
  virtual void assemble(const View&, Hessian, double /*scale*/, BlockMatrix&) const {}
  virtual std::unique_ptr<Linearisation> linearisation() const { return nullptr; }  // null: there are none
  // out += H d, once.
  virtual void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
                       std::span<Vec3d> out) const;

 protected:
  Term() = default;
  explicit Term(const Role& role) : role_(role) {}

  // Slots of the blocks (a, b) of stencil s, at (s width + a) width + b; -1 where a node is missing or held.
  const int32_t* slots(size_t stencil, int width) const { return slots_.data() + stencil * width * width; }

 private:
  virtual bool take(const model::Params&) { return false; }  // true: the values differ from those before

  Role role_;
  int64_t version_ = 0;
  std::vector<int32_t> slots_;
};

// The linearisation of a term whose products are computed from the positions: it keeps the view alone.
template <class T>
class ViewLinearisation final : public Linearisation {
 public:
  explicit ViewLinearisation(const T& term) : term_(term) {}

  void set(const View& view, Hessian hessian) override {
    view_ = view;
    hessian_ = hessian;
  }
  void apply(std::span<const Vec3d> d, std::span<Vec3d> out) const override {
    term_.product(view_, hessian_, d, out);
  }
  void diagonal(std::span<Mat3d> blocks) const override { term_.diagonal(view_, hessian_, blocks); }

 private:
  const T& term_;
  View view_;
  Hessian hessian_ = Hessian::exact;
};

struct TermKind {
  std::string_view name;
  std::string_view doc;
  void (*make)(const model::Model& model, Terms& terms);
  bool elements = false;  // its terms are the energies of the elements themselves
};

std::span<const TermKind* const> term_kinds();

// Every term that the model needs, bound to its own parameters.
Terms make_terms(const model::Model& model);

}  // namespace sinew::energy

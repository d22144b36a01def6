#pragma once
// A Term is one part of the energy. It is virtual once per pass, never per element. Each file of this folder that
// defines const TermKind& term_<stem>() adds one: it looks at the Model and makes the terms that apply.
//
//     for (const TermKind* kind : term_kinds()) kind->make(model, terms);
//
// Gradients and products are added to what is there, at every node, held ones included. Same bits for any
// number of threads.
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "contact/contact_set.h"
#include "energy/block_matrix.h"
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

// What a linearisation keeps for its products. The view must outlive it.
struct Scratch {
  View view;
  Hessian hessian = Hessian::exact;
  std::vector<math::PackD> packs;
};

struct NodeBlocks;
template <class T>
class NodeVisitor;
template <class T>
using NodeVisitorPointer = std::unique_ptr<NodeVisitor<T>>;

class Term {
 public:
  virtual ~Term() = default;

  // Loads count as external in the residual's scale.
  virtual bool external() const { return false; }
  // The body whose Rayleigh damping scales this term's stiffness; -1: none.
  virtual int32_t damped_body() const { return -1; }
  // Takes the values it needs from the parameters; called when they change.
  virtual void bind(const model::Params&) {}
  // What touches now; for the term of contacts.
  virtual void set_contacts(std::span<const contact::Pair>) {}
  virtual bool changes() const { return false; }  // its stencils come and go with the contacts

  virtual EvalInfo evaluate(const View& view, std::span<Vec3d> gradient) const = 0;  // gradient may be empty

  // Second derivatives; a term that is linear in x has none.
  virtual Stencils stencils() const { return {}; }
  virtual void map(const BlockPattern&, std::span<const int32_t> /*block_of_node*/) {}
  virtual void assemble(const View&, Hessian, double /*scale*/, BlockMatrix&) const {}
  virtual void linearise(const View& view, Hessian hessian, Scratch& scratch) const;
  virtual void apply(const Scratch&, std::span<const Vec3d> /*d*/, std::span<Vec3d> /*out*/) const {}
  // A load without an energy: its derivative has a skew part A, which the operator above leaves out. out += A d.
  virtual bool symmetric() const { return true; }
  virtual void apply_skew(const View&, std::span<const Vec3d> /*d*/, std::span<Vec3d> /*out*/) const {}
  // How the gradient g changes with the inputs u: out += (dg/du) change, and out_j += direction . dg/du_j. Motions of
  // held nodes are not in it.
  virtual void input_change(const View&, std::span<const double> /*change*/, std::span<Vec3d> /*out*/) const {
  }
  virtual void input_gradient(const View&, std::span<const Vec3d> /*direction*/,
                              std::span<double> /*out*/) const {}
  // The diagonal blocks of the linearisation, per node.
  virtual void diagonal(const Scratch&, std::span<Mat3d> /*blocks*/) const {}
  // For methods that move one node at a time (energy/node_blocks.h); null where the term cannot. A visitor keeps the
  // parameters of this moment; the term must outlive it. `modified`: with the modified Hessian's blocks.
  virtual NodeVisitorPointer<math::PackD> visitor(const NodeBlocks&, bool modified, math::PackD) const;
  virtual NodeVisitorPointer<math::PackF> visitor(const NodeBlocks&, bool modified, math::PackF) const;
  // The energy of a node's move is bounded from above by the block that the visitor gives.
  virtual bool node_majorant() const { return true; }
  // One product without keeping the linearisation.
  virtual void product(const View& view, Hessian hessian, std::span<const Vec3d> d,
                       std::span<Vec3d> out) const;
  // That block is larger than the second derivative: steps are short.
  virtual bool node_loose() const { return false; }
};

using Terms = std::vector<std::unique_ptr<Term>>;

struct TermKind {
  std::string_view name;
  std::string_view doc;
  void (*make)(const model::Model& model, Terms& terms);
};

std::span<const TermKind* const> term_kinds();

// Every term that the model needs, bound to its own parameters.
Terms make_terms(const model::Model& model);

}  // namespace sinew::energy

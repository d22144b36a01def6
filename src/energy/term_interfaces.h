#pragma once
// What only some terms do, beside energy::Term; NodeLocal is in energy/node_local.h.
//
//     const std::vector<const InputDependent*> list = terms_with<InputDependent>(terms);    // once, in a constructor
#include "contact/contact_set.h"
#include "energy/term.h"

namespace sinew::contact {
class BarrierPairs;
}

namespace sinew::energy {

// The gradient g depends on the inputs u. Motions of held nodes are not in it.
class InputDependent {
 public:
  virtual ~InputDependent() = default;
  // out += (dg/du) change
  virtual void input_change(const View& view, std::span<const double> change, std::span<Vec3d> out) const = 0;
  // out_j += direction . dg/du_j
  virtual void input_gradient(const View& view, std::span<const Vec3d> direction,
                              std::span<double> out) const = 0;
};

// A load without an energy: the derivative of its gradient has a skew part A, which the operator of the term leaves out.
class Nonsymmetric {
 public:
  virtual ~Nonsymmetric() = default;
  // out += A d
  virtual void apply_skew(const View& view, std::span<const Vec3d> d, std::span<Vec3d> out) const = 0;
};

// Its forces depend on how the nodes move.
class MotionDriven {
 public:
  virtual ~MotionDriven() = default;
  // The step starts at the positions x_n; the velocity is rate (x - x_n) [1/s]. Without a rate nothing moves.
  virtual void set_motion(std::span<const Vec3d> x_n, double rate, std::span<const double> inputs) = 0;
};

// Energy and stencils come and go with the contacts.
class ContactDriven {
 public:
  virtual ~ContactDriven() = default;
  virtual void set_contacts(std::span<const contact::Pair> pairs) = 0;
};

// Its energy is that of pairs that follow the iterates.
class BarrierDriven {
 public:
  virtual ~BarrierDriven() = default;
  virtual void set_barrier(const contact::BarrierPairs* pairs) = 0;  // null: none
  // Takes the pairs that press at the positions of the view into its stencils, for second derivatives there; they stay until
  // the next set_barrier(). True: there are new ones.
  virtual bool activate(const View& view) = 0;
};

template <class Interface>
std::vector<const Interface*> terms_with(const Terms& terms) {
  std::vector<const Interface*> list;
  for (const auto& term : terms)
    if (const auto* found = dynamic_cast<const Interface*>(term.get())) list.push_back(found);
  return list;
}

// The stencils of all terms but those that are driven by contacts; these alone decide the colours of nodes.
std::vector<Stencils> lasting_stencils(const Terms& terms);

}  // namespace sinew::energy

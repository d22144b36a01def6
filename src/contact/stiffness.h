#pragma once
// The stiffness of a contact for which the user gives none:
//     k = c1 E sqrt(A) max(1, p sqrt(A) / h) + c2 m / dt^2        (the last part in dynamics alone)
// E: Young's modulus at rest around a vertex, the mean over the volume of its elements, of which what is no material counts as 0;
// A: the area around it; m: its lumped mass. E sqrt(A) is about what the mesh itself answers to a push at one node. A pressure of
// p E takes all of the thickness h. Of two sides the softer one counts, and the reduced mass m_a m_b / (m_a + m_b).
//
// A sheet of thickness t has E t in place of E sqrt(A), its answer to a pull in its own plane, which is the same however E and t are
// told apart; and E t h in place of the force E A, h the thickness of the contact, no more than sqrt(A). What presses on a sheet moves it across
// itself: measured in its answer to a whole edge in the plane, its weight would stay where the barrier hardly begins, and each new contact
// would throw it back.
//
//     const ContactStiffness stiffness(model, surface);  pair.stiffness = stiffness(pair, dt);
#include <vector>

#include "contact/contact_set.h"
#include "contact/surface.h"

namespace sinew::contact {

class ContactStiffness {
 public:
  ContactStiffness(const model::Model& model, const Surface& surface);
  double operator()(const Pair& pair, double dt) const;  // [N/m]
  // The force that a barrier of this thickness is measured in (contact/barrier.h) [N]: a share of E A, A at least the mean of the
  // body, since behind a small triangle there are elements as large as elsewhere; and what stops the mass of a vertex within the
  // thickness and a time step. Against a collider the last is no node, and all that are one belong to one side.
  double barrier_force(const std::array<int32_t, 4>& node, bool edges, double thickness, double dt) const;

 private:
  void add_carried(const model::Model& model);
  void set_forces(const model::Model& model, const Surface& surface);

  // Of each point; what elements carry has the modulus of its carriers and shares their masses with what else they carry.
  std::vector<double> elastic_;  // E sqrt(A), of a sheet E t [N/m]
  std::vector<double> size_;     // sqrt(A) [m]
  std::vector<double> mass_;     // [kg]
  std::vector<double> force_;    // E A of a solid, A at least the mean of the body [N]
  std::vector<double> tension_;  // E t of a sheet [N/m]
};

}  // namespace sinew::contact

#pragma once
// The contacts that a State remembers, with the bodies and colliders that they are between. The columns, where a method
// declares them: on contacts "contact_key" (i64, 6 numbers: contact::Pair::key()) and "contact_force" (force on side a
// [N]); on nodes "contact_node_force" (force of all contacts [N]).
//
// In readings a pair is written "a:b", of two bodies or a body and a collider. Its number is a (bodies + colliders) + b,
// colliders counted from the number of bodies on.
#include "measure/quantity.h"

namespace sinew::measure {

struct Contact {
  int32_t a = 0, b = 0;  // bodies; b may be a collider
  math::Vec3d force;     // on a [N]
  bool presses() const { return norm2(force) > 0; }
};

// Rows that do not fit the model are passed over.
std::vector<Contact> contacts(const Snapshot& snapshot);

// The force of all contacts on each node [N]; empty where the State has none.
std::span<const math::Vec3d> contact_node_forces(const Snapshot& snapshot);

struct BodyPair {
  int32_t first = 0, second = 0;
};
BodyPair pair_of(const model::Model& model, int target);

// The forces of every pair that presses, in ascending order, with first <= second.
struct PairForce {
  BodyPair pair;
  int64_t contacts = 0;
  math::Vec3d force;  // on the first [N]; zero of a body on itself
};
std::vector<PairForce> pair_forces(const Snapshot& snapshot);

}  // namespace sinew::measure

#include "step/increment_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/stopwatch.h"
#include "step/penetration.h"

namespace sinew::step {

using contact::ContactSet;
using contact::Pair;
using math::Vec3d;

namespace {

// Of an edge, and of a collider's half thickness, that a step may take a vertex into it; more where a scene sets the stiffness,
// which then may be as soft as its user likes.
constexpr double max_depth = 0.05, max_depth_of_set_stiffness = 0.25;
constexpr double stiffening = 10;       // of a pair that intersected although it was known
constexpr double min_share = 1.0 / 64;  // of a motion that is limited; below it nothing is left

// Where a pair is in a list by key, or would be.
template <class List>
auto place_of(List& list, const Pair& pair) {
  return std::lower_bound(list.begin(), list.end(), pair,
                          [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
}

}  // namespace

void IncrementContacts::begin(std::span<const Vec3d> x_before, std::span<const double> inputs_before,
                              std::span<const double> inputs, double dt) {
  x0_.assign(x_before.begin(), x_before.end());
  inputs0_.assign(inputs_before.begin(), inputs_before.end());
  inputs_.assign(inputs.begin(), inputs.end());
  dt_ = dt;
  intersected_.clear();
  set_.pairs.clear();
}

Vec3d IncrementContacts::difference(const Pair& pair, std::span<const Vec3d> x) const {
  return contact::difference(model_, pair, x, inputs_);
}

void IncrementContacts::find(solve::System& system, std::span<const Vec3d> x, const ContactHistory& history,
                             bool lagged) {
  {
    const Stopwatch watch(seconds_);
    detector_.find(motion(x), next_);
    add_intersected(next_);
    std::vector<ContactHistory::Entry> solved;
    if (lagged)
      for (const Pair& pair : set_.pairs)
        solved.push_back({.key = pair.key(), .load = contact::normal_force(pair, difference(pair, x))});
    history.carry_over(next_, lagged ? &solved : nullptr);
    std::swap(set_, next_);
  }
  system.set_contacts(set_);
}

void IncrementContacts::start_barrier(solve::System& system, std::span<Vec3d> x,
                                      const ContactHistory& history) {
  if (!barrier_) barrier_ = std::make_unique<contact::BarrierPairs>(model_);
  barrier_->begin(inputs_, dt_);
  system.set_barrier(barrier_.get());
  find_friction(system, x0_, history, false);
  const double clear = system.clear_way(x0_, x),
               share = std::min(clear, barrier_->clear_of_colliders(x0_, x));
  for (size_t i = 0; i < x.size() && share < 1; ++i) x[i] = x0_[i] + (x[i] - x0_[i]) * share;
}

// Friction acts along the surfaces where they were, with the loads that they had: at the start of the increment or, lagged, at x.
void IncrementContacts::find_friction(solve::System& system, std::span<const Vec3d> x,
                                      const ContactHistory& history, bool lagged) {
  detector_.sliding(motion(x), next_.pairs);
  std::vector<Pair> pairs;
  barrier_->clear_way(x, x);
  barrier_->linear(x, lagged ? inputs_ : inputs0_, pairs);
  std::vector<ContactHistory::Entry> solved;
  for (Pair& pair : pairs) {
    pair.start = difference(pair, x0_);
    if (pair.collider >= 0)
      pair.start += model::pose_at(inputs_, model_.colliders[pair.collider].pose)(pair.point) -
                    model::pose_at(inputs0_, model_.colliders[pair.collider].pose)(pair.point);
    solved.push_back({.key = pair.key(), .load = contact::normal_force(pair, difference(pair, x))});
  }
  next_.pairs.insert(next_.pairs.end(), pairs.begin(), pairs.end());
  std::sort(next_.pairs.begin(), next_.pairs.end(),
            [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
  history.carry_over(next_, lagged ? &solved : nullptr);
  std::swap(set_, next_);
  system.set_contacts(set_);
}

bool IncrementContacts::may_rub() const {
  return !model_.sliding.empty() ||
         std::any_of(model_.contact.rules.begin(), model_.contact.rules.end(),
                     [](const model::ContactRule& rule) { return rule.on && rule.friction > 0; });
}

bool IncrementContacts::has_friction() const {
  return std::any_of(set_.pairs.begin(), set_.pairs.end(),
                     [](const Pair& pair) { return pair.two_sided || (pair.friction > 0 && pair.load > 0); });
}

void IncrementContacts::undo_find(solve::System& system) {
  std::swap(set_, next_);
  system.set_contacts(set_);
}

void IncrementContacts::add_intersecting(solve::System& system) {
  next_ = set_;
  add_intersected(next_);
  std::swap(set_, next_);
  system.set_contacts(set_);
}

void IncrementContacts::add_intersected(ContactSet& set) const {
  for (const Pair& pair : intersected_) {
    const auto at = place_of(set.pairs, pair);
    if (at != set.pairs.end() && at->key() == pair.key())
      at->stiffness = std::max(at->stiffness, pair.stiffness);
    else
      set.pairs.insert(at, pair);
  }
}

// A vertex went into a collider by more than the pair should let it: it would leave on the other side.
bool IncrementContacts::tunnelled(const Pair& pair, std::span<const Vec3d> x) const {
  if (pair.collider < 0 || model_.colliders[pair.collider].response != model::Collider::Response::penalty)
    return false;
  const contact::Surface& surface = detector_.surface();
  const double edge = surface.edge_length[surface.vertex_of_point[pair.node[0]]];
  const bool stiffness_is_set = model_.contact_rule(pair.body[0], pair.body[1]).stiffness > 0;
  const double limit = (stiffness_is_set ? max_depth_of_set_stiffness : max_depth) *
                       std::min(edge, contact::half_thickness(model_.colliders[pair.collider]));
  return dot(pair.normal, difference(pair, x)) < -limit && dot(pair.normal, pair.start) > -limit;
}

bool IncrementContacts::detect_intersections(std::span<const Vec3d> x) {
  const Stopwatch watch(seconds_);
  intersecting_.clear();
  if (model_.contact.continuous && !model_.contact.rules.empty())
    detector_.crossings(motion(x), intersecting_);
  // Also vertices that were too far away for the set when the solve began.
  detector_.near_colliders(motion(x), near_colliders_);
  for (const Pair& pair : near_colliders_)
    if (tunnelled(pair, x)) intersecting_.push_back(pair);
  for (Pair& pair : intersecting_) {
    const auto known = place_of(set_.pairs, pair);
    if (known != set_.pairs.end() && known->key() == pair.key())
      pair.stiffness = std::max(pair.stiffness, stiffening * known->stiffness);
    const auto at = place_of(intersected_, pair);
    if (at != intersected_.end() && at->key() == pair.key())
      *at = pair;
    else
      intersected_.insert(at, pair);
  }
  return intersecting();
}

std::vector<int32_t> IncrementContacts::intersecting_nodes() const {
  std::vector<int32_t> nodes;
  for (const Pair& pair : intersecting_)
    for (const int32_t point : pair.node)
      if (point >= 0)
        model::for_each_carrier(model_, point, [&](int32_t node, double) { nodes.push_back(node); });
  return nodes;
}

const Pair* IncrementContacts::unsettled(const model::DofMap& dofs, std::span<const Vec3d> gradient) const {
  if (intersecting()) return intersecting_.data();
  const Pair* found = nullptr;
  double largest = 0;
  for (const ContactSet* set : {&set_, &next_})
    for (size_t i = 0; i < set->pairs.size(); ++i)
      contact::for_each_node(model_, set->pairs[i], [&](int32_t node, double) {
        const double force = norm(dofs.free_part(node, gradient[node]));
        if (force <= largest) return;
        largest = force;
        found = &set->pairs[i];
      });
  return found;
}

const Pair* IncrementContacts::nearest(std::span<const Vec3d> x) {
  if (!barrier_) return nullptr;
  std::vector<Pair> pairs;
  barrier_->clear_way(x, x);
  barrier_->linear(x, inputs_, pairs);
  if (pairs.empty()) return nullptr;
  nearest_ = *std::max_element(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    return contact::normal_force(a, a.normal * a.gap) < contact::normal_force(b, b.normal * b.gap);
  });
  return &nearest_;
}

bool IncrementContacts::limit_step(const model::DofMap& dofs, std::span<Vec3d> x, StepReport& report) {
  std::vector<double> share(x.size(), 1.0);
  const std::vector<Vec3d> whole(x.begin(), x.end());
  const auto block = dofs.block_of_node();
  bool limited = false;
  for (bool moved = true; moved; limited |= moved) {
    intersecting_.clear();
    detector_.crossings(motion(x), intersecting_);
    if (!intersecting()) {
      if (limited) report.notes.emplace_back("what would pass through something else was held back");
      return true;
    }
    moved = false;
    for (const int32_t node : intersecting_nodes())
      if (block[node] >= 0 && share[node] > 0) {
        share[node] = share[node] > min_share ? 0.5 * share[node] : 0;
        moved = true;
      }
    dofs.part_way(x0_, whole, share, x);
  }
  return false;
}

void IncrementContacts::accept(std::span<const Vec3d> x, ContactHistory& history, StepReport& report) const {
  history.clear();
  report.contacts = 0;
  if (barrier_) {
    record_barrier(x, history, report);
    return;
  }
  std::vector<const Pair*> pressing;
  for (const Pair& pair : set_.pairs)
    if (history.record(pair, difference(pair, x), report) && pair.collider < 0) pressing.push_back(&pair);
  for (const Pair& pair : near_colliders_) pressing.push_back(&pair);
  measure_penetration(model_, detector_, inputs_, pressing, x, report);
}

// The pairs that press at x, with the slip and the load that friction had in the solve.
void IncrementContacts::record_barrier(std::span<const Vec3d> x, ContactHistory& history,
                                       StepReport& report) const {
  std::vector<Pair> pairs;
  barrier_->clear_way(x, x);
  barrier_->linear(x, inputs_, pairs);
  for (const Pair& pair : set_.pairs)
    if (pair.two_sided) pairs.push_back(pair);
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
  for (Pair& pair : pairs) {
    const auto known = place_of(set_.pairs, pair);
    const bool has = known != set_.pairs.end() && known->key() == pair.key();
    pair.start = has ? known->start : difference(pair, x);
    pair.slip = has ? known->slip : Vec3d{0, 0, 0};
    pair.load = has ? known->load : 0;
    history.record(pair, difference(pair, x), report);
    if (pair.collider >= 0 && pair.gap < 0 && -pair.gap > report.penetration) {
      const contact::Surface& surface = barrier_->surface();
      report.penetration = -pair.gap;
      report.penetration_edge = -pair.gap / surface.edge_length[surface.vertex_of_point[pair.node[0]]];
    }
  }
}

double IncrementContacts::take_seconds() {
  return std::exchange(seconds_, 0.0) + (barrier_ ? barrier_->take_seconds() : 0);
}

}  // namespace sinew::step

#include "step/contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/stopwatch.h"
#include "contact/friction.h"
#include "geometry/mesh_distance.h"

namespace sinew::step {

using contact::ContactSet;
using contact::Pair;
using math::Vec3d;

void add_solve(StepReport& report, const solve::SolveReport& solve) {
  report.iterations += solve.iterations;
  report.linear_iterations += solve.linear_iterations;
  report.add_seconds("assembly", solve.seconds_assembly);
  report.add_seconds("linear", solve.seconds_linear);
  report.add_seconds("evaluation", solve.seconds_evaluation);
  if (solve.seconds_sweeps > 0) report.add_seconds("sweeps", solve.seconds_sweeps);
  if (solve.seconds_colouring > 0) report.add_seconds("colouring", solve.seconds_colouring);
}

namespace {

constexpr int rounds_in_time = 3;  // solves of a time step, between which contacts are found anew
constexpr int64_t most_walls = 8;  // of a collider that a vertex touches at once
constexpr int most_repairs = 6;    // of one step because surfaces crossed
// Of an edge, and of a collider's half thickness, that a step may take a vertex into it; more where a scene sets the stiffness,
// which then may be as soft as its user likes.
constexpr double deepest = 0.05, deepest_by_wish = 0.25;
constexpr double stiffening = 10;         // of a pair that crossed although it was known
constexpr double least_share = 1.0 / 64;  // of a motion that is held back; below it nothing is left

// From the surface of a shape to its middle, where that is closest [m].
double half_thickness(const model::Collider& collider) {
  using Shape = model::Collider::Shape;
  if (collider.hollow) return std::numeric_limits<double>::infinity();
  const Vec3d& size = collider.size;
  if (collider.shape == Shape::sphere || collider.shape == Shape::capsule) return size[0];
  if (collider.shape == Shape::cylinder) return std::min(size[0], size[1]);
  if (collider.shape == Shape::box) return std::min({size[0], size[1], size[2]});
  return std::numeric_limits<double>::infinity();
}

bool by_key(const Pair& a, const Pair& b) { return a.key() < b.key(); }

}  // namespace

StepContacts::StepContacts(const model::Model& model)
    : model_(model), detector_(model.has_contacts() ? std::make_unique<contact::Detector>(model) : nullptr) {}

void StepContacts::declare(const model::Model& model, model::StateLayout& layout) {
  if (!model.has_contacts()) return;
  using model::ColumnType;
  using model::On;
  using model::Transfer;
  layout.declare({"contact_key", ColumnType::i64, 6, On::contact, Transfer::reset});
  layout.declare({"contact_slip", ColumnType::f64, 3, On::contact, Transfer::reset});
  layout.declare({"contact_load", ColumnType::f64, 1, On::contact, Transfer::reset});
  layout.declare({"contact_gap", ColumnType::f64, 1, On::contact, Transfer::reset});
  layout.declare({"contact_force", ColumnType::f64, 3, On::contact, Transfer::reset});
  layout.declare({"contact_node_force", ColumnType::f64, 3, On::node, Transfer::reset});
}

contact::Motion StepContacts::motion(std::span<const Vec3d> x) const {
  return {x0_, inputs0_, x, inputs_, dt_};
}

Vec3d StepContacts::difference(const Pair& pair, std::span<const Vec3d> x) const {
  Vec3d d = {0, 0, 0};
  for (int k = 0; k < 4; ++k)
    if (pair.node[k] >= 0) d += x[pair.node[k]] * pair.weight[k];
  if (pair.collider >= 0) d -= model::pose_at(inputs_, model_.colliders[pair.collider].pose)(pair.point);
  return d;
}

void StepContacts::begin(std::span<const Vec3d> x_before, std::span<const double> inputs_before,
                         std::span<const double> inputs, double dt) {
  x0_.assign(x_before.begin(), x_before.end());
  inputs0_.assign(inputs_before.begin(), inputs_before.end());
  inputs_.assign(inputs.begin(), inputs.end());
  dt_ = dt;
  forced_.clear();
  set_.pairs.clear();
}

void StepContacts::load(const model::State& state) {
  memory_.clear();
  const auto keys = state.integers("contact_key");
  const auto slip = state.vectors("contact_slip");
  const auto load = state.numbers("contact_load");
  const auto nodes = static_cast<int64_t>(model_.X.size());
  const auto colliders = static_cast<int64_t>(model_.colliders.size());
  for (size_t i = 0; i < slip.size(); ++i) {
    Memory memory{{}, slip[i], load[i], 0, {0, 0, 0}};
    bool sound = keys[6 * i + 1] >= 0 && keys[6 * i + 5] < colliders;
    for (int k = 0; k < 6; ++k) {
      sound &= keys[6 * i + k] >= -most_walls && keys[6 * i + k] < std::max(nodes, colliders + 4);
      memory.key[k] = static_cast<int32_t>(keys[6 * i + k]);
    }
    for (int k = 1; k < 5; ++k) sound &= memory.key[k] < nodes;
    for (int k = 2; k < 5; ++k) sound &= memory.key[5] >= 0 || memory.key[k] >= 0;
    if (sound) memory_.push_back(memory);
  }
  pressed_.assign(memory_.empty() ? 0 : model_.bodies.size(), 0);
  for (const Memory& memory : memory_) {
    pressed_[model_.body_of_node(memory.key[1])] = 1;
    if (memory.key[5] < 0) pressed_[model_.body_of_node(memory.key[4])] = 1;
  }
  std::sort(memory_.begin(), memory_.end(), [](const Memory& a, const Memory& b) { return a.key < b.key; });
}

// What is known of this pair or, of a vertex that has moved to another part of the same body, of the one it had there.
const StepContacts::Memory* StepContacts::remembered(std::span<const Memory> list, const Pair& pair) const {
  const auto key = pair.key();
  auto at = std::lower_bound(list.begin(), list.end(), key,
                             [](const Memory& m, const std::array<int32_t, 6>& k) { return m.key < k; });
  if (at != list.end() && at->key == key) return &*at;
  if (pair.edges || pair.collider >= 0) return nullptr;  // the walls of a collider are not one surface
  at = std::lower_bound(list.begin(), list.end(), key, [](const Memory& m, const std::array<int32_t, 6>& k) {
    return m.key[0] != k[0] ? m.key[0] < k[0] : m.key[1] < k[1];
  });
  for (; at != list.end() && at->key[0] == 0 && at->key[1] == key[1]; ++at)
    if (at->key[5] < 0 && model_.body_of_node(at->key[2]) == pair.body[1]) return &*at;
  return nullptr;
}

// Slips from the start of the step; loads from the solve that ended at x, or else from the start.
void StepContacts::remember(ContactSet& set, std::span<const Vec3d> x) const {
  std::vector<Memory> loads;
  if (round_ > 0)
    for (const Pair& pair : set_.pairs)
      loads.push_back(
          {pair.key(), {0, 0, 0}, contact::normal_force(pair, difference(pair, x)), 0, {0, 0, 0}});
  for (Pair& pair : set.pairs) {
    if (!(pair.friction > 0)) continue;
    const Memory* memory = remembered(memory_, pair);
    if (memory) pair.slip = memory->slip;
    if (round_ > 0) memory = remembered(loads, pair);
    if (memory) pair.load = std::max(memory->load, 0.0);
  }
}

void StepContacts::find(solve::System& system, std::span<const Vec3d> x) {
  {
    const Stopwatch watch(seconds_);
    detector_->find(motion(x), next_);
    add_forced(next_);
    remember(next_, x);
    std::swap(set_, next_);
  }
  system.set_contacts(set_);
}

void StepContacts::add_forced(ContactSet& set) const {
  for (const Pair& pair : forced_) {
    const auto at = std::lower_bound(set.pairs.begin(), set.pairs.end(), pair, by_key);
    if (at != set.pairs.end() && at->key() == pair.key())
      at->stiffness = std::max(at->stiffness, pair.stiffness);
    else
      set.pairs.insert(at, pair);
  }
}

// A vertex went into a collider by more than the pair should let it: it would leave on the other side.
bool StepContacts::sank(const Pair& pair, std::span<const Vec3d> x) const {
  if (pair.collider < 0 || model_.colliders[pair.collider].response != model::Collider::Response::penalty)
    return false;
  const contact::Surface& surface = detector_->surface();
  const double edge = surface.edge_length[surface.vertex_of_node[pair.node[0]]];
  const bool by_wish = model_.contact_rule(pair.body[0], pair.body[1]).stiffness > 0;
  const double most =
      (by_wish ? deepest_by_wish : deepest) * std::min(edge, half_thickness(model_.colliders[pair.collider]));
  return dot(pair.normal, difference(pair, x)) < -most && dot(pair.normal, pair.start) > -most;
}

// Which pairs cross on the way to x; they belong to the set from now on, stiffer where they were known.
void StepContacts::look(std::span<const Vec3d> x) {
  const Stopwatch watch(seconds_);
  crossed_.clear();
  if (model_.contact.continuous && !model_.contact.rules.empty()) detector_->crossings(motion(x), crossed_);
  // Also vertices that were too far away for the set when the solve began.
  detector_->near_colliders(motion(x), near_colliders_);
  for (const Pair& pair : near_colliders_)
    if (sank(pair, x)) crossed_.push_back(pair);
  crossing_ = !crossed_.empty();
  for (Pair& pair : crossed_) {
    const auto known = std::lower_bound(set_.pairs.begin(), set_.pairs.end(), pair, by_key);
    if (known != set_.pairs.end() && known->key() == pair.key())
      pair.stiffness = std::max(pair.stiffness, stiffening * known->stiffness);
    const auto at = std::lower_bound(forced_.begin(), forced_.end(), pair, by_key);
    if (at != forced_.end() && at->key() == pair.key())
      *at = pair;
    else
      forced_.insert(at, pair);
  }
}

// After a solve that ended at x: contacts anew. True: another solve is due.
bool StepContacts::again(solve::System& system, std::span<const Vec3d> x, double tolerance, int rounds) {
  ++round_;
  if (crossing_) {
    if (repairs_++ == most_repairs) return false;
    find(system, x);
    return true;
  }
  if (round_ >= rounds && dt_ > 0) return false;  // in time the next step finds them anyway
  find(system, x);
  gradient_.resize(x.size());
  settled_ = system.evaluate(x, gradient_).relative <= tolerance;
  if (settled_ || round_ < rounds) return !settled_;
  std::swap(set_, next_);  // x is in balance with those
  system.set_contacts(set_);
  return false;
}

// What crosses enters the set, and a solver that can mends x around it. True: nothing crosses any more.
bool StepContacts::patch(solve::System& system, solve::Solver& solver, std::span<Vec3d> x, double& seconds) {
  const Stopwatch watch(seconds);
  while (crossing_ && repairs_ < most_repairs) {
    next_ = set_;
    add_forced(next_);
    std::swap(set_, next_);
    system.set_contacts(set_);
    std::vector<int32_t> nodes;
    for (const Pair& pair : crossed_)
      for (int32_t node : pair.node)
        if (node >= 0) nodes.push_back(node);
    if (!solver.relax_locally(x, nodes)) return false;
    ++repairs_;
    look(x);
  }
  return !crossing_;
}

solve::SolveReport StepContacts::solve(solve::System& system, solve::Solver& solver, std::span<Vec3d> x,
                                       bool budgeted, double tolerance, const Control& control,
                                       StepReport& report) {
  solve::SolveReport result;
  seconds_ = 0;
  round_ = repairs_ = 0;
  crossing_ = settled_ = false;
  if (active()) find(system, x);
  bool another = false;
  do {
    result = solver.solve(x, tolerance, control);
    add_solve(report, result);
    if (!active()) return result;
    const bool converged = result.status == solve::SolveStatus::converged;
    const bool stalled = result.status == solve::SolveStatus::stalled && std::isfinite(result.last.residual);
    if (!converged && !stalled) break;
    look(x);
    if (!solver.restartable() || (!converged && !budgeted)) break;
    if (budgeted && crossing_) {
      double seconds = 0;
      const bool mended = patch(system, solver, x, seconds);
      report.add_seconds("repairs", seconds);
      if (mended && (dt_ > 0 || !converged)) break;
    }
    const int rounds = !converged ? 0
                       : dt_ > 0  ? std::min(rounds_in_time, model_.contact.rounds)
                                  : model_.contact.rounds;
    another = again(system, x, tolerance, rounds);
  } while (another);
  report.add_seconds("detection", seconds_);
  return result;
}

std::string StepContacts::unsettled() const {
  const int rounds = model_.contact.rounds;
  return "contacts did not settle in " + std::to_string(rounds) + (rounds == 1 ? " round" : " rounds");
}

bool StepContacts::hold_back(const model::DofMap& dofs, std::span<Vec3d> x, StepReport& report) {
  std::vector<double> share(x.size(), 1.0);
  const std::vector<Vec3d> whole(x.begin(), x.end());
  const auto block = dofs.block_of_node();
  bool held = false;
  for (bool moved = true; moved; held |= moved) {
    crossed_.clear();
    detector_->crossings(motion(x), crossed_);
    crossing_ = !crossed_.empty();
    if (!crossing_) {
      if (held) report.notes.emplace_back("what would pass through something else was held back");
      return true;
    }
    moved = false;
    for (const Pair& pair : crossed_)
      for (int32_t node : pair.node)
        if (node >= 0 && block[node] >= 0 && share[node] > 0) {
          share[node] = share[node] > least_share ? 0.5 * share[node] : 0;
          x[node] = x0_[node] + (whole[node] - x0_[node]) * share[node];
          moved = true;
        }
  }
  report.notes.emplace_back("held surfaces pass through each other");
  return false;
}

// Of a vertex below its triangle or collider [m], as it is at x and not as the pair has it.
double StepContacts::depth(const Pair& pair, std::span<const Vec3d> x) const {
  if (pair.edges || pair.two_sided) return 0;
  const Vec3d& v = x[pair.node[0]];
  if (pair.collider >= 0) return -detector_->colliders().nearest(pair.collider, v, inputs_).distance;
  const Vec3d &a = x[pair.node[1]], &b = x[pair.node[2]], &c = x[pair.node[3]];
  const geometry::OnTriangle on = geometry::closest_on_triangle(v, a, b, c);
  const Vec3d outward = cross(b - a, c - a);
  // A triangle that an inverted element turned over has its vertices on the wrong side.
  const bool below = on.feature == 7 && dot(outward, v - a) < 0 && dot(outward, pair.normal) > 0;
  return below ? std::sqrt(on.distance2) : 0;
}

void StepContacts::accept(std::span<const Vec3d> x, StepReport& report) {
  memory_.clear();
  on_node_.assign(x.size(), {0, 0, 0});
  report.contacts = 0;
  std::vector<Below> below;
  for (const Pair& pair : set_.pairs) {
    const Vec3d d = difference(pair, x);
    const double normal = contact::normal_force(pair, d), gap = dot(pair.normal, d);
    if (normal == 0) continue;
    const contact::Friction friction(pair, d);
    const Vec3d u = friction.kept_slip();
    report.dissipation += friction.dissipation();
    const Vec3d force = pair.normal * normal - u * contact::tangent_stiffness(pair);
    memory_.push_back({pair.key(), u, normal, gap, force});
    for (int j = 0; j < 4; ++j)
      if (pair.node[j] >= 0) on_node_[pair.node[j]] += force * pair.weight[j];
    report.contacts += normal > 0;
    if (const double deep = pair.collider < 0 ? depth(pair, x) : 0; deep > 0) below.push_back({deep, &pair});
  }
  for (const Pair& pair : near_colliders_)
    if (const double deep = depth(pair, x); deep > 0) below.push_back({deep, &pair});
  measure_depth(std::move(below), x, report);
}

// A vertex behind a triangle need not be inside the body: where a surface is pleated, other triangles lie between. The deepest
// are looked at first, each against the whole surface; of those that turn out to be outside, no more than `most_looks`.
void StepContacts::measure_depth(std::vector<Below> below, std::span<const Vec3d> x,
                                 StepReport& report) const {
  constexpr int most_looks = 100;
  std::stable_sort(below.begin(), below.end(),
                   [](const Below& a, const Below& b) { return a.depth > b.depth; });
  std::map<int32_t, geometry::MeshDistance> bodies;
  const contact::Surface& surface = detector_->surface();
  int looks = 0;
  for (const auto& [depth, pair] : below) {
    if (depth <= report.penetration || looks == most_looks) return;
    double deep = depth;
    const int32_t body = pair->collider >= 0 ? -1 : model_.body_of_node(pair->node[1]);
    if (body >= 0 && body != model_.body_of_node(pair->node[0])) {
      ++looks;
      const geometry::MeshDistance& other =
          bodies.try_emplace(body, x, model_.bodies[body].surface).first->second;
      const Vec3d& v = x[pair->node[0]];
      deep = other.winding_number(v) > 0.5 ? std::abs(other.closest(v, depth).distance) : 0;
    }
    if (deep <= report.penetration) continue;
    report.penetration = deep;
    report.penetration_edge = deep / surface.edge_length[surface.vertex_of_node[pair->node[0]]];
  }
}

void StepContacts::store(model::State& state) const {
  auto& keys = state.rows("contact_key").i64;
  auto &slip = state.rows("contact_slip").f64, &load = state.rows("contact_load").f64,
       &gap = state.rows("contact_gap").f64, &force = state.rows("contact_force").f64;
  keys.clear();
  for (auto* list : {&slip, &load, &gap, &force}) list->clear();
  for (const Memory& memory : memory_) {
    keys.insert(keys.end(), memory.key.begin(), memory.key.end());
    slip.insert(slip.end(), memory.slip.v, memory.slip.v + 3);
    load.push_back(memory.load);
    gap.push_back(memory.gap);
    force.insert(force.end(), memory.force.v, memory.force.v + 3);
  }
  std::copy(on_node_.begin(), on_node_.end(), state.vectors("contact_node_force").begin());
}

}  // namespace sinew::step

#include "solve/node_sweeps.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "base/large_pages.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "energy/term_interfaces.h"
#include "math/gather.h"

namespace sinew::solve {

using energy::NodeBlocks;
using material::NodeSums;
using math::Mat3;
using math::Vec3;

namespace {

constexpr int64_t thread_blocks = 8;  // blocks of nodes that a thread takes at once
constexpr int max_shortenings = 6;
constexpr int corner_passes = 8;  // over the planes of a node that has several
// Of the force along a step at its start: what it may be at the end, turned round, and how far it may lie from where a
// quadratic energy would take it before the energy itself is asked; and the share of what the force at the start promises
// that the energy must then fall by.
constexpr double turned = 0.9, bent = 0.2, gain = 0.1;
constexpr double noises = 16;  // of rounding, in the energy of a node

// Of each node, to the others of its stencils at rest; no bound where there are none.
std::vector<double> longest_edges(const model::Model& model, std::span<const energy::Stencils> stencils) {
  std::vector<double> edge(model.X.size(), 0.0);
  std::vector<char> point(model.X.size(), 1);
  for (const model::Hinge& hinge : model.hinges)
    if (hinge.turn >= 0) point[hinge.turn] = 0;
  for (const energy::Stencils& list : stencils)
    for (size_t first = 0; first < list.nodes.size(); first += list.width)
      for (int32_t a : list.nodes.subspan(first, list.width))
        for (int32_t b : list.nodes.subspan(first, list.width))
          if (a >= 0 && b >= 0 && point[a] && point[b])
            edge[a] = std::max(edge[a], norm(model.X[a] - model.X[b]));
  for (const model::Hinge& hinge : model.hinges)
    if (hinge.turn >= 0) edge[hinge.turn] = hinge.length;
  for (double& e : edge)
    if (e == 0) e = std::numeric_limits<float>::max();
  return edge;
}

}  // namespace

template <class T>
NodeSweeps<T>::NodeSweeps(System& system, bool modified, std::vector<int32_t> colours)
    : system_(system), modified_(modified) {
  const auto nodes = static_cast<int64_t>(system.model().X.size());
  sort_terms();
  const std::vector<energy::Stencils> stencils = energy::lasting_stencils(system.terms());
  const auto around = std::make_shared<const energy::NodeStencils>(stencils, nodes);
  for (int32_t node = 0; node < nodes; ++node) work_.push_back(around->count(node));
  longest_edge_ = longest_edges(system.model(), stencils);
  if (system.model().has_contacts()) colours_ = std::make_unique<energy::NodeColours>(*around);
  if (colours.empty()) colours = colours_ ? colours_->colours() : energy::NodeColours(*around).colours();
  NodeBlocks& blocks = groups_[0].blocks;
  blocks = energy::make_node_blocks(colours, work_, system.dofs().block_of_node(), math::lanes_of<T>, around);
  groups_[1].blocks.colour_begin = {0};
  if (colours_) {
    place_.assign(nodes, -1);
    for (int64_t b = 0; b < blocks.count(); ++b)
      for (int l = 0; l < blocks.used[b]; ++l) place_[blocks.of(b)[l]] = b * blocks.lanes + l;
  }
  load_.resize(nodes);
  frozen_.resize(nodes);
  full_.resize(nodes);
  resize_on_large_pages(x_, 4 * nodes);
}

template <class T>
void NodeSweeps<T>::sort_terms() {
  overestimates_ = modified_;
  for (const auto& owned : system_.terms()) {
    const energy::Term* term = owned.get();
    const bool driven = dynamic_cast<const energy::ContactDriven*>(term);
    if (const auto* nodes = dynamic_cast<const energy::NodeLocal*>(term)) {
      (driven ? driven_ : lasting_).push_back({term, nodes});
      overestimates_ |= !driven && nodes->overestimates();
    } else {
      (!driven && term->stencils().nodes.empty() ? loads_ : frozen_terms_).push_back(term);
    }
  }
}

template <class T>
void NodeSweeps<T>::build(Group& group) {
  const NodeBlocks& blocks = group.blocks;
  group.visitors.clear();
  group.visitors.resize(blocks.count() > 0 ? lasting_.size() : 0);
  group.versions.assign(group.visitors.size(), -1);
  group.met.assign(blocks.count(), 0.0);
  group.skip.assign(blocks.count(), 0);
  group.guarded.assign(blocks.count(), 0);
  group.reach.clear();
  group.sheet.clear();
  std::vector<char> of_sheet(system_.model().X.size(), 0);
  for (const model::Body& body : system_.model().bodies)
    if (body.kind->is_triangle())
      std::fill(of_sheet.begin() + body.nodes.begin, of_sheet.begin() + body.nodes.end, 1);
  for (int64_t b = 0; b < blocks.count(); ++b) {
    group.reach.push_back(T::generate([&](int l) { return longest_edge_[blocks.of(b)[l]]; }));
    group.sheet.push_back(T::generate([&](int l) { return of_sheet[blocks.of(b)[l]]; }));
  }
  for (const Local& local : lasting_)
    if (!local.nodes->majorant() && !modified_) guard(group, *local.term);
  bind(group);
}

// Visitors of terms whose parameters have changed.
template <class T>
void NodeSweeps<T>::bind(Group& group) {
  for (size_t k = 0; k < group.visitors.size(); ++k) {
    const auto& [term, nodes] = lasting_[k];
    if (group.versions[k] == term->version()) continue;
    group.versions[k] = term->version();
    group.visitors[k] = nullptr;  // before the new one takes its memory
    group.visitors[k] = nodes->visitor(group.blocks, modified_, T{});
    ++visitors_made_;
  }
}

// Colours for the contacts of now, and what they do at the nodes.
template <class T>
void NodeSweeps<T>::build_contacts() {
  const Stopwatch watch(colouring_seconds_);
  contacts_ = system_.contacts_version();
  Group &base = groups_[0], &moved = groups_[1];
  std::fill(base.skip.begin(), base.skip.end(), 0);
  base.changing.clear();
  moved.changing.clear();
  const NodeBlocks before = std::move(moved.blocks);
  moved.blocks = {};
  moved.blocks.colour_begin = {0};
  for (const auto& [term, local] : driven_) {
    if (term->stencils().nodes.empty()) continue;
    const energy::NodeColours::Moved found = colours_->with(term->stencils());
    std::vector<int32_t> nodes, colour;
    for (size_t k = 0; k < found.nodes.size(); ++k)
      if (const int64_t place = place_[found.nodes[k]]; place >= 0) {
        base.skip[place / base.blocks.lanes] |= 1u << (place % base.blocks.lanes);
        nodes.push_back(found.nodes[k]);
        colour.push_back(found.colours[k]);
      }
    moved.blocks = energy::make_node_blocks(nodes, colour, work_, base.blocks);
    NodeBlocks staying = base.blocks;  // what moved shares contacts with nodes of its old colour
    for (const int32_t node : nodes) staying.nodes[place_[node]] = -1;
    base.changing.push_back(local->visitor(staying, modified_, T{}));
    moved.changing.push_back(local->visitor(moved.blocks, modified_, T{}));
  }
  if (moved.blocks.nodes != before.nodes || moved.blocks.colour_begin != before.colour_begin) build(moved);
}

template <class T>
void NodeSweeps<T>::move_to(std::span<const Vec3d> x) {
  for (size_t i = 0; i < x.size(); ++i)
    for (int k = 0; k < 3; ++k) x_[4 * i + k] = static_cast<Scalar>(x[i][k]);
}

// The blocks that have nodes of this term.
template <class T>
void NodeSweeps<T>::guard(Group& group, const energy::Term& term) {
  std::vector<bool> touched(system_.model().X.size(), false);
  for (int32_t node : term.stencils().nodes)
    if (node >= 0) touched[node] = true;
  for (int64_t b = 0; b < group.blocks.count(); ++b)
    for (int32_t node : group.blocks.of(b)) group.guarded[b] |= touched[node];
}

// The directions that are held.
template <class T>
void NodeSweeps<T>::hold(Group& group) {
  const model::DofMap& dofs = system_.dofs();
  group.partial.assign(group.blocks.count(), -1);
  group.projector.clear();
  if (dofs.partials().empty()) return;
  for (int64_t b = 0; b < group.blocks.count(); ++b) {
    const auto nodes = group.blocks.of(b);
    if (std::none_of(nodes.begin(), nodes.end(), [&](int32_t node) { return dofs.partial_of(node); }))
      continue;
    group.partial[b] = static_cast<int32_t>(group.projector.size());
    Mat3<T>& P = group.projector.emplace_back();
    for (int l = 0; l < group.blocks.lanes; ++l) {
      const model::DofMap::Partial* partial = dofs.partial_of(nodes[l]);
      const Mat3d lane = partial ? partial->P : Mat3d::identity();
      for (int k = 0; k < 9; ++k) P.c[k / 3].v[k % 3].set(l, static_cast<Scalar>(lane.c[k / 3].v[k % 3]));
    }
  }
}

template <class T>
void NodeSweeps<T>::put_planes(Group& group) {
  group.planes.clear();
  group.plane_begin.clear();
  if (planes_.empty()) return;
  group.plane_begin.push_back(0);
  for (int64_t b = 0; b < group.blocks.count(); ++b) {
    for (int l = 0; l < group.blocks.used[b]; ++l) {
      const int32_t node = group.blocks.of(b)[l];
      auto at = std::lower_bound(planes_.begin(), planes_.end(), node,
                                 [](const System::Plane& plane, int32_t n) { return plane.node < n; });
      for (; at != planes_.end() && at->node == node; ++at) group.planes.emplace_back(l, *at);
    }
    group.plane_begin.push_back(static_cast<int64_t>(group.planes.size()));
  }
}

template <class T>
void NodeSweeps<T>::project() {
  for (const System::Plane& plane : planes_) {
    if (system_.dofs().block_of_node()[plane.node] < 0) continue;
    Scalar* x = &x_[4 * static_cast<int64_t>(plane.node)];
    const double depth = plane.offset - dot(plane.normal, Vec3d{x[0], x[1], x[2]});
    if (depth > 0)
      for (int i = 0; i < 3; ++i) x[i] = static_cast<Scalar>(x[i] + depth * plane.normal[i]);
  }
}

// Takes away what leads a step from x0 inwards (the rule of Chen et al.), or behind a plane (clamp). With clamp the rest of
// the step gives way as the node's own block A would, along A^-1 n: where sweeps come to rest, only forces along normals are
// left. Taken away along n alone, forces across it would be left too.
template <class T>
void NodeSweeps<T>::keep_outside(const Group& group, int64_t block, const Vec3<T>& x0,
                                 const NodeSums<T>& sums, Vec3<T>& step) {
  for (int64_t p = group.plane_begin[block], end = p; p < group.plane_begin[block + 1]; p = end) {
    const int lane = group.planes[p].first;
    while (end < group.plane_begin[block + 1] && group.planes[end].first == lane) ++end;
    const Vec3d start = {x0[0][lane], x0[1][lane], x0[2][lane]};
    Vec3d move = {step[0][lane], step[1][lane], step[2][lane]};
    const auto inwards = [&](const System::Plane& plane) {
      return plane.clamp ? plane.offset - dot(plane.normal, start + move) : -dot(plane.normal, move);
    };
    const Mat3d inverse_block = inverse(lane_block(group, block, sums, lane));
    for (int pass = 0, passes = end - p > 1 ? corner_passes : 1; pass < passes; ++pass)
      for (int64_t k = p; k < end; ++k) {
        const System::Plane& plane = group.planes[k].second;
        const Vec3d yields = inverse_block * plane.normal;
        const double along = dot(plane.normal, yields), in = inwards(plane);
        if (plane.clamp && in > 0 && along > 0) move += yields * (in / along);
      }
    for (int64_t k = p; k < end; ++k)
      if (const double in = inwards(group.planes[k].second); in > 0)
        move += group.planes[k].second.normal * in;
    for (int i = 0; i < 3; ++i) step[i].set(lane, static_cast<Scalar>(move[i]));
  }
}

// The second derivatives at the node of a lane, without the directions that are held.
template <class T>
Mat3d NodeSweeps<T>::lane_block(const Group& group, int64_t block, const NodeSums<T>& sums, int lane) {
  const T* a = sums.block;
  Mat3d A = {{{a[0][lane], a[1][lane], a[2][lane]},
              {a[1][lane], a[3][lane], a[4][lane]},
              {a[2][lane], a[4][lane], a[5][lane]}}};
  const double size = A(0, 0) + A(1, 1) + A(2, 2);
  if (group.partial[block] >= 0) {
    Mat3d P;
    for (int k = 0; k < 9; ++k)
      P.c[k / 3].v[k % 3] = group.projector[group.partial[block]].c[k / 3].v[k % 3][lane];
    A = P * A * P + (Mat3d::identity() - P) * size;
  }
  return A;
}

template <class T>
void NodeSweeps<T>::mark(std::span<const Vec3d> x) {
  planes_.clear();
  for (const System::Plane& plane : system_.planes())
    if (plane.clamp || dot(plane.normal, x[plane.node]) < plane.offset) planes_.push_back(plane);
  std::stable_sort(planes_.begin(), planes_.end(),
                   [](const auto& a, const auto& b) { return a.node < b.node; });
}

template <class T>
void NodeSweeps<T>::start(std::span<const Vec3d> x) {
  assert(!system_.dofs().carries());
  if (bound_to_ < 0) {
    for (Group& group : groups_) build(group);
  } else if (bound_to_ != system_.params_version()) {
    for (Group& group : groups_) bind(group);
  }
  bound_to_ = system_.params_version();
  if (colours_ && contacts_ != system_.contacts_version()) build_contacts();
  move_to(x);
  project();
  for (Group& group : groups_) {
    hold(group);
    put_planes(group);
  }
  std::fill(load_.begin(), load_.end(), Vec3d{0, 0, 0});
  for (const energy::Term* term : loads_) term->evaluate(system_.view(x), load_);
  if (system_.damping().active()) start_damping();
  fix();
}

// The matrix couples the free nodes; what the held ones have moved by is a load.
template <class T>
void NodeSweeps<T>::start_damping() {
  damping_.reset(system_.pattern(), energy::Precision::full);
  damping_.set_zero();
  system_.damping().assemble(damping_);
  positions(full_);
  for (int32_t node : system_.dofs().node_of_block()) full_[node] = system_.damping().origin()[node];
  system_.damping().evaluate(full_, load_);
}

template <class T>
T NodeSweeps<T>::add_damping(const Group& group, int64_t block, const Vec3<T>& x0, NodeSums<T>& sums) const {
  const energy::BlockPattern& pattern = *system_.pattern();
  const auto origin = system_.damping().origin();
  T energy(0);
  for (int l = 0; l < group.blocks.used[block]; ++l) {
    const int32_t node = group.blocks.of(block)[l], row = system_.dofs().block_of_node()[node];
    const Vec3d moved = Vec3d{x0[0][l], x0[1][l], x0[2][l]} - origin[node];
    const Mat3d own = damping_.block(pattern.diagonal[row]);
    Vec3d others = {0, 0, 0};
    for (int64_t s = pattern.row_begin[row]; s < pattern.row_begin[row + 1]; ++s) {
      const int32_t other = system_.dofs().node_of_block()[pattern.column[s]];
      const Scalar* x = &x_[4 * static_cast<int64_t>(other)];
      if (other != node) others += damping_.block(s) * (Vec3d{x[0], x[1], x[2]} - origin[other]);
    }
    const Vec3d force = own * moved + others;
    energy.set(l, static_cast<Scalar>(dot(moved, own * moved * 0.5 + others)));
    for (int i = 0, m = 0; i < 3; ++i) {
      sums.gradient[i].set(l, static_cast<Scalar>(sums.gradient[i][l] + force[i]));
      for (int j = i; j < 3; ++j, ++m)
        sums.block[m].set(l, static_cast<Scalar>(sums.block[m][l] + own(i, j)));
    }
  }
  return energy;
}

// Loads, frozen forces and inertia into the lanes of the blocks.
template <class T>
void NodeSweeps<T>::fix() {
  if (!frozen_terms_.empty()) {
    positions(full_);
    frozen_ = load_;
    for (const energy::Term* term : frozen_terms_) term->evaluate(system_.view(full_), frozen_);
  }
  const std::vector<Vec3d>& load = frozen_terms_.empty() ? load_ : frozen_;
  const auto weight = system_.inertia_weight();
  const auto target = system_.inertia_target();
  for (Group& group : groups_) {
    group.fixed.resize(group.blocks.count());
    for (int64_t b = 0; b < group.blocks.count(); ++b)
      for (int l = 0; l < group.blocks.lanes; ++l) {
        const int32_t node = group.blocks.of(b)[l];
        Fixed& fixed = group.fixed[b];
        fixed.weight.set(l, static_cast<Scalar>(weight.empty() ? 0 : weight[node]));
        for (int i = 0; i < 3; ++i) {
          fixed.load[i].set(l, static_cast<Scalar>(load[node][i]));
          fixed.target[i].set(l, static_cast<Scalar>(weight.empty() ? 0 : target[node][i]));
        }
      }
  }
}

template <class T>
NodeSums<T> NodeSweeps<T>::sums_at(const Group& group, int64_t block, const Vec3<T>& x0) const {
  const Fixed& fixed = group.fixed[block];
  const T zero(0);
  NodeSums<T> sums{fixed.load + (x0 - fixed.target) * fixed.weight,
                   {fixed.weight, zero, zero, fixed.weight, zero, fixed.weight}};
  const energy::NodeView<T> view{x_.data(), system_.inputs()};
  for (const auto& visitor : group.visitors) visitor->add(view, block, x0, sums);
  for (const auto& visitor : group.changing) visitor->add(view, block, x0, sums);
  if (system_.damping().active()) add_damping(group, block, x0, sums);
  if (group.partial[block] >= 0) sums.gradient = group.projector[group.partial[block]] * sums.gradient;
  return sums;
}

template <class T>
T NodeSweeps<T>::energy_at(const Group& group, int64_t block, const Vec3<T>& x0) const {
  const Fixed& fixed = group.fixed[block];
  const Vec3<T> d = x0 - fixed.target;
  T sum = dot(fixed.load, x0) + T(0.5) * fixed.weight * dot(d, d);
  const energy::NodeView<T> view{x_.data(), system_.inputs()};
  for (const auto& visitor : group.visitors) sum += visitor->energy(view, block, x0);
  for (const auto& visitor : group.changing) sum += visitor->energy(view, block, x0);
  NodeSums<T> unused{};
  if (system_.damping().active()) sum += add_damping(group, block, x0, unused);
  return sum;
}

template <class T>
Vec3<T> NodeSweeps<T>::newton_step(const Group& group, int64_t block, const NodeSums<T>& sums) const {
  const T* a = sums.block;
  Mat3<T> A = {{{a[0], a[1], a[2]}, {a[1], a[3], a[4]}, {a[2], a[4], a[5]}}};
  const T size = a[0] + a[3] + a[5];
  if (group.partial[block] >= 0) {
    const Mat3<T>& P = group.projector[group.partial[block]];
    A = P * A * P + (Mat3<T>::identity() - P) * size;
  }
  // In units of the block's size, and no direction so flat that it would divide by zero.
  const T unit = T(1) / select(size > T(0), size, T(1));
  A *= unit;
  for (int i = 0; i < 3; ++i) A(i, i) += T(4 * std::numeric_limits<Scalar>::epsilon());
  return (inverse(A) * sums.gradient) * -unit;
}

template <class T>
void NodeSweeps<T>::shorten(const Group& group, int64_t block, const Vec3<T>& x0, const Vec3<T>& gradient,
                            double relaxation, Vec3<T>& step) const {
  const T size = norm(step);
  T factor = select(size > group.reach[block], group.reach[block] / size, T(1));
  T length = T(relaxation) * factor, start = T(0);  // the step in Newton steps, energy at its start
  const auto solid = group.sheet[block] == T(0);
  step = step * factor;
  bool known = false;
  for (int k = 0;; ++k) {
    const T before = -dot(gradient, step);
    const T after = dot(sums_at(group, block, x0 + step).gradient, step);
    auto good = after <= T(turned) * before;
    const auto straight = abs(after - (length - T(1)) * before) <= T(bent) * before;
    if (any(good & !(straight & solid))) {
      if (!known) start = energy_at(group, block, x0), known = true;
      const T end = energy_at(group, block, x0 + step);
      const T noise = T(noises * std::numeric_limits<Scalar>::epsilon()) *
                      (abs(start) + abs(end) + norm(group.fixed[block].load) * norm(x0));
      good = good & (straight | (end <= start - T(gain) * before)) & (solid | (end <= start + noise));
    }
    if (all(good)) return;
    if (k == max_shortenings) {
      for (int i = 0; i < 3; ++i) step[i] = select(good, step[i], T(0));
      return;
    }
    const T secant = before / (before + after);
    factor = select(after <= T(0), T(0.5), select(secant > T(0.01), min(secant, T(0.5)), T(0.01)));
    factor = select(good, T(1), factor);
    step = step * factor;
    length *= factor;
  }
}

template <class T>
double NodeSweeps<T>::visit(Group& group, int64_t block, double relaxation) {
  const auto nodes = group.blocks.of(block);
  const Vec3<T> x0 = math::gather3<T>(x_.data(), nodes.data());
  const NodeSums<T> sums = sums_at(group, block, x0);
  Vec3<T> step = newton_step(group, block, sums) * T(relaxation);
  const T force2 = dot(sums.gradient, sums.gradient);
  if (group.guarded[block]) shorten(group, block, x0, sums.gradient, relaxation, step);
  if (!group.plane_begin.empty()) keep_outside(group, block, x0, sums, step);
  const Vec3<T> x1 = x0 + step;
  double met = 0;
  for (int l = 0; l < group.blocks.used[block]; ++l) {
    if (group.skip[block] >> l & 1) continue;
    met += force2[l];
    for (int i = 0; i < 3; ++i) x_[4 * static_cast<int64_t>(nodes[l]) + i] = x1[i][l];
  }
  return met;
}

template <class T>
double NodeSweeps<T>::sweep(double relaxation) {
  if (!frozen_terms_.empty()) fix();
  double met = 0;
  for (Group& group : groups_) {
    const NodeBlocks& blocks = group.blocks;
    for (int64_t c = 0; c < blocks.colours(); ++c) {
      const int64_t begin = blocks.colour_begin[c], count = blocks.colour_begin[c + 1] - begin;
      for_each_block(count, thread_blocks, [&](int64_t first, int64_t last) {
        for (int64_t b = begin + first; b < begin + last; ++b) group.met[b] = visit(group, b, relaxation);
      });
    }
    met = std::accumulate(group.met.begin(), group.met.end(), met);
  }
  return std::sqrt(met);
}

template <class T>
void NodeSweeps<T>::sweep_around(std::span<const int32_t> nodes, int passes) {
  std::vector<char> near(system_.model().X.size(), 0);
  for (int32_t node : nodes)
    groups_[0].blocks.stencils->for_each_neighbour(node, [&](int32_t other) { near[other] = 1; });
  struct Colour {
    Group* group;
    std::vector<int64_t> blocks;
  };
  std::vector<Colour> colours;
  for (Group& group : groups_)
    for (int64_t c = 0; c < group.blocks.colours(); ++c) {
      Colour& colour = colours.emplace_back(Colour{&group, {}});
      for (int64_t b = group.blocks.colour_begin[c]; b < group.blocks.colour_begin[c + 1]; ++b) {
        const auto members = group.blocks.of(b);
        if (std::any_of(members.begin(), members.end(), [&](int32_t node) { return near[node]; }))
          colour.blocks.push_back(b);
      }
    }
  for (int pass = 0; pass < passes; ++pass)
    for (Colour& colour : colours)
      for_each_block(static_cast<int64_t>(colour.blocks.size()), thread_blocks,
                     [&](int64_t first, int64_t last) {
                       for (int64_t k = first; k < last; ++k) visit(*colour.group, colour.blocks[k], 1.0);
                     });
}

template <class T>
void NodeSweeps<T>::positions(std::span<Vec3d> x) const {
  for (size_t i = 0; i < x.size(); ++i) x[i] = {x_[4 * i], x_[4 * i + 1], x_[4 * i + 2]};
}

template <class T>
int64_t NodeSweeps<T>::bytes() const {
  int64_t bytes = 0;
  for (const Group& group : groups_) {
    bytes += static_cast<int64_t>(group.fixed.size() * sizeof(Fixed) +
                                  group.blocks.nodes.size() * sizeof(int32_t));
    for (const auto* list : {&group.visitors, &group.changing})
      for (const auto& visitor : *list) bytes += visitor->bytes();
  }
  return bytes;
}

template class NodeSweeps<math::PackD>;
template class NodeSweeps<math::PackF>;

}  // namespace sinew::solve

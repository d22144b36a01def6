#include "solve/system.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/parallel.h"
#include "contact/barrier_pairs.h"
#include "energy/point_pair_energy.h"
#include "energy/term_interfaces.h"
#include "math/eigen_symmetric.h"
#include "mesh/adjacency.h"
#include "mesh/ordering.h"

namespace sinew::solve {

namespace {

constexpr int64_t node_block = 2048;

std::vector<int32_t> node_order(const model::Model& model) {
  return mesh::reverse_cuthill_mckee(mesh::node_nodes(model.elements, static_cast<int64_t>(model.X.size())));
}

double norm2_of(std::span<const Vec3d> v) {
  return sum_blocks(static_cast<int64_t>(v.size()), node_block, [&](int64_t begin, int64_t end) {
    double s = 0;
    for (int64_t i = begin; i < end; ++i) s += math::norm2(v[i]);
    return s;
  });
}

}  // namespace

System::System(const model::Model& model)
    : model_(model),
      params_(model.params),
      terms_(energy::make_terms(model)),
      dofs_(model, node_order(model)),
      damping_(model, terms_) {
  for (const auto& term : terms_)
    if (auto* driven = dynamic_cast<energy::ContactDriven*>(term.get()))
      driven_.push_back({term.get(), driven});
  for (const auto& term : terms_)
    if (auto* pairs = dynamic_cast<energy::BarrierDriven*>(term.get()))
      barriers_.push_back({term.get(), pairs});
  point_pairs_ = energy::terms_with<energy::PointPairEnergy>(terms_);
  inputs_.resize(model.inputs.size());
  model.inputs.evaluate(0, inputs_);
  dofs_.set_targets(inputs_);
  external_.resize(model.X.size());
  set_floors();
}

const std::shared_ptr<const energy::BlockPattern>& System::pattern() const {
  if (pattern_ && pattern_for_ == stencils_version_) return pattern_;
  pattern_for_ = stencils_version_;
  std::vector<energy::Stencils> stencils;
  for (const auto& term : terms_) stencils.push_back(term->stencils());
  std::vector<int32_t> driven;
  const auto add_driven = [&](const energy::Term& term) {
    const auto nodes = term.stencils().nodes;
    driven.insert(driven.end(), nodes.begin(), nodes.end());
  };
  for (const Driven& each : driven_) add_driven(*each.term);
  for (const Barrier& each : barriers_) add_driven(*each.term);
  if (pattern_ && driven == pattern_driven_) {
    for (const Driven& each : driven_) each.term->map(*pattern_, dofs_.block_of_node());
    for (const Barrier& each : barriers_) each.term->map(*pattern_, dofs_.block_of_node());
    return pattern_;
  }
  pattern_driven_ = std::move(driven);
  pattern_ = std::make_shared<const energy::BlockPattern>(
      energy::make_pattern(stencils, dofs_.block_of_node(), dofs_.block_count()));
  for (auto& term : terms_) term->map(*pattern_, dofs_.block_of_node());
  return pattern_;
}

void System::set_contacts(const contact::ContactSet& contacts) {
  contacts_ = contacts.pairs;
  ++contacts_version_;
  ++stencils_version_;
  for (const Driven& each : driven_) each.contacts->set_contacts(contacts_);
  planes_.clear();
  for (const contact::Pair& pair : contacts_) {
    if (pair.collider < 0) continue;
    const model::Collider& collider = model_.colliders[pair.collider];
    if (collider.response == model::Collider::Response::penalty) continue;
    const Vec3d point = model::pose_at(inputs_, collider.pose)(pair.point);
    planes_.push_back({pair.node[0], pair.normal, dot(pair.normal, point) + pair.thickness,
                       collider.response == model::Collider::Response::clamp});
  }
  set_link_stiffness();
}

void System::set_motion(std::span<const Vec3d> x_n, double rate) {
  for (const auto& term : terms_)
    if (auto* moving = dynamic_cast<energy::MotionDriven*>(term.get()))
      moving->set_motion(x_n, rate, inputs_);
}

void System::set_barrier(contact::BarrierPairs* pairs) {
  barrier_ = pairs;
  ++stencils_version_;
  for (const Barrier& each : barriers_) each.pairs->set_barrier(pairs);
}

double System::clear_way(std::span<const Vec3d> x, std::span<const Vec3d> end) const {
  return barrier_ ? barrier_->clear_way(x, end) : 1;
}

bool System::leave_colliders(std::span<const Vec3d> x, std::span<Vec3d> end) const {
  if (!barrier_ || !barrier_->leave_colliders(x, end)) return false;
  dofs_.retract(end);
  return true;
}

void System::activate_barrier(std::span<const Vec3d> x) const {
  if (!barrier_) return;
  for (const Barrier& each : barriers_)
    if (each.pairs->activate(view(x))) ++stencils_version_;
}

void System::set_floors() {
  floors_ = make_floors(model_, params_);
  bending_stiffness_ = bending_stiffness(model_, params_);
  set_link_stiffness();
}

void System::set_link_stiffness() {
  link_stiffness_ = solve::link_stiffness(model_, params_);
  if (!contacts_.empty()) link_stiffness_.resize(model_.X.size(), 0.0);
  for (const contact::Pair& pair : contacts_)
    contact::for_each_node(model_, pair, [&](int32_t node, double weight) {
      link_stiffness_[node] += std::abs(weight) * pair.stiffness;
    });
}

void System::set_params(const model::Params& params) {
  params_ = params;
  ++version_;
  for (auto& term : terms_) term->bind(params_);
  set_floors();
}

void System::set_inputs(std::span<const double> inputs) {
  inputs_.assign(inputs.begin(), inputs.end());
  dofs_.set_targets(inputs_);
}

void System::set_carried(const model::Carried& carried, std::span<const Vec3d> x) {
  dofs_.set_carried(carried, x);
  ++carried_version_;
}

void System::set_inversion(material::Inversion inversion, double clamp_threshold) {
  inversion_ = inversion;
  clamp_threshold_ = clamp_threshold;
}

void System::leave_planes(std::span<Vec3d> x) const {
  for (const Plane& plane : planes_)
    if (const double depth = plane.offset - dot(plane.normal, x[plane.node]);
        depth > 0 && dofs_.unknown_of_node()[plane.node] >= 0)
      x[plane.node] += plane.normal * depth;
}

// Squares of what presses nodes against planes: reactions, since a plane may be left but not entered.
double System::reactions2(std::span<const Vec3d> x, std::span<const Vec3d> gradient,
                          const model::Range& nodes) const {
  double sum = 0;
  for (const Plane& plane : planes_) {
    if (plane.node < nodes.begin || plane.node >= nodes.end) continue;
    const double pressing = dot(plane.normal, dofs_.free_part(plane.node, gradient[plane.node]));
    const double above = dot(plane.normal, x[plane.node]) - plane.offset;
    if (pressing > 0 && above <= 1e-9 * norm(x[plane.node])) sum += pressing * pressing;
  }
  return sum;
}

// Where nodes are carried, the forces on all nodes that an unknown moves make up its residual.
void System::sum_carried_residual(std::span<const Vec3d> x, std::span<const Vec3d> gradient) const {
  std::vector<Vec3d> residual(dofs_.unknown_count());
  dofs_.pull(x, gradient, residual);
  for (BodySums& sums : body_sums_) sums.free = 0;
  for (int32_t u = 0; u < dofs_.unknown_count(); ++u)
    body_sums_[model_.body_of_node(dofs_.node_of_unknown(u))].free += norm2(residual[u]);
}

// Returns the energy [J].
double System::add_balance(std::span<const Vec3d> x, std::span<Vec3d> external) const {
  return sum_blocks(static_cast<int64_t>(balance_.size()), node_block, [&](int64_t begin, int64_t end) {
    double energy = 0;
    for (int64_t i = begin; i < end; ++i) {
      external[i] -= balance_[i];
      energy -= dot(balance_[i], x[i] - balance_about_[i]);
    }
    return energy;
  });
}

Evaluation System::evaluate(std::span<const Vec3d> x, std::span<Vec3d> gradient) const {
  std::fill(gradient.begin(), gradient.end(), Vec3d{0, 0, 0});
  std::fill(external_.begin(), external_.end(), Vec3d{0, 0, 0});
  Evaluation result;
  result.min_det_F = std::numeric_limits<double>::infinity();
  for (const auto& term : terms_) {
    const energy::EvalInfo info =
        term->evaluate(view(x), term->acts_on_bodies() ? std::span(external_) : gradient);
    result.energy += info.value;
    result.energy_valid &= info.energy_valid;
    result.inverted += info.inverted;
    result.min_det_F = std::min(result.min_det_F, info.min_det_F);
  }
  result.energy += add_balance(x, external_);
  body_sums_.clear();
  for (const model::Body& body : model_.bodies)
    body_sums_.push_back(
        {std::sqrt(norm2_of(gradient.subspan(body.nodes.begin, body.nodes.size()))) +
         std::sqrt(norm2_of(std::span(external_).subspan(body.nodes.begin, body.nodes.size())))});
  if (damping_.active()) result.energy += damping_.evaluate(x, gradient);
  for (size_t b = 0; b < model_.bodies.size(); ++b) {
    const model::Range nodes = model_.bodies[b].nodes;
    const bool bends = model_.bodies[b].bending == model::Bending::shell;
    // Turns are those of hinges, which stand where these are.
    const int32_t turns = model_.bodies[b].visible().end, hinges = model_.bodies[b].hinges.begin;
    const auto [inertial, squared_stiffness, rounding, free] =
        sum_blocks_n<4>(nodes.size(), node_block, [&](int64_t begin, int64_t end) {
          std::array<double, 4> s{};
          for (int64_t i = nodes.begin + begin; i < nodes.begin + end; ++i) {
            gradient[i] += external_[i];
            double stiffness = floors_.body[b].stiffness;
            if (!link_stiffness_.empty()) stiffness += link_stiffness_[i];
            if (inertia_.active()) {
              s[0] += inertia_.add(i, x[i], gradient[i]);
              stiffness += inertia_.weight()[i];
            }
            s[1] += stiffness * stiffness;
            s[2] += stiffness * stiffness * norm2(x[i]);
            double force2 = norm2(dofs_.free_part(static_cast<int32_t>(i), gradient[i]));
            if (bends)
              force2 = beyond_rounding(force2, bending_stiffness_[i],
                                       x[i < turns ? i : model_.hinges[hinges + i - turns].nodes[0]]);
            s[3] += force2;
          }
          return s;
        });
    result.energy += inertial;
    body_sums_[b].stiffness = squared_stiffness;
    body_sums_[b].rounding = rounding;
    body_sums_[b].free = free;
  }
  if (dofs_.carries()) sum_carried_residual(x, gradient);
  double total = 0;
  for (size_t b = 0; b < model_.bodies.size(); ++b) {
    const auto& [scale, stiffness, rounding, free] = body_sums_[b];
    const double unbalanced = std::max(free - reactions2(x, gradient, model_.bodies[b].nodes), 0.0);
    total += unbalanced;
    result.note(static_cast<int32_t>(b), {unbalanced, stiffness, rounding, scale}, floors_.body[b]);
  }
  result.residual = std::sqrt(total);
  if (!std::isfinite(total)) result.relative = std::numeric_limits<double>::infinity();
  result.energy_noise = energy_noise(result.energy, floors_);
  return result;
}

std::string System::rounding_text(int32_t body, double share, std::span<const Vec3d> x) const {
  double largest = 0;
  const model::Range nodes = model_.bodies[body].visible();
  for (int32_t i = nodes.begin; i < nodes.end; ++i)
    for (const double c : x[i].v) largest = std::max(largest, std::abs(c));
  return fmt::format(
      "rounding limits the residual to {:.2g} of the forces: coordinates of {:.3g} m are too far from the "
      "origin for edges of {:.3g} m",
      share, largest, floors_.body[body].edge);
}

void System::assemble(std::span<const Vec3d> x, Hessian hessian, energy::BlockMatrix& matrix,
                      PointPairs pairs) const {
  matrix.set_zero();
  for (const auto& term : terms_)
    if (pairs == PointPairs::with || !dynamic_cast<const energy::PointPairEnergy*>(term.get()))
      term->assemble(view(x), hessian, 1.0, matrix);
  damping_.assemble(matrix);
  inertia_.assemble(dofs_.node_of_block(), matrix);
  const auto& pattern = *this->pattern();
  // P K P on the rows and columns of partly held nodes.
  for (const auto& partial : dofs_.partials()) {
    const int32_t row = dofs_.block_of_node()[partial.node];
    const int64_t d = pattern.diagonal[row];
    const double size = std::max(trace(matrix.block(d)), 1e-30);
    for (int64_t s = pattern.row_begin[row]; s < pattern.row_begin[row + 1]; ++s) {
      matrix.set(s, partial.P * matrix.block(s));
      const int64_t mirror = pattern.slot(pattern.column[s], row);
      matrix.set(mirror, matrix.block(mirror) * partial.P);
    }
    matrix.add(d, (Mat3d::identity() - partial.P) * size);
  }
}

void System::product(std::span<const Vec3d> x, Hessian hessian, std::span<const Vec3d> d,
                     std::span<Vec3d> out) const {
  std::fill(out.begin(), out.end(), Vec3d{0, 0, 0});
  for (const auto& term : terms_) term->product(view(x), hessian, d, out);
  damping_.apply(d, out);
  inertia_.apply(d, out);
}

void System::linearise(std::span<const Vec3d> x, Hessian hessian) const {
  if (linearised_.empty())
    for (const auto& term : terms_)
      if (auto linearisation = term->linearisation()) linearised_.push_back(std::move(linearisation));
  for (const auto& linearisation : linearised_) linearisation->set(view(x), hessian);
}

void System::apply(std::span<const Vec3d> d, std::span<Vec3d> out) const {
  std::fill(out.begin(), out.end(), Vec3d{0, 0, 0});
  for (const auto& linearisation : linearised_) linearisation->apply(d, out);
  damping_.apply(d, out);
  inertia_.apply(d, out);
}

void System::diagonal(std::span<Mat3d> blocks) const {
  std::fill(blocks.begin(), blocks.end(), Mat3d::zero());
  for (const auto& linearisation : linearised_) linearisation->diagonal(blocks);
  damping_.diagonal(blocks);
  inertia_.diagonal(blocks);
}

std::vector<Mat3d> System::curvature(std::span<const Vec3d> x, Hessian hessian) const {
  if (dofs_.frames().count() == 0) return {};
  std::vector<Vec3d> gradient(x.size());
  evaluate(x, gradient);
  std::vector<Mat3d> blocks = dofs_.curvature(x, gradient);
  if (hessian != Hessian::exact)
    for (Mat3d& block : blocks) block = math::project_psd(block, 0.0);
  return blocks;
}

bool System::has_stiff_links() const {
  constexpr double stiff = 100;  // over the stiffness of a node
  for (size_t b = 0; b < model_.bodies.size() && !link_stiffness_.empty(); ++b) {
    const model::Range nodes = model_.bodies[b].nodes;
    const double least = stiff * floors_.body[b].stiffness;
    if (std::any_of(link_stiffness_.begin() + nodes.begin, link_stiffness_.begin() + nodes.end,
                    [&](double k) { return k > least; }))
      return true;
  }
  return false;
}

int64_t System::bytes() const {
  return static_cast<int64_t>(pattern()->column.size() * sizeof(int32_t) +
                              pattern()->row_begin.size() * 2 * sizeof(int64_t));
}

int64_t System::scratch_bytes() const {
  int64_t bytes = 0;
  for (const auto& linearisation : linearised_) bytes += linearisation->bytes();
  return bytes;
}

}  // namespace sinew::solve

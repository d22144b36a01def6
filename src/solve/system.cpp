#include "solve/system.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "mesh/adjacency.h"
#include "mesh/ordering.h"

namespace sinew::solve {

namespace {

constexpr int64_t node_block = 2048;

std::vector<int32_t> node_order(const model::Model& model) {
  const auto count = static_cast<int64_t>(model.X.size());
  if (model.edge_nodes.empty())
    return mesh::reverse_cuthill_mckee(mesh::node_nodes<4>(std::span<const model::Tet>(model.tets), count));
  std::vector<std::array<int32_t, 10>> nodes;
  for (size_t t = 0; t < model.tets.size(); ++t) {
    nodes.push_back(model.all_nodes(static_cast<int32_t>(t)));
    for (int32_t& node : nodes.back())
      if (node < 0) node = nodes.back()[0];
  }
  return mesh::reverse_cuthill_mckee(
      mesh::node_nodes<10>(std::span<const std::array<int32_t, 10>>(nodes), count));
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
      dofs_(model, node_order(model)) {
  inputs_.resize(model.inputs.size());
  model.inputs.evaluate(0, inputs_);
  dofs_.set_targets(inputs_);
  external_.resize(model.X.size());
  work_.resize(model.X.size());
  work2_.resize(model.X.size());
  set_floors();
}

const std::shared_ptr<const energy::BlockPattern>& System::pattern() const {
  if (pattern_ && pattern_for_ == contacts_version_) return pattern_;
  pattern_for_ = contacts_version_;
  std::vector<energy::Stencils> stencils;
  std::vector<int32_t> changes;
  for (const auto& term : terms_) {
    stencils.push_back(term->stencils());
    if (term->changes())
      changes.insert(changes.end(), stencils.back().nodes.begin(), stencils.back().nodes.end());
  }
  if (pattern_ && changes == pattern_changes_) {
    for (auto& term : terms_)
      if (term->changes()) term->map(*pattern_, dofs_.block_of_node());
    return pattern_;
  }
  pattern_changes_ = std::move(changes);
  pattern_ = std::make_shared<const energy::BlockPattern>(
      energy::make_pattern(stencils, dofs_.block_of_node(), dofs_.block_count()));
  for (auto& term : terms_) term->map(*pattern_, dofs_.block_of_node());
  return pattern_;
}

void System::set_contacts(const contact::ContactSet& contacts) {
  contacts_ = contacts.pairs;
  ++contacts_version_;
  for (auto& term : terms_) term->set_contacts(contacts_);
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

void System::set_floors() {
  floors_ = make_floors(model_, params_);
  set_link_stiffness();
}

void System::set_link_stiffness() {
  link_stiffness_ = solve::link_stiffness(model_, params_);
  if (!contacts_.empty()) link_stiffness_.resize(model_.X.size(), 0.0);
  for (const contact::Pair& pair : contacts_)
    for (int k = 0; k < 4; ++k)
      if (pair.node[k] >= 0) link_stiffness_[pair.node[k]] += std::abs(pair.weight[k]) * pair.stiffness;
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

void System::set_inversion(material::Inversion inversion, double clamp_threshold) {
  inversion_ = inversion;
  clamp_threshold_ = clamp_threshold;
}

void System::set_inertia(std::span<const double> weight, std::span<const Vec3d> target) {
  weight_.assign(weight.begin(), weight.end());
  target_.assign(target.begin(), target.end());
}

double System::damping_factor(const energy::Term& term) const {
  const int32_t body = term.damped_body();
  return body < 0 ? 0 : damping_rate_ * model_.bodies[body].stiffness_damping;
}

void System::set_damping(std::span<const Vec3d> x_n, double rate) {
  damping_rate_ = rate;
  damping_scratch_.resize(terms_.size());
  damping_x_.assign(x_n.begin(), x_n.end());
  for (size_t t = 0; t < terms_.size(); ++t)
    if (damping_factor(*terms_[t]) > 0)
      terms_[t]->linearise(view(damping_x_), Hessian::projected, damping_scratch_[t]);
}

double System::damp(std::span<const Vec3d> x, std::span<Vec3d> gradient) const {
  double energy = 0;
  for (size_t t = 0; t < terms_.size(); ++t) {
    const double factor = damping_factor(*terms_[t]);
    if (factor == 0) continue;
    for (size_t i = 0; i < x.size(); ++i) {
      work_[i] = x[i] - damping_x_[i];
      work2_[i] = {0, 0, 0};
    }
    terms_[t]->apply(damping_scratch_[t], work_, work2_);
    for (size_t i = 0; i < x.size(); ++i) {
      energy += 0.5 * factor * dot(work_[i], work2_[i]);
      gradient[i] += work2_[i] * factor;
    }
  }
  return energy;
}

void System::leave_planes(std::span<Vec3d> x) const {
  for (const Plane& plane : planes_)
    if (const double depth = plane.offset - dot(plane.normal, x[plane.node]);
        depth > 0 && dofs_.block_of_node()[plane.node] >= 0)
      x[plane.node] += plane.normal * depth;
}

bool System::outside_planes(std::span<const Vec3d> x) const {
  return std::none_of(planes_.begin(), planes_.end(), [&](const Plane& plane) {
    const Vec3d& at = x[plane.node];
    return plane.offset - dot(plane.normal, at) > 1e-9 * norm(at) && dofs_.block_of_node()[plane.node] >= 0;
  });
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

Evaluation System::evaluate(std::span<const Vec3d> x, std::span<Vec3d> gradient) const {
  std::fill(gradient.begin(), gradient.end(), Vec3d{0, 0, 0});
  std::fill(external_.begin(), external_.end(), Vec3d{0, 0, 0});
  Evaluation result;
  result.min_det_F = std::numeric_limits<double>::infinity();
  for (const auto& term : terms_) {
    const energy::EvalInfo info = term->evaluate(view(x), term->external() ? std::span(external_) : gradient);
    result.energy += info.value;
    result.energy_valid &= info.energy_valid;
    result.inverted += info.inverted;
    result.min_det_F = std::min(result.min_det_F, info.min_det_F);
  }
  std::vector<double>& scale = body_scale_;
  scale.clear();
  for (const model::Body& body : model_.bodies)
    scale.push_back(std::sqrt(norm2_of(gradient.subspan(body.nodes.begin, body.nodes.size()))) +
                    std::sqrt(norm2_of(std::span(external_).subspan(body.nodes.begin, body.nodes.size()))));
  if (damping_rate_ > 0) result.energy += damp(x, gradient);
  const bool inertia = !weight_.empty();
  double total = 0;
  for (size_t b = 0; b < model_.bodies.size(); ++b) {
    const model::Range nodes = model_.bodies[b].nodes;
    const auto [inertial, rounding, free] =
        sum_blocks_n<3>(nodes.size(), node_block, [&](int64_t begin, int64_t end) {
          std::array<double, 3> s{};
          for (int64_t i = nodes.begin + begin; i < nodes.begin + end; ++i) {
            gradient[i] += external_[i];
            double stiffness = floors_.body[b].stiffness;
            if (!link_stiffness_.empty()) stiffness += link_stiffness_[i];
            if (inertia) {
              const Vec3d d = x[i] - target_[i];
              s[0] += 0.5 * weight_[i] * norm2(d);
              gradient[i] += d * weight_[i];
              stiffness += weight_[i];
            }
            s[1] += stiffness * stiffness * norm2(x[i]);
            s[2] += norm2(dofs_.free_part(static_cast<int32_t>(i), gradient[i]));
          }
          return s;
        });
    result.energy += inertial;
    const double unbalanced = std::max(free - reactions2(x, gradient, nodes), 0.0);
    total += unbalanced;
    result.relative =
        std::max(result.relative, relative_residual({unbalanced, rounding, scale[b]}, floors_.body[b]));
  }
  result.residual = std::sqrt(total);
  if (!std::isfinite(total)) result.relative = std::numeric_limits<double>::infinity();
  result.energy_noise = energy_noise(result.energy, floors_);
  return result;
}

void System::assemble_damping(energy::BlockMatrix& matrix) const {
  for (const auto& term : terms_)
    if (const double factor = damping_factor(*term); factor > 0)
      term->assemble(view(damping_x_), Hessian::projected, factor, matrix);
}

void System::assemble(std::span<const Vec3d> x, Hessian hessian, energy::BlockMatrix& matrix) const {
  matrix.set_zero();
  for (const auto& term : terms_) term->assemble(view(x), hessian, 1.0, matrix);
  assemble_damping(matrix);
  const auto& pattern = *this->pattern();
  const auto node = dofs_.node_of_block();
  if (!weight_.empty())
    for (int32_t b = 0; b < pattern.rows(); ++b)
      matrix.add(pattern.diagonal[b], Mat3d::identity() * weight_[node[b]]);
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

// The products of what is quadratic: stiffness damping and node weights.
void System::add_quadratic(std::span<const Vec3d> d, std::span<Vec3d> out) const {
  for (size_t t = 0; t < terms_.size(); ++t) {
    const double factor = damping_factor(*terms_[t]);
    if (factor == 0) continue;
    std::fill(work2_.begin(), work2_.end(), Vec3d{0, 0, 0});
    terms_[t]->apply(damping_scratch_[t], d, work2_);
    for (size_t i = 0; i < d.size(); ++i) out[i] += work2_[i] * factor;
  }
  if (!weight_.empty())
    for (size_t i = 0; i < d.size(); ++i) out[i] += d[i] * weight_[i];
}

void System::product(std::span<const Vec3d> x, Hessian hessian, std::span<const Vec3d> d,
                     std::span<Vec3d> out) const {
  std::fill(out.begin(), out.end(), Vec3d{0, 0, 0});
  for (const auto& term : terms_) term->product(view(x), hessian, d, out);
  add_quadratic(d, out);
}

void System::linearise(std::span<const Vec3d> x, Hessian hessian) const {
  scratch_.resize(terms_.size());
  for (size_t t = 0; t < terms_.size(); ++t) terms_[t]->linearise(view(x), hessian, scratch_[t]);
}

void System::apply(std::span<const Vec3d> d, std::span<Vec3d> out) const {
  std::fill(out.begin(), out.end(), Vec3d{0, 0, 0});
  for (size_t t = 0; t < terms_.size(); ++t) terms_[t]->apply(scratch_[t], d, out);
  add_quadratic(d, out);
}

void System::diagonal(std::span<Mat3d> blocks) const {
  std::fill(blocks.begin(), blocks.end(), Mat3d::zero());
  std::vector<Mat3d> damped;
  for (size_t t = 0; t < terms_.size(); ++t) {
    terms_[t]->diagonal(scratch_[t], blocks);
    const double factor = damping_factor(*terms_[t]);
    if (factor == 0) continue;
    damped.assign(blocks.size(), Mat3d::zero());
    terms_[t]->diagonal(damping_scratch_[t], damped);
    for (size_t i = 0; i < blocks.size(); ++i) blocks[i] += damped[i] * factor;
  }
  if (!weight_.empty())
    for (size_t i = 0; i < blocks.size(); ++i) blocks[i] += Mat3d::identity() * weight_[i];
}

int64_t System::bytes() const {
  return static_cast<int64_t>(pattern()->column.size() * sizeof(int32_t) +
                              pattern()->row_begin.size() * 2 * sizeof(int64_t));
}

int64_t System::scratch_bytes() const {
  int64_t bytes = 0;
  for (const energy::Scratch& scratch : scratch_)
    bytes += static_cast<int64_t>(scratch.packs.size() * sizeof(math::PackD));
  return bytes;
}

}  // namespace sinew::solve

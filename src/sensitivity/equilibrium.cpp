#include "sensitivity/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <mutex>

#include "energy/term_interfaces.h"
#include "sensitivity/equilibrium_contacts.h"
#include "sensitivity/held_nodes.h"
#include "sensitivity/param_derivatives.h"
#include "sensitivity/tangent.h"
#include "solve/vectors.h"

namespace sinew::sensitivity {

namespace {

constexpr double accepted_residual = 1e-5;  // ten times what solvers stop at

bool finite(std::span<const Vec3d> v) {
  return std::all_of(v.begin(), v.end(), [](const Vec3d& a) { return std::isfinite(a[0] + a[1] + a[2]); });
}
bool finite(std::span<const double> v) {
  return std::all_of(v.begin(), v.end(), [](double a) { return std::isfinite(a); });
}

Error wrong_count(std::string_view what, size_t found, size_t expected) {
  return usage_error(fmt::format("{}: found {} values, expected {}", what, found, expected));
}

Error at(Error error, std::string_view where) {
  error.where = where;
  return error;
}

Result<void> check_field(const model::ParamField& field, size_t elements, const std::string& what) {
  const size_t n = field.values.size();
  if (n > 1 && n != elements) return wrong_count(what, n, elements);
  if (!finite(field.values)) return usage_error(what + ": found a number that is not finite");
  return {};
}

Result<void> check_list(const std::vector<double>& list, size_t expected, const std::string& what) {
  if (!list.empty() && list.size() != expected) return wrong_count(what, list.size(), expected);
  if (!finite(list)) return usage_error(what + ": found a number that is not finite");
  return {};
}

Result<void> check_change(const model::Model& model, const Change& change) {
  if (auto ok = check_list(change.inputs, model.inputs.size(), "inputs"); !ok) return ok;
  const model::Params& params = change.params;
  if (auto ok = check_list(params.link_normal, model.links.size(), "link_normal"); !ok) return ok;
  if (auto ok = check_list(params.link_tangent, model.links.size(), "link_tangent"); !ok) return ok;
  if (!params.material.empty() && params.material.size() != model.sets.size())
    return wrong_count("material", params.material.size(), model.sets.size());
  for (size_t s = 0; s < params.material.size(); ++s) {
    const std::string what = fmt::format("material of set {}", s);
    const size_t count = model.params.material[s].size();
    if (!params.material[s].empty() && params.material[s].size() != count)
      return wrong_count(what, params.material[s].size(), count);
    for (const model::ParamField& field : params.material[s])
      if (auto ok = check_field(field, model.sets[s].elements.size(), what); !ok) return ok;
  }
  if (!params.density.empty() && params.density.size() != model.bodies.size())
    return wrong_count("density", params.density.size(), model.bodies.size());
  for (size_t b = 0; b < params.density.size(); ++b)
    if (auto ok = check_field(params.density[b], model.bodies[b].elements.size(), "density"); !ok) return ok;
  if (!params.rigidity.empty() && params.rigidity.size() != model.bodies.size())
    return wrong_count("rigidity", params.rigidity.size(), model.bodies.size());
  for (size_t b = 0; b < params.rigidity.size(); ++b)
    if (auto ok = check_field(params.rigidity[b], model.bodies[b].elements.size(), "rigidity"); !ok)
      return ok;
  return {};
}

// Zero for each element, in the shape of a Gradient.
model::Params zero_params(const model::Model& model) {
  model::Params params;
  for (size_t s = 0; s < model.sets.size(); ++s)
    params.material.emplace_back(model.params.material[s].size(),
                                 model::ParamField{std::vector<double>(model.sets[s].elements.size(), 0.0)});
  for (const model::Body& body : model.bodies)
    params.density.push_back({std::vector<double>(body.elements.size(), 0.0)});
  for (size_t b = 0; b < model.params.rigidity.size(); ++b)
    params.rigidity.push_back({std::vector<double>(model.bodies[b].elements.size(), 0.0)});
  params.link_normal.assign(model.links.size(), 0.0);
  params.link_tangent.assign(model.links.size(), 0.0);
  return params;
}

}  // namespace

struct EquilibriumDerivative::Parts {
  explicit Parts(const model::Model& m) : model(m), system(m) {}

  const model::Model& model;
  solve::System system;
  const std::vector<const energy::InputDependent*> input_terms =
      energy::terms_with<energy::InputDependent>(system.terms());
  const std::vector<const energy::PlateBending*> bendings =
      energy::terms_with<energy::PlateBending>(system.terms());
  std::unique_ptr<contact::BarrierPairs> barrier;  // null: contacts are by penalty
  std::vector<Vec3d> x, g;
  std::unique_ptr<Tangent> tangent;
  std::vector<std::string> warnings;
  double relative = 0;
  std::mutex mutex;  // the System and the solver have scratch of their own

  HeldNodes held() const { return {model, system.dofs(), system.inputs(), x, g}; }
  Result<void> take_state(std::span<const double> inputs, const model::State& state);
  Result<void> take_contacts(const model::State& state);
  void look_at_residual();
  // The motion of held nodes by a change, and the force of the change on all nodes.
  void add_force(const Change& change, std::span<Vec3d> dx, std::span<Vec3d> force) const;
};

Result<void> EquilibriumDerivative::Parts::take_state(std::span<const double> inputs,
                                                      const model::State& state) {
  if (!model.winds.empty())
    return usage_error(
        "the scene has wind, whose force follows the start of a step and has no derivative at an "
        "equilibrium; "
        "expected a scene without \"wind\"");
  if (inputs.size() != static_cast<size_t>(model.inputs.size()))
    return wrong_count("inputs", inputs.size(), model.inputs.size());
  if (!finite(inputs)) return usage_error("inputs: found a number that is not finite");
  if (state.x().size() != model.X.size())
    return wrong_count("positions of the state", state.x().size(), model.X.size());
  if (!finite(state.x())) return usage_error("state: found a position that is not finite");
  x.assign(state.x().begin(), state.x().end());
  g.resize(x.size());
  system.set_inputs(inputs);
  std::vector<Vec3d> held_x = x;
  system.dofs().retract(held_x);
  double off = 0, size = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    off = std::max(off, norm(held_x[i] - x[i]));
    size = std::max(size, norm(x[i] - x[0]));
  }
  if (off > 1e-8 * size)
    return usage_error(fmt::format(
        "inputs: held nodes of the state are up to {:.3g} m from where these inputs hold them; expected "
        "the inputs that the state is in equilibrium with",
        off));
  return {};
}

Result<void> EquilibriumDerivative::Parts::take_contacts(const model::State& state) {
  if (!model.has_contacts()) return {};
  StateContacts found = contacts_of(model, system.inputs(), state);
  system.set_contacts(found.set);
  if (found.barrier) {
    barrier = std::move(found.barrier);
    system.set_barrier(barrier.get());
    system.activate_barrier(x);
  }
  if (!system.planes().empty())
    return usage_error(
        "a collider moves nodes instead of pushing them (\"response\": \"project\" or \"clamp\"): this has "
        "no "
        "derivative; expected \"penalty\"");
  if (found.pressing + found.near > 0)
    warnings.push_back(fmt::format(
        "contacts: {} press and {} nearly do; they keep their {} of friction, and none opens or closes in "
        "the derivative",
        found.pressing, found.near, barrier ? "stiffness and loads" : "normals, stiffness and loads"));
  return {};
}

void EquilibriumDerivative::Parts::look_at_residual() {
  const solve::Evaluation now = system.evaluate(x, g);
  relative = std::max(now.relative, now.rounding);
  if (!(relative <= accepted_residual))
    warnings.push_back(
        fmt::format("not an equilibrium: the relative residual is {:.2g}, expected {:g} or less", relative,
                    accepted_residual));
  if (now.inverted > 0)
    warnings.push_back(
        fmt::format("{} elements are inverted: the derivative is that of the energy as it is continued there",
                    now.inverted));
}

void EquilibriumDerivative::Parts::add_force(const Change& change, std::span<Vec3d> dx,
                                             std::span<Vec3d> force) const {
  if (!change.inputs.empty()) {
    held().change(change.inputs, dx, force);
    std::vector<Vec3d> Kd(x.size());
    tangent->apply(dx, false, Kd);
    solve::add_scaled(force, Kd, 1);
    for (const energy::InputDependent* term : input_terms)
      term->input_change(system.view(x), change.inputs, force);
  }
  add_material_change(model, system.params(), x, change.params, force);
  for (const energy::PlateBending* bending : bendings)
    add_bending_change(model, system.params(), *bending, system.view(x), change.params, force);
  add_density_change(model, system.inputs(), change.params, force);
  add_link_change(model, system.inputs(), x, change.params, force);
}

EquilibriumDerivative::EquilibriumDerivative(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
EquilibriumDerivative::EquilibriumDerivative(EquilibriumDerivative&&) noexcept = default;
EquilibriumDerivative& EquilibriumDerivative::operator=(EquilibriumDerivative&&) noexcept = default;
EquilibriumDerivative::~EquilibriumDerivative() = default;

std::span<const std::string> EquilibriumDerivative::warnings() const { return parts_->warnings; }
double EquilibriumDerivative::relative_residual() const { return parts_->relative; }
std::string_view EquilibriumDerivative::linear_solver() const { return parts_->tangent->solver(); }

Result<EquilibriumDerivative> EquilibriumDerivative::at(const model::Model& model,
                                                        std::span<const double> inputs,
                                                        const model::State& state, int32_t most_factored) {
  auto parts = std::make_unique<Parts>(model);
  if (auto ok = parts->take_state(inputs, state); !ok) return sensitivity::at(ok.error(), "derivative");
  if (auto ok = parts->take_contacts(state); !ok) return sensitivity::at(ok.error(), "derivative");
  parts->look_at_residual();
  parts->tangent = std::make_unique<Tangent>(parts->system, parts->x, most_factored);
  if (auto ok = parts->tangent->factor(parts->warnings); !ok)
    return sensitivity::at(ok.error(), "derivative");
  return EquilibriumDerivative(std::move(parts));
}

Result<std::vector<Vec3d>> EquilibriumDerivative::forward(const Change& change) const {
  auto all = forward(std::span(&change, 1));
  if (!all) return all.error();
  return std::move(all->front());
}

Result<std::vector<std::vector<Vec3d>>> EquilibriumDerivative::forward(
    std::span<const Change> changes) const {
  Parts& parts = *parts_;
  for (const Change& change : changes)
    if (auto ok = check_change(parts.model, change); !ok) return sensitivity::at(ok.error(), "forward");
  const std::lock_guard lock(parts.mutex);
  const size_t n = parts.x.size();
  const auto& dofs = parts.system.dofs();
  std::vector<std::vector<Vec3d>> all(changes.size(), std::vector<Vec3d>(n)), rhs(changes.size()),
      q(changes.size());
  std::vector<Vec3d> force(n), pushed(n);
  for (size_t k = 0; k < changes.size(); ++k) {
    std::fill(force.begin(), force.end(), Vec3d{0, 0, 0});
    parts.add_force(changes[k], all[k], force);
    rhs[k].resize(dofs.unknown_count());
    dofs.pull(parts.x, force, rhs[k]);
  }
  if (auto ok = parts.tangent->solve(rhs, false, q); !ok) return sensitivity::at(ok.error(), "forward");
  for (size_t k = 0; k < changes.size(); ++k) {
    dofs.push(parts.x, q[k], pushed);
    solve::add_scaled(all[k], pushed, -1);
  }
  return all;
}

Result<Gradient> EquilibriumDerivative::adjoint(std::span<const Vec3d> dL_dx) const {
  const std::vector<Vec3d> one(dL_dx.begin(), dL_dx.end());
  auto all = adjoint(std::span(&one, 1));
  if (!all) return all.error();
  return std::move(all->front());
}

Result<std::vector<Gradient>> EquilibriumDerivative::adjoint(
    std::span<const std::vector<Vec3d>> dL_dx) const {
  Parts& parts = *parts_;
  const size_t n = parts.x.size();
  for (const std::vector<Vec3d>& one : dL_dx) {
    if (one.size() != n) return sensitivity::at(wrong_count("dL/dx", one.size(), n), "adjoint");
    if (!finite(one))
      return sensitivity::at(usage_error("dL/dx: found a number that is not finite"), "adjoint");
  }
  const std::lock_guard lock(parts.mutex);
  const auto& dofs = parts.system.dofs();
  std::vector<std::vector<Vec3d>> rhs(dL_dx.size()), q(dL_dx.size()), multipliers(dL_dx.size());
  for (size_t k = 0; k < dL_dx.size(); ++k) {
    rhs[k].resize(dofs.unknown_count());
    dofs.pull(parts.x, dL_dx[k], rhs[k]);
  }
  if (auto ok = parts.tangent->solve(rhs, true, q); !ok) return sensitivity::at(ok.error(), "adjoint");

  std::vector<Gradient> gradients;
  std::vector<Vec3d> moved(n);
  const auto inputs = parts.system.inputs();
  for (size_t k = 0; k < dL_dx.size(); ++k) {
    std::vector<Vec3d>& multiplier = multipliers[k];
    multiplier.resize(n);
    dofs.push(parts.x, q[k], multiplier);
    parts.tangent->apply(multiplier, true, moved);
    for (size_t i = 0; i < n; ++i) moved[i] = dL_dx[k][i] - moved[i];
    for (Vec3d& l : multiplier) l = -l;
    Gradient& gradient = gradients.emplace_back(
        Gradient{std::vector<double>(parts.model.inputs.size(), 0.0), zero_params(parts.model)});
    parts.held().gradient(moved, multiplier, gradient.inputs);
    for (const energy::InputDependent* term : parts.input_terms)
      term->input_gradient(parts.system.view(parts.x), multiplier, gradient.inputs);
    for (const energy::PlateBending* bending : parts.bendings)
      add_bending_gradient(parts.model, parts.system.params(), *bending, parts.system.view(parts.x),
                           multiplier, gradient.params);
    add_density_gradient(parts.model, inputs, multiplier, gradient.params);
    add_link_gradient(parts.model, inputs, parts.x, multiplier, gradient.params);
  }
  std::vector<model::Params*> params;
  for (Gradient& gradient : gradients) params.push_back(&gradient.params);
  add_material_gradient(parts.model, parts.system.params(), parts.x, multipliers, params);
  return gradients;
}

model::Params gathered(const model::Params& each, const model::Params& like) {
  model::Params result = each;
  const auto gather = [](model::ParamField& field, const model::ParamField& shape) {
    if (shape.values.size() != 1) return;
    double sum = 0;
    for (double value : field.values) sum += value;
    field.values = {sum};
  };
  for (size_t s = 0; s < like.material.size(); ++s)
    for (size_t v = 0; v < like.material[s].size(); ++v) gather(result.material[s][v], like.material[s][v]);
  for (size_t b = 0; b < like.density.size(); ++b) gather(result.density[b], like.density[b]);
  for (size_t b = 0; b < like.rigidity.size(); ++b) gather(result.rigidity[b], like.rigidity[b]);
  return result;
}

}  // namespace sinew::sensitivity

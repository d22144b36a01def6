// The answers of a model about a state: energy, forces, residual, second derivatives, deformation, stress, reactions, quantities.
// Inertia is not part of it, and contacts only where the state remembers their forces.
#include <algorithm>
#include <cmath>
#include <functional>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "measure/points.h"
#include "measure/stored_contacts.h"

namespace sinew::python {
namespace {

using math::Mat3d;
using math::Vec3d;

std::vector<double> inputs_at(const model::Model& model, double time) {
  std::vector<double> inputs(static_cast<size_t>(model.inputs.size()));
  model.inputs.evaluate(time, inputs);
  return inputs;
}

struct At {
  solve::Evaluation evaluation;
  std::vector<Vec3d> gradient;
};

// With the forces that the state's contacts had, which a System does not know of without its pairs.
void add_contacts(const PyModel& model, const model::State& state, const model::DofMap& dofs, At& at) {
  if (!state.has("contact_node_force")) return;
  const std::span<const Vec3d> forces = state.vectors("contact_node_force");
  if (std::all_of(forces.begin(), forces.end(), [](const Vec3d& f) { return norm2(f) == 0; })) return;
  const measure::Snapshot snapshot(model.model(), model.model().params, state);
  const std::span<const Vec3d> inside = snapshot.internal_gradient(), outside = snapshot.external_gradient();
  double total = 0;
  at.evaluation.relative = 0;
  for (const model::Body& body : model.model().bodies) {
    double free = 0, internal = 0, external = 0;
    for (int32_t i = body.nodes.begin; i < body.nodes.end; ++i) {
      at.gradient[i] -= forces[i];
      free += norm2(dofs.free_part(i, at.gradient[i]));
      internal += norm2(inside[i] - forces[i]);
      external += norm2(outside[i]);
    }
    total += free;
    const double scale = std::sqrt(internal) + std::sqrt(external);
    if (free > 0) at.evaluation.relative = std::max(at.evaluation.relative, std::sqrt(free) / scale);
  }
  at.evaluation.residual = std::sqrt(total);
}

At evaluate(const PyModel& model, const PyState& given) {
  const model::State state = checked_copy(model, given);
  const py::gil_scoped_release release;
  const std::lock_guard lock(model.evaluator->mutex);
  auto& system = model.evaluator->system;
  if (!system) system = std::make_unique<solve::System>(model.model());
  system->set_inputs(inputs_at(model.model(), state.time()));
  At at;
  at.gradient.resize(model.model().X.size());
  at.evaluation = system->evaluate(state.x(), at.gradient);
  add_contacts(model, state, system->dofs(), at);
  return at;
}

py::array_t<double> forces(const PyModel& model, const PyState& state) {
  At at = evaluate(model, state);
  for (Vec3d& g : at.gradient) g = -g;
  return copy_of(std::span<const Vec3d>(at.gradient));
}

// Over all nodes, blocks of three by three.
py::object full_hessian(const PyModel& model, const PyState& given, const std::string& kind) {
  const model::State state = checked_copy(model, given);
  if (kind != "exact" && kind != "projected")
    raise_value("kind", "found \"" + kind + "\", expected exact or projected");
  const auto n = static_cast<int32_t>(model.model().X.size());
  energy::BlockMatrix matrix;
  {
    const py::gil_scoped_release release;
    const energy::Terms terms = energy::make_terms(model.model());
    std::vector<energy::Stencils> stencils;
    for (const auto& term : terms) stencils.push_back(term->stencils());
    std::vector<int32_t> block(static_cast<size_t>(n));
    for (int32_t i = 0; i < n; ++i) block[static_cast<size_t>(i)] = i;
    matrix.reset(std::make_shared<const energy::BlockPattern>(energy::make_pattern(stencils, block, n)),
                 energy::Precision::full);
    matrix.set_zero();
    const std::vector<double> inputs = inputs_at(model.model(), state.time());
    for (const auto& term : terms) {
      term->map(matrix.pattern(), block);
      term->assemble({state.x(), inputs},
                     kind == "exact" ? energy::Hessian::exact : energy::Hessian::projected, 1, matrix);
    }
  }
  const energy::BlockPattern& pattern = matrix.pattern();
  py::array_t<double> data(Shape{pattern.blocks(), 3, 3});
  for (int64_t s = 0; s < pattern.blocks(); ++s)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) data.mutable_data()[9 * s + 3 * i + j] = matrix.full()[9 * s + 3 * j + i];
  return py::module_::import("scipy.sparse")
      .attr("bsr_matrix")(py::make_tuple(data, copy_of<int32_t>(pattern.column, {pattern.blocks()}),
                                         copy_of<int64_t>(pattern.row_begin, {n + 1})),
                          py::arg("shape") = py::make_tuple(3 * n, 3 * n));
}

// Orthonormal columns that span the free displacements at a time.
py::object free_basis(const PyModel& model, double time) {
  model::DofMap dofs(model.model());
  dofs.set_targets(inputs_at(model.model(), time));
  std::vector<double> values;
  std::vector<int32_t> rows, columns;
  int32_t next = 0;
  const auto add = [&](int32_t node, const Vec3d& direction) {
    for (int k = 0; k < 3; ++k) {
      values.push_back(direction[k]);
      rows.push_back(3 * node + k);
      columns.push_back(next);
    }
    ++next;
  };
  for (int32_t node = 0; node < static_cast<int32_t>(model.model().X.size()); ++node) {
    if (dofs.block_of_node()[node] < 0) continue;
    const model::DofMap::Partial* partial = dofs.partial_of(node);
    std::vector<Vec3d> found;
    for (int k = 0; k < 3; ++k) {
      Vec3d v = partial ? partial->P * Vec3d::unit(k) : Vec3d::unit(k);
      for (const Vec3d& before : found) v -= before * dot(before, v);
      if (norm(v) < 1e-6) continue;
      found.push_back(normalized(v));
      add(node, found.back());
    }
  }
  const auto count = static_cast<py::ssize_t>(values.size());
  return py::module_::import("scipy.sparse")
      .attr("csr_matrix")(
          py::make_tuple(copy_of<double>(values, {count}),
                         py::make_tuple(copy_of<int32_t>(rows, {count}), copy_of<int32_t>(columns, {count}))),
          py::arg("shape") = py::make_tuple(3 * model.model().X.size(), next));
}

py::object hessian(const PyModel& model, const PyState& state, const std::string& kind, bool free) {
  const py::object full = full_hessian(model, state, kind);
  if (!free) return full;
  const py::object basis = free_basis(model, state.state.time());
  return basis.attr("T").attr("dot")(full).attr("dot")(basis).attr("tocsr")();
}

void put(const Mat3d& m, double* out) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[3 * i + j] = m(i, j);
}

py::array_t<double> deformation(const PyModel& model, const PyState& given) {
  const model::State state = checked_copy(model, given);
  const auto tets = static_cast<py::ssize_t>(model.model().elements.size());
  py::array_t<double> result(Shape{tets, 3, 3});
  double* out = result.mutable_data();
  const py::gil_scoped_release release;
  for (py::ssize_t t = 0; t < tets; ++t)
    put(measure::deformation_gradient(model.model(), state.x(), static_cast<int32_t>(t)), out + 9 * t);
  return result;
}

// Cauchy's, or the first Piola stress.
py::array_t<double> stress(const PyModel& model, const PyState& given, const std::string& kind) {
  const model::State state = checked_copy(model, given);
  if (kind != "cauchy" && kind != "piola")
    raise_value("kind", "found \"" + kind + "\", expected cauchy or piola");
  py::array_t<double> result(Shape{static_cast<py::ssize_t>(model.model().elements.size()), 3, 3});
  double* out = result.mutable_data();
  const py::gil_scoped_release release;
  const measure::Snapshot snapshot(model.model(), model.model().params, state);
  for (size_t b = 0; b < model.model().bodies.size(); ++b) {
    const measure::PointValues values = measure::point_values(snapshot, static_cast<int>(b));
    const auto first = static_cast<size_t>(model.model().bodies[b].elements.begin);
    for (size_t t = 0; t < values.P.size(); ++t)
      put(kind == "cauchy" ? values.cauchy[t] : values.P[t], out + 9 * (first + t));
  }
  return result;
}

py::dict reactions(const PyModel& model, const PyState& given) {
  const model::State state = checked_copy(model, given);
  std::vector<std::vector<Vec3d>> forces;
  {
    const py::gil_scoped_release release;
    const measure::Snapshot snapshot(model.model(), model.model().params, state);
    for (size_t a = 0; a < model.model().attachments.size(); ++a)
      forces.push_back(measure::reactions(snapshot, static_cast<int>(a)));
  }
  py::dict result;
  for (size_t a = 0; a < forces.size(); ++a)
    result[py::str(model.model().attachments[a].name)] = copy_of(std::span<const Vec3d>(forces[a]));
  return result;
}

double quantity(const PyModel& model, const std::string& text, const PyState& given) {
  const model::State state = checked_copy(model, given);
  const measure::Reading reading = value_of(measure::parse_reading(model.model(), text));
  const py::gil_scoped_release release;
  return measure::read(measure::Snapshot(model.model(), model.model().params, state), reading);
}

// A quantity of nodes or elements over all bodies; 0 at hidden nodes.
py::array_t<double> field(const PyModel& model, const std::string& name, const PyState& given) {
  const model::State state = checked_copy(model, given);
  const measure::Quantity* found = measure::find_quantity(name, measure::Target::node);
  if (!found) found = measure::find_quantity(name, measure::Target::element);
  if (!found) {
    std::vector<std::string_view> words;
    for (const measure::Quantity* known : measure::quantities())
      if (known->on == measure::Target::node || known->on == measure::Target::element)
        words.push_back(known->name);
    raise_value("name", json::unknown_word("field", name, words));
  }
  const bool on_nodes = found->on == measure::Target::node;
  const auto count =
      static_cast<py::ssize_t>(on_nodes ? model.model().X.size() : model.model().elements.size());
  py::array_t<double> result(found->width == 1 ? Shape{count} : Shape{count, found->width});
  double* out = result.mutable_data();
  std::fill_n(out, result.size(), 0.0);
  const py::gil_scoped_release release;
  const measure::Snapshot snapshot(model.model(), model.model().params, state);
  for (size_t b = 0; b < model.model().bodies.size(); ++b) {
    const model::Body& body = model.model().bodies[b];
    const model::Range range = on_nodes ? body.visible() : body.elements;
    const auto width = static_cast<size_t>(found->width);
    found->evaluate(
        snapshot, static_cast<int>(b),
        {out + width * static_cast<size_t>(range.begin), width * static_cast<size_t>(range.size())});
  }
  return result;
}

}  // namespace

void bind_forces(py::module_& module) {
  using py::arg;
  auto model = py::reinterpret_borrow<py::class_<PyModel>>(module.attr("Model"));
  model
      .def(
          "energy",
          [](const PyModel& model, const PyState& state) { return evaluate(model, state).evaluation.energy; },
          arg("state"))
      .def("forces", &forces, arg("state"))
      .def(
          "residual",
          [](const PyModel& model, const PyState& state) {
            const solve::Evaluation evaluation = evaluate(model, state).evaluation;
            return std::pair(evaluation.residual, evaluation.relative);
          },
          arg("state"))
      .def("hessian", &hessian, arg("state"), py::kw_only(), arg("kind") = "exact", arg("free") = false)
      .def("free_basis", &free_basis, arg("time"))
      .def("F", &deformation, arg("state"))
      .def("stress", &stress, arg("state"), arg("kind") = "cauchy")
      .def("reactions", &reactions, arg("state"))
      .def("quantity", &quantity, arg("text"), arg("state"))
      .def("field", &field, arg("name"), arg("state"));
}

}  // namespace sinew::python

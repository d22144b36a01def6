// The derivative of an equilibrium, and a model with other parameters.
#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/params.h"
#include "sensitivity/equilibrium.h"

namespace sinew::python {
namespace {

using math::Vec3d;
using sensitivity::EquilibriumDerivative;

struct PyDerivative {
  PyModel model;  // what the derivative refers to
  EquilibriumDerivative derivative;
};

std::unique_ptr<PyDerivative> make_derivative(const PyModel& model, const PyState& given,
                                              const py::object& inputs) {
  const model::State state = checked_copy(model, given);
  std::vector<double> numbers(static_cast<size_t>(model.model().inputs.size()));
  model.model().inputs.evaluate(state.time(), numbers);
  if (!inputs.is_none()) numbers = flat_inputs(model, inputs, numbers);
  const py::gil_scoped_release release;
  return std::make_unique<PyDerivative>(
      PyDerivative{model, value_of(EquilibriumDerivative::at(model.model(), numbers, state))});
}

// Lists of the model's lengths with nothing in them, and the same with values to be overwritten.
model::Params empty_params(const model::Model& model) {
  model::Params params;
  for (const auto& set : model.params.material) params.material.emplace_back(set.size());
  params.density.resize(model.bodies.size());
  params.rigidity.resize(model.bodies.size());
  params.link_normal.assign(model.links.size(), 0.0);
  params.link_tangent.assign(model.links.size(), 0.0);
  return params;
}

sensitivity::Change change_of(const PyDerivative& self, const py::object& inputs, const py::dict& params) {
  const model::Model& model = self.model.model();
  sensitivity::Change change;
  if (!inputs.is_none())
    change.inputs =
        flat_inputs(self.model, inputs, std::vector<double>(static_cast<size_t>(model.inputs.size()), 0.0));
  change.params = empty_params(model);
  set_all(named_params(model, change.params), params, false);
  return change;
}

// Of each pair of inputs and parameters.
py::list forward(const PyDerivative& self, const py::list& given) {
  std::vector<sensitivity::Change> changes;
  for (const py::handle pair : given) {
    const auto both = py::cast<py::tuple>(pair);
    changes.push_back(change_of(self, both[0], py::cast<py::dict>(both[1])));
  }
  std::vector<std::vector<Vec3d>> all;
  {
    const py::gil_scoped_release release;
    all = value_of(self.derivative.forward(changes));
  }
  py::list result;
  for (const std::vector<Vec3d>& dx : all) result.append(copy_of(std::span<const Vec3d>(dx)));
  return result;
}

// The flat gradient in the inputs, and by name that of every element.
py::tuple gradient_tuple(const model::Model& model, sensitivity::Gradient& gradient) {
  py::dict elements;
  for (const NamedParam& param : named_params(model, gradient.params))
    elements[py::str(param.name)] = get(param);
  return py::make_tuple(copy_of<double>(gradient.inputs, {static_cast<py::ssize_t>(gradient.inputs.size())}),
                        elements);
}

// Of each dL/dx.
py::list adjoint(const PyDerivative& self, const py::list& given) {
  const model::Model& model = self.model.model();
  const auto nodes = static_cast<py::ssize_t>(model.X.size());
  std::vector<std::vector<Vec3d>> dL_dx;
  for (const py::handle one : given) {
    const py::array_t<double> numbers = doubles(py::reinterpret_borrow<py::object>(one), "dL_dx", {nodes, 3});
    std::copy_n(numbers.data(), numbers.size(), dL_dx.emplace_back(model.X.size()).data()->v);
  }
  std::vector<sensitivity::Gradient> gradients;
  {
    const py::gil_scoped_release release;
    gradients = value_of(self.derivative.adjoint(dL_dx));
  }
  py::list result;
  for (sensitivity::Gradient& gradient : gradients) result.append(gradient_tuple(model, gradient));
  return result;
}

py::dict params(const PyModel& model) {
  model::Params values = model.model().params;
  py::dict result;
  for (const NamedParam& param : named_params(model.model(), values))
    result[py::str(param.name)] = get(param);
  return result;
}

PyModel with_params(const PyModel& model, const py::object& given) {
  if (PyMapping_Check(given.ptr()) == 0 || py::isinstance<py::str>(given))
    raise_value("params", "expected a dict of names and values");
  auto built = std::make_shared<scene::Built>(*model.built);
  set_all(named_params(built->model, built->model.params), py::dict(given), true);
  return {model.scene, std::move(built)};
}

}  // namespace

void bind_sensitivity(py::module_& module) {
  using py::arg;
  py::class_<PyDerivative>(module, "DerivativeCore")
      .def(py::init(&make_derivative), arg("model"), arg("state"), arg("inputs"))
      .def_property_readonly("warnings",
                             [](const PyDerivative& self) {
                               const auto list = self.derivative.warnings();
                               return std::vector<std::string>(list.begin(), list.end());
                             })
      .def_property_readonly("relative_residual",
                             [](const PyDerivative& self) { return self.derivative.relative_residual(); })
      .def_property_readonly(
          "linear_solver",
          [](const PyDerivative& self) { return std::string(self.derivative.linear_solver()); })
      .def("forward", &forward, arg("changes"))
      .def("adjoint", &adjoint, arg("dL_dx"));
  py::reinterpret_borrow<py::class_<PyModel>>(module.attr("Model"))
      .def("params", &params)
      .def("with_params", &with_params, arg("params"));
}

}  // namespace sinew::python

// sinew.State: the columns of a State as arrays that share its memory. Columns on contacts come and go, so they are given
// as copies; all others keep their place in memory as long as the State lives.
#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/machine.h"
#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "model/bounds.h"
#include "model/size.h"
#include "run/checkpoint.h"

namespace sinew::python {
namespace {

py::array column_array(const model::Column& column, const py::object& owner) {
  const auto width = static_cast<py::ssize_t>(column.spec.width);
  const auto count = static_cast<py::ssize_t>(column.bytes() / 8) / width;
  const Shape shape = width == 1 ? Shape{count} : Shape{count, width};
  const bool stays = column.spec.on != model::On::contact;
  if (column.spec.type == model::ColumnType::f64)
    return stays ? view(column.f64.data(), shape, owner, true) : copy_of<double>(column.f64, shape);
  return stays ? view(column.i64.data(), shape, owner, true) : copy_of<int64_t>(column.i64, shape);
}

py::array column(const py::object& self, const std::string& name) {
  const auto& state = self.cast<const PyState&>().state;
  std::vector<std::string_view> names;
  for (const model::Column& column : state.columns()) {
    if (column.spec.name == name) return column_array(column, self);
    names.push_back(column.spec.name);
  }
  throw py::key_error(json::unknown_word("column", name, names));
}

void set_positions(PyState& state, const py::object& given, const char* name) {
  const std::span<math::Vec3d> out = state.state.vectors(name);
  const py::array_t<double> values = doubles(given, name, {static_cast<py::ssize_t>(out.size()), 3});
  std::copy_n(values.data(), values.size(), out.data()->v);
}

std::string hash_text(uint64_t value) { return fmt::format("{:016x}", value); }

void save(const PyState& state, const py::object& file) {
  const std::string path = path_of(file);
  const py::gil_scoped_release release;
  require(run::write_checkpoint(path, {{}, binary_id(), state.state.step(), {}, state.state}));
}

// Columns that another method remembers are welcome; those that every State has must be there, all of the model's size.
Result<void> check_loaded(const model::State& state, const model::Counts& counts, const std::string& path) {
  const std::span<const model::Column> columns = state.columns();
  for (const model::Column& column : columns)
    if (column.spec.on != model::On::contact &&
        static_cast<int64_t>(column.bytes() / 8) != counts.rows(column.spec.on) * column.spec.width)
      return input_error(
          path,
          fmt::format("column \"{}\" has {} numbers, expected {}: it belongs to another model",
                      column.spec.name, column.bytes() / 8, counts.rows(column.spec.on) * column.spec.width));
  const model::StateLayout layout;
  for (const model::ColumnSpec& spec : layout.columns())
    if (std::none_of(columns.begin(), columns.end(), [&](const auto& column) { return column.spec == spec; }))
      return input_error(path, fmt::format("there is no column \"{}\"", spec.name));
  return {};
}

PyState load(const PyModel& model, const py::object& file) {
  const std::string path = path_of(file);
  PyState result{model.built, {}};
  {
    const py::gil_scoped_release release;
    run::Checkpoint checkpoint = value_of(run::read_checkpoint(path));
    require(check_loaded(checkpoint.state, model.model().counts(), path));
    result.state = std::move(checkpoint.state);
  }
  return result;
}

}  // namespace

void check_state(const PyModel& model, const PyState& state) {
  const size_t nodes = model.model().X.size();
  if (state.state.x().size() != nodes)
    raise_value("state",
                fmt::format("found a state of {} nodes, expected one of {}: it belongs to another model",
                            state.state.x().size(), nodes));
  if (state.state.finite()) return;
  for (const model::Column& column : state.state.columns())
    for (size_t i = 0; i < column.f64.size(); ++i)
      if (!std::isfinite(column.f64[i]))
        raise_value(
            "state",
            fmt::format("found {} in column \"{}\" at row {} (counted from 0), expected finite numbers",
                        column.f64[i], column.spec.name, i / static_cast<size_t>(column.spec.width)));
}

model::State checked_copy(const PyModel& model, const PyState& state) {
  check_state(model, state);
  return state.state;
}

void bind_state(py::module_& module) {
  using py::arg;
  auto state =
      py::class_<PyState>(module, "State")
          .def_property(
              "x", [](const py::object& self) { return column(self, "x"); },
              [](PyState& self, const py::object& given) { set_positions(self, given, "x"); })
          .def_property(
              "v", [](const py::object& self) { return column(self, "v"); },
              [](PyState& self, const py::object& given) { set_positions(self, given, "v"); })
          .def_property(
              "time", [](const PyState& self) { return self.state.time(); },
              [](PyState& self, double time) {
                if (!std::isfinite(time)) raise_value("time", "expected a finite number [s]");
                self.state.set_time(time);
              })
          .def_property_readonly("step", [](const PyState& self) { return self.state.step(); })
          .def_property_readonly("columns",
                                 [](const PyState& self) {
                                   std::vector<std::string> names;
                                   for (const auto& column : self.state.columns())
                                     names.push_back(column.spec.name);
                                   return names;
                                 })
          .def("__getitem__", &column, arg("name"))
          .def("copy", [](const PyState& self) { return PyState(self); })
          .def("__copy__", [](const PyState& self) { return PyState(self); })
          .def("__deepcopy__", [](const PyState& self, const py::dict&) { return PyState(self); })
          .def_property_readonly("hash", [](const PyState& self) { return hash_text(self.state.hash()); })
          .def("__eq__",
               [](const PyState& self, const py::object& other) -> py::object {
                 if (!py::isinstance<PyState>(other))
                   return py::reinterpret_borrow<py::object>(Py_NotImplemented);
                 return py::bool_(self.state == other.cast<const PyState&>().state);
               })
          .def("save", &save, arg("path"))
          .def("__repr__", [](const PyState& self) {
            return fmt::format("<sinew.State: {} nodes, time {:g} s, step {}>",
                               model::size_of(self.built->model).nodes, self.state.time(), self.state.step());
          });
  state.attr("__hash__") = py::none();
  module.def("bounds", [](const PyState& self) {
    const mesh::Bounds box = model::bounds(self.built->model, self.state.x());
    const math::Vec3d corners[] = {box.low, box.high};
    return copy_of(std::span<const math::Vec3d>(corners));
  });
  py::reinterpret_borrow<py::class_<PyModel>>(module.attr("Model")).def("load_state", &load, arg("path"));
}

}  // namespace sinew::python

// Methods side by side on one step of a scene.
#include "compare/compare.h"

#include <cmath>

#include "base/parallel.h"
#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/interrupt.h"
#include "compare/report.h"
#include "compare/summary.h"

namespace sinew::python {
namespace {

struct PyComparison {
  compare::Comparison comparison;
  compare::Setup setup;
};

struct PyCurve {
  compare::Curve curve;
};

PyComparison compare_methods(const PyModel& model, const std::string& methods,
                             const std::optional<double>& budget, const std::optional<int64_t>& iterations,
                             int64_t step, int repeats, double tolerance) {
  compare::Options options;
  if (budget) {
    if (!(*budget > 0) || *budget > 86400)
      raise_value("budget", "expected more than 0 and at most 86400 seconds");
    options.budget = *budget;
  }
  if (iterations) {
    if (*iterations < 1) raise_value("iterations", "expected at least 1");
    options.iterations = *iterations;
  }
  if (!budget && !iterations) options.budget = 5;
  if (step < 1) raise_value("step", "expected at least 1");
  if (repeats < 1 || repeats > 1000) raise_value("repeats", "expected 1 to 1000");
  if (!(tolerance >= 1e-12) || tolerance > 0.5) raise_value("tolerance", "expected 1e-12 to 0.5");
  options.step = step;
  options.repeats = repeats;
  options.tolerance = tolerance;
  Interrupt interrupt;
  PyComparison result;
  {
    const py::gil_scoped_release release;
    const auto entries = value_of(compare::parse_entries(*model.scene, model.model(), methods));
    result.setup = {model.scene->name,
                    value_of(scene::scene_hash(*model.scene)),
                    {"python", "sinew.compare"},
                    model::size_of(model.model()),
                    thread_count(),
                    {}};
    const auto newton = scene::settings_for(*model.scene, *step::find_method("newton"));
    result.comparison =
        value_of(compare::run(*model.built, newton, entries, options, {}, &interrupt.cancel()));
  }
  interrupt.rethrow();
  return result;
}

template <class T>
py::array_t<T> column(const PyCurve& curve, T compare::Point::*member) {
  py::array_t<T> result(static_cast<py::ssize_t>(curve.curve.points.size()));
  for (size_t i = 0; i < curve.curve.points.size(); ++i)
    result.mutable_data()[i] = curve.curve.points[i].*member;
  return result;
}

py::dict report_files(const PyComparison& comparison) {
  py::dict files;
  for (const compare::ReportFile& file : compare::make_report(comparison.comparison, comparison.setup))
    files[py::str(file.name)] = py::bytes(file.bytes);
  return files;
}

}  // namespace

void bind_compare(py::module_& module) {
  using compare::Point;
  const auto get = [](auto member) {
    return [member](const PyCurve& curve) { return column(curve, member); };
  };
  py::class_<PyCurve>(module, "Curve")
      .def_property_readonly("label", [](const PyCurve& c) { return c.curve.entry.label; })
      .def_property_readonly("method",
                             [](const PyCurve& c) { return std::string(c.curve.entry.method->name); })
      .def_property_readonly("status",
                             [](const PyCurve& c) { return std::string(compare::name_of(c.curve.status)); })
      .def_property_readonly("notes", [](const PyCurve& c) { return c.curve.notes; })
      .def_property_readonly("setup_seconds", [](const PyCurve& c) { return c.curve.setup_seconds; })
      .def_property_readonly("iteration", get(&Point::iteration))
      .def_property_readonly("seconds", get(&Point::seconds))
      .def_property_readonly("residual", get(&Point::residual))
      .def_property_readonly("relative_residual", get(&Point::relative))
      .def_property_readonly("energy_gap", get(&Point::energy_gap))
      .def_property_readonly("error_rms", get(&Point::error_rms))
      .def_property_readonly("error_max", get(&Point::error_max))
      .def("__repr__", [](const PyCurve& c) {
        return fmt::format("<sinew.Curve {}: {}, {} points>", c.curve.entry.label,
                           compare::name_of(c.curve.status), c.curve.points.size());
      });
  py::class_<PyComparison>(module, "ComparisonCore")
      .def(py::init(&compare_methods))
      .def_property_readonly("curves",
                             [](const PyComparison& c) {
                               std::vector<PyCurve> curves;
                               for (const compare::Curve& curve : c.comparison.curves)
                                 curves.push_back({curve});
                               return curves;
                             })
      .def_property_readonly("time", [](const PyComparison& c) { return c.comparison.time; })
      .def_property_readonly("verdict", [](const PyComparison& c) { return compare::verdict(c.comparison); })
      .def_property_readonly("notes", [](const PyComparison& c) { return c.comparison.notes; })
      .def_property_readonly(
          "table",
          [](const PyComparison& c) { return compare::to_text(compare::summary_table(c.comparison)); })
      .def("report_files", &report_files)
      .def("is_report_file",
           [](const PyComparison&, const std::string& name) { return compare::is_report_file(name); });
}

}  // namespace sinew::python

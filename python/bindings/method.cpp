// sinew.Method: a Stepper by name. A step works on a copy of the State and writes the result into the arrays of the
// caller's State when it was taken, so that views stay valid and a step that ends early changes nothing.
#include <cmath>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/interrupt.h"
#include "scene/scene_type.h"

namespace sinew::python {
namespace {

using json::Json;

struct StepInfo {
  step::StepReport report;
  double time = 0;    // where the state is now [s]
  int64_t frame = 0;  // of run(); 0 elsewhere
};

struct PyMethod {
  PyModel model;
  const step::Method* method = nullptr;
  step::Settings settings;
  std::unique_ptr<step::Stepper> stepper;      // in the mode of the scene
  std::unique_ptr<step::Stepper> equilibrium;  // made when first asked for
  BusyFlag busy;
};

// Where two threads share a method or a state, the second one gets an exception.
class Busy {
 public:
  Busy(BusyFlag& flag, const char* what) : flag_(flag) {
    if (flag_.set.exchange(true)) throw std::runtime_error(what);
  }
  ~Busy() { flag_.set.store(false); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  BusyFlag& flag_;
};

constexpr const char* method_in_use = "this method is at work in another thread; make one for each";
constexpr const char* state_in_use =
    "this state is being solved already, in another thread or around this call; give each a state.copy()";

std::unique_ptr<step::Stepper> make_stepper(const PyModel& model, const step::Method& method,
                                            const step::Settings& settings) {
  const py::gil_scoped_release release;
  return value_of(method.make(model.model(), settings));
}

// The scene's own options of that method with those given on top, all checked by the table of the scene.
step::Settings settings_of(const PyModel& model, const std::string& name, const std::string& options) {
  const Json given = value_of(json::parse_json(options, "options"));
  std::vector<std::string_view> known;
  const json::Type* type = json::member_type(scene::scene_type(), nullptr, "solve", known);
  Json solve = model.scene->resolved["solve"];
  solve.set("method", name);
  Json own = solve[name].is(Json::Kind::object) ? solve[name] : Json::object();
  for (size_t i = 0; i < given.size(); ++i) {
    const std::string& key = given.key(i);
    if (key == "mode" || key == "integrator" || key == "tolerance")
      solve.set(key, given.item(i));
    else
      own.set(key, given.item(i));
  }
  if (step::find_method(name)) solve.set(name, own);
  json::Diagnostics diagnostics("options");
  Json resolved = json::validate(solve, *type, diagnostics);
  if (!diagnostics.empty()) raise(diagnostics);
  scene::Scene changed = *model.scene;
  changed.resolved.set("solve", std::move(resolved));
  return scene::settings_for(changed, *step::find_method(name));
}

std::unique_ptr<PyMethod> make_method(const PyModel& model, const std::string& name,
                                      const std::string& options) {
  auto result = std::make_unique<PyMethod>();
  result->model = model;
  result->settings = settings_of(model, name, options);
  result->method = step::find_method(name);
  result->stepper = make_stepper(model, *result->method, result->settings);
  return result;
}

// The state with the columns that the stepper needs; those it has by that name and shape keep their numbers.
model::State in_layout(const model::State& state, const step::Stepper& stepper, const model::Model& model) {
  model::StateLayout layout;
  stepper.declare(layout);
  model::State result = model.make_state(layout);
  for (model::Column& column : result.mutable_columns())
    for (const model::Column& before : state.columns())
      if (before.spec == column.spec &&
          (before.bytes() == column.bytes() || column.spec.on == model::On::contact))
        column = before;
  return result;
}

// Into the columns that are there, so that views of them show it; new columns are added.
void write_back(const model::State& from, model::State& to) {
  for (const model::Column& column : from.columns()) {
    auto& columns = to.mutable_columns();
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const model::Column& c) { return c.spec.name == column.spec.name; });
    if (found == columns.end()) {
      columns.push_back(column);
    } else if (found->spec == column.spec && found->bytes() == column.bytes()) {
      std::copy(column.f64.begin(), column.f64.end(), found->f64.begin());
      std::copy(column.i64.begin(), column.i64.end(), found->i64.begin());
    } else {
      *found = column;
    }
  }
}

// From the inputs at `time` to those given at t1, evenly; a pose by its twelve numbers.
model::InputCurve towards(const model::InputCurve& curve, double time, double t1,
                          std::span<const double> target) {
  std::vector<double> start(static_cast<size_t>(curve.size()));
  curve.evaluate(time, start);
  model::InputCurve result;
  for (const auto& block : curve.blocks()) {
    const auto part = [&](std::span<const double> all) {
      const auto numbers = all.subspan(static_cast<size_t>(block.first), static_cast<size_t>(block.width));
      return std::vector<double>(numbers.begin(), numbers.end());
    };
    result.add_numbers(block.name, {{time, part(start)}, {t1, part(target)}});
  }
  return result;
}

StepInfo take(PyMethod& method, step::Stepper& stepper, PyState& state, model::State work, double t1,
              const py::object& inputs, const py::object& on_residual) {
  const model::Model& model = method.model.model();
  std::optional<model::InputCurve> own;
  if (!inputs.is_none()) {
    std::vector<double> base(static_cast<size_t>(model.inputs.size()));
    model.inputs.evaluate(t1, base);
    own = towards(model.inputs, work.time(), t1, flat_inputs(method.model, inputs, base));
  }
  Interrupt interrupt;
  const Control control{&interrupt.cancel(), interrupt.guarded<double>(on_residual)};
  StepInfo info;
  {
    const py::gil_scoped_release release;
    info.report = stepper.step(own ? *own : model.inputs, t1, work, control);
    if (info.report.taken() && !work.finite()) {
      info.report.status = step::StepStatus::failed;
      info.report.reason = step::not_finite(model, work.x(), work.v());
    }
  }
  interrupt.rethrow();
  if (info.report.taken()) write_back(work, state.state);
  info.time = state.state.time();
  return info;
}

StepInfo step_to(PyMethod& method, PyState& state, double to, const py::object& inputs,
                 const py::object& on_residual) {
  const Busy working(method.busy, method_in_use), solved(state.busy, state_in_use);
  check_state(method.model, state);
  if (!(to > state.state.time()) || !std::isfinite(to))
    raise_value("to",
                fmt::format("found {}, expected a time after the state's, {} s", to, state.state.time()));
  return take(method, *method.stepper, state, in_layout(state.state, *method.stepper, method.model.model()),
              to, inputs, on_residual);
}

StepInfo equilibrium(PyMethod& method, PyState& state, double time, const py::object& inputs,
                     const py::object& on_residual) {
  const Busy working(method.busy, method_in_use), solved(state.busy, state_in_use);
  check_state(method.model, state);
  if (!std::isfinite(time)) raise_value("time", "expected a finite number [s]");
  step::Stepper* stepper = method.stepper.get();
  if (method.settings.mode != step::Mode::quasistatic) {
    if (!method.equilibrium) {
      step::Settings settings = method.settings;
      settings.mode = step::Mode::quasistatic;
      method.equilibrium = make_stepper(method.model, *method.method, settings);
    }
    stepper = method.equilibrium.get();
  }
  model::State work = in_layout(state.state, *stepper, method.model.model());
  // A step goes forwards: a state that is there already, or later, starts one frame before.
  if (!(work.time() < time)) work.set_time(time - 1 / method.model.built->time.fps);
  return take(method, *stepper, state, std::move(work), time, inputs, on_residual);
}

std::optional<int32_t> known(int32_t number) {
  return number < 0 ? std::nullopt : std::optional<int32_t>(number);
}

}  // namespace

void bind_method(py::module_& module) {
  using py::arg;
  const auto field = [](auto member) {
    return [member](const StepInfo& info) { return info.report.*member; };
  };
  using Report = step::StepReport;
  using step::Reason;
  py::class_<Reason>(module, "Reason")
      .def_readonly("body", &Reason::body)
      .def_readonly("other", &Reason::other)
      .def_property_readonly(
          "place", [](const Reason& r) { return py::make_tuple(r.place[0], r.place[1], r.place[2]); })
      .def_property_readonly("node", [](const Reason& r) { return known(r.node); })
      .def_property_readonly("element", [](const Reason& r) { return known(r.element); })
      .def_readonly("cause", &Reason::cause)
      .def_readonly("advice", &Reason::advice)
      .def("__str__", &Reason::text)
      .def("__repr__", [](const Reason& r) { return fmt::format("<sinew.Reason: {}>", r.text()); });
  py::class_<StepInfo>(module, "StepInfo")
      .def_property_readonly("status", [](const StepInfo& info) { return step::name_of(info.report.status); })
      .def_property_readonly("taken", [](const StepInfo& info) { return info.report.taken(); })
      .def_property_readonly(
          "converged", [](const StepInfo& info) { return info.report.status == step::StepStatus::converged; })
      .def("__bool__", [](const StepInfo& info) { return info.report.taken(); })
      .def_readonly("time", &StepInfo::time)
      .def_readwrite("frame", &StepInfo::frame)
      .def_property_readonly("increments", field(&Report::increments))
      .def_property_readonly("iterations", field(&Report::iterations))
      .def_property_readonly("linear_iterations", field(&Report::linear_iterations))
      .def_property_readonly("residual", field(&Report::residual))
      .def_property_readonly("relative_residual", field(&Report::relative_residual))
      .def_property_readonly("energy", field(&Report::energy))
      .def_property_readonly("inverted", field(&Report::inverted))
      .def_property_readonly("min_det_F", field(&Report::min_det_F))
      .def_property_readonly("contacts", field(&Report::contacts))
      .def_property_readonly("penetration", field(&Report::penetration))
      .def_property_readonly("penetration_edge", field(&Report::penetration_edge))
      .def_property_readonly("dissipation", field(&Report::dissipation))
      .def_property_readonly("linear_solver", field(&Report::linear_solver))
      .def_property_readonly("notes", field(&Report::notes))
      .def_property_readonly("reason", field(&Report::reason))
      .def_property_readonly("seconds",
                             [](const StepInfo& info) {
                               py::dict result;
                               for (const auto& [phase, time] : info.report.seconds)
                                 result[py::str(phase)] = time;
                               return result;
                             })
      .def("__repr__", [](const StepInfo& info) {
        return fmt::format("<sinew.StepInfo: {}, {} iterations, relative residual {:.3g}, time {:g} s>",
                           step::name_of(info.report.status), info.report.iterations,
                           info.report.relative_residual, info.time);
      });
  py::class_<PyMethod>(module, "MethodCore")
      .def(py::init(&make_method), arg("model"), arg("name"), arg("options"))
      .def_property_readonly("name", [](const PyMethod& method) { return std::string(method.method->name); })
      .def_property_readonly("tolerance", [](const PyMethod& method) { return method.settings.tolerance; })
      .def("step_to", &step_to)
      .def("equilibrium", &equilibrium);
}

}  // namespace sinew::python

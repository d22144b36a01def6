// Many equilibria of one model in memory.
#include <cmath>

#include "batch/equilibria.h"
#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/interrupt.h"

namespace sinew::python {
namespace {

// (X, solved, relative residual, iterations, rung, reason) of M samples; rows of X that were not solved are at rest.
py::tuple solve_batch(const PyModel& model, const py::object& inputs, const py::object& start, double time,
                      double tolerance, int jobs) {
  const auto width = static_cast<py::ssize_t>(model.model().inputs.size());
  const auto nodes = static_cast<py::ssize_t>(model.model().X.size());
  const py::array_t<double> A = doubles(inputs, "inputs", {-1, width});
  const py::ssize_t count = A.shape(0);
  py::array_t<double> from;
  if (!start.is_none()) from = doubles(start, "start", {count, nodes, 3});
  if (!std::isfinite(time)) raise_value("time", "expected a finite number [s]");
  if (!(tolerance > 0) || tolerance >= 1) raise_value("tolerance", "expected more than 0 and less than 1");
  if (jobs < 1 || jobs > 256) raise_value("jobs", "expected 1 to 256 threads");
  std::vector<batch::Sample> samples(static_cast<size_t>(count));
  for (size_t i = 0; i < samples.size(); ++i) {
    samples[i] = {
        model.built.get(), {A.data() + i * static_cast<size_t>(width), static_cast<size_t>(width)}, time, {}};
    if (!start.is_none())
      samples[i].start = {reinterpret_cast<const math::Vec3d*>(from.data()) + i * static_cast<size_t>(nodes),
                          static_cast<size_t>(nodes)};
  }
  Interrupt interrupt;
  std::vector<batch::Solution> found;
  {
    const py::gil_scoped_release release;
    found =
        batch::solve(samples, {.tolerance = tolerance, .threads = jobs}, Control{&interrupt.cancel(), {}});
  }
  interrupt.rethrow();
  py::array_t<double> X(Shape{count, nodes, 3}), residual(count);
  py::array_t<bool> solved(count);
  py::array_t<int64_t> iterations(count);
  py::list rungs, reasons;
  for (size_t i = 0; i < found.size(); ++i) {
    std::copy_n(found[i].state.x().data()->v, 3 * nodes,
                X.mutable_data() + 3 * i * static_cast<size_t>(nodes));
    solved.mutable_data()[i] = found[i].solved;
    residual.mutable_data()[i] = found[i].relative_residual;
    iterations.mutable_data()[i] = found[i].iterations;
    rungs.append(found[i].rung);
    reasons.append(found[i].reason);
  }
  return py::make_tuple(X, solved, residual, iterations, rungs, reasons);
}

}  // namespace

void bind_batch(py::module_& module) { module.def("solve_batch", &solve_batch); }

}  // namespace sinew::python

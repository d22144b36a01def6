// sinew._core
#include "base/machine.h"
#include "base/parallel.h"
#include "bindings/bindings.h"

PYBIND11_MODULE(_core, module) {
  using namespace sinew;
  namespace py = pybind11;
  module.doc() = "The compiled part of sinew.";
  module.attr("version") = std::string(build_info().version);
  module.def("set_threads", [](int count) {
    if (count < 0 || count > 256) python::raise_value("count", "expected 0 (all cores) to 256 threads");
    set_thread_count(count);
  });
  module.def("threads", [] { return thread_count(); });
  python::bind_mesh(module);
  python::bind_meshing(module);
  python::bind_scene(module);
  python::bind_model(module);
  python::bind_state(module);
  python::bind_forces(module);
  python::bind_method(module);
  python::bind_run(module);
  python::bind_compare(module);
  python::bind_view(module);
  python::bind_sensitivity(module);
  python::bind_batch(module);
}

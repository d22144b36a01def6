#pragma once
// The module sinew._core: what Python sees of the library. One file per topic, each with a bind_TOPIC.
//
// A Model shares the built scene with everything made from it; a State owns its columns, and arrays made from them hold
// a reference to it. Errors become exceptions here and nowhere else. Whatever may take long runs without the GIL.
//
//     const PyModel& model = object.cast<const PyModel&>();   model.model().X ...
#include <atomic>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/checks.h"
#include "json/words.h"
#include "mesh/mesh.h"
#include "mesh/skin.h"
#include "model/state.h"
#include "scene/scene.h"
#include "solve/system.h"

namespace sinew::python {

namespace py = pybind11;

// sinew.Mesh: either tets or triangles.
struct PyMesh {
  std::shared_ptr<const mesh::TetMesh> tets;
  std::shared_ptr<const mesh::TriMesh> triangles;
  io::Notes notes;                              // what was repaired
  std::shared_ptr<const mesh::Skin> skin = {};  // that the tets carry; may be null
};

// sinew.Model
struct PyModel {
  std::shared_ptr<const scene::Scene> scene;
  std::shared_ptr<const scene::Built> built;

  const model::Model& model() const { return built->model; }

  // Energies and forces at a state; made when first asked for, used by one thread at a time.
  struct Evaluator {
    std::mutex mutex;
    std::unique_ptr<solve::System> system;
  };
  std::shared_ptr<Evaluator> evaluator = std::make_shared<Evaluator>();
};

// Whether an object is being worked on, without the GIL. A copy is not.
struct BusyFlag {
  std::atomic<bool> set{false};
  BusyFlag() = default;
  BusyFlag(const BusyFlag&) noexcept {}
  BusyFlag& operator=(const BusyFlag&) noexcept { return *this; }
};

// sinew.State
struct PyState {
  std::shared_ptr<const scene::Built> built;  // of the model that it was made by
  model::State state;
  BusyFlag busy = {};
};

// errors.cpp: throws the exception of sinew.errors that belongs to the error; with or without the GIL.
[[noreturn]] void raise(const Error& error);
[[noreturn]] void raise(const json::Diagnostics& diagnostics);
// ValueError: "NAME: WHAT".
[[noreturn]] void raise_value(const std::string& name, const std::string& what);

template <class T>
T value_of(Result<T> result) {
  if (!result) raise(result.error());
  return std::move(*result);
}
inline void require(const Result<void>& result) {
  if (!result) raise(result.error());
}

// errors.cpp: of a text, bytes or anything with __fspath__.
std::string path_of(const py::object& given, const std::string& name = "path");

// state.cpp: refuses a State of another model, and one with numbers that are not finite.
void check_state(const PyModel& model, const PyState& state);
// To work on without the GIL, while another thread may change the State itself.
model::State checked_copy(const PyModel& model, const PyState& state);

// scene.cpp: the scene as the package keeps it, built.
PyModel build_scene(const std::string& text, const std::string& name, const std::string& folder,
                    const py::dict& meshes);

// model.cpp: the whole input vector from a flat array, or from a dict of blocks on top of `base`.
std::vector<double> flat_inputs(const PyModel& model, const py::object& given,
                                const std::vector<double>& base);

void bind_mesh(py::module_& module);
void bind_meshing(py::module_& module);
void bind_scene(py::module_& module);
void bind_model(py::module_& module);
void bind_state(py::module_& module);
void bind_forces(py::module_& module);
void bind_method(py::module_& module);
void bind_run(py::module_& module);
void bind_compare(py::module_& module);
void bind_view(py::module_& module);
void bind_sensitivity(py::module_& module);
void bind_batch(py::module_& module);

}  // namespace sinew::python

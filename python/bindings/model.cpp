// sinew.Model: the arrays of a built scene, its names and its inputs.
#include <filesystem>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "model/size.h"

namespace sinew::python {
namespace {

const PyModel& model_of(const py::object& self) { return self.cast<const PyModel&>(); }

py::slice slice_of(const model::Range& range) { return {range.begin, range.end, 1}; }

template <class T, size_t n>
py::array rows(const std::vector<std::array<T, n>>& list, const py::object& owner) {
  return view(list.empty() ? nullptr : list.data()->data(),
              {static_cast<py::ssize_t>(list.size()), static_cast<py::ssize_t>(n)}, owner);
}

// The nodes from place `begin` to below `end` of every element, -1 where it has fewer: a view where they are all.
py::array nodes_of_elements(const py::object& owner, size_t begin, size_t end) {
  const element::Connectivity& elements = model_of(owner).model().elements;
  const auto count = static_cast<py::ssize_t>(elements.size()), width = static_cast<py::ssize_t>(end - begin);
  if (elements.width() == width) return view(elements.flat().data(), {count, width}, owner);
  py::array_t<int32_t> result(Shape{count, width});
  int32_t* out = result.mutable_data();
  for (size_t e = 0; e < elements.size(); ++e)
    for (size_t a = begin; a < end; ++a) *out++ = a < elements[e].size() ? elements[e][a] : -1;
  result.attr("setflags")(py::arg("write") = false);
  return result;
}

// A body as Python sees it; `model` keeps its arrays alive.
struct PyBody {
  py::object model;
  size_t index;
  const model::Body& body() const { return model_of(model).model().bodies[index]; }
  // Without points where there is none.
  const model::Skin& skin() const {
    static const model::Skin none;
    const model::Skin* skin = model::skin_of(model_of(model).built->skins, index);
    return skin ? *skin : none;
  }
};

struct PyAttachment {
  py::object model;
  size_t index;
  const model::Attachment& attachment() const { return model_of(model).model().attachments[index]; }
};

py::dict bodies(const py::object& self) {
  py::dict result;
  const auto& list = model_of(self).model().bodies;
  for (size_t b = 0; b < list.size(); ++b) result[py::str(list[b].name)] = py::cast(PyBody{self, b});
  return result;
}

py::dict attachments(const py::object& self) {
  py::dict result;
  const auto& list = model_of(self).model().attachments;
  for (size_t a = 0; a < list.size(); ++a) result[py::str(list[a].name)] = py::cast(PyAttachment{self, a});
  return result;
}

// The surface triangles of all bodies, in node ids of the model.
py::array_t<int32_t> surface(const PyModel& model) {
  std::vector<int32_t> ids;
  for (const model::Body& body : model.model().bodies)
    for (const model::Triangle& triangle : body.surface)
      ids.insert(ids.end(), triangle.begin(), triangle.end());
  return copy_of<int32_t>(ids, {static_cast<py::ssize_t>(ids.size() / 3), 3});
}

double time_in(const PyModel& model, const std::optional<double>& time) {
  const double t = time.value_or(model.built->time.time_of(model.built->time.frames));
  if (!std::isfinite(t)) raise_value("time", "expected a finite number [s]");
  return t;
}

std::vector<double> input_numbers(const PyModel& model, double time) {
  std::vector<double> values(static_cast<size_t>(model.model().inputs.size()));
  model.model().inputs.evaluate(time, values);
  return values;
}

// A pose is given as the 3x4 matrix [A b].
py::dict inputs(const PyModel& model, const std::optional<double>& time) {
  const std::vector<double> values = input_numbers(model, time_in(model, time));
  py::dict result;
  for (const auto& block : model.model().inputs.blocks()) {
    const std::span<const double> numbers = std::span(values).subspan(block.first, block.width);
    if (block.poses.empty()) {
      result[py::str(block.name)] = copy_of<double>(numbers, {block.width});
      continue;
    }
    py::array_t<double> pose(Shape{3, 4});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) pose.mutable_at(i, j) = numbers[static_cast<size_t>(3 * j + i)];
    result[py::str(block.name)] = pose;
  }
  return result;
}

py::dict input_slices(const PyModel& model) {
  py::dict result;
  for (const auto& block : model.model().inputs.blocks())
    result[py::str(block.name)] = py::slice(block.first, block.first + block.width, 1);
  return result;
}

// What build_scene() takes, the parameters, which with_params() may have changed, and the hash of what the scene is made of.
py::tuple model_state(const py::object& self) {
  const scene::Scene& scene = *model_of(self).scene;
  py::dict meshes;
  for (const auto& [name, mesh] : scene.memory.solids) {
    const auto skin = scene.memory.skins.find(name);
    meshes[py::str(name)] =
        PyMesh{mesh, nullptr, {}, skin == scene.memory.skins.end() ? nullptr : skin->second};
  }
  for (const auto& [name, mesh] : scene.memory.surfaces)
    meshes[py::str(name)] = PyMesh{nullptr, mesh, {}, nullptr};
  return py::make_tuple(scene.resolved.compact(), scene.name,
                        (std::filesystem::current_path() / scene.folder).string(), meshes,
                        self.attr("params")(), value_of(scene::scene_hash(scene)));
}

PyModel model_from_state(const py::tuple& state) {
  const PyModel model = build_scene(state[0].cast<std::string>(), state[1].cast<std::string>(),
                                    state[2].cast<std::string>(), state[3].cast<py::dict>());
  if (value_of(scene::scene_hash(*model.scene)) != state[5].cast<std::string>())
    raise(input_error(
        model.scene->name,
        "a file that the scene names has changed since the model was pickled; build the model anew"));
  return py::cast(model).attr("with_params")(state[4]).cast<PyModel>();
}

PyState initial(const PyModel& model) {
  const py::gil_scoped_release release;
  return {model.built, scene::initial_state(*model.built, model::StateLayout())};
}

}  // namespace

std::vector<double> flat_inputs(const PyModel& model, const py::object& given,
                                const std::vector<double>& base) {
  const model::InputCurve& curve = model.model().inputs;
  if (!py::isinstance<py::dict>(given)) {
    const py::array_t<double> numbers = doubles(given, "inputs", {curve.size()});
    return {numbers.data(), numbers.data() + numbers.size()};
  }
  std::vector<double> values = base;
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(given)) {
    const std::string name = py::str(key), label = "inputs[" + json::quote(name) + "]";
    const int block = curve.find(name);
    if (block < 0) {
      std::vector<std::string_view> words;
      for (const auto& known : curve.blocks()) words.push_back(known.name);
      raise_value("inputs", json::unknown_word("input", name, words));
    }
    const auto& [block_name, first, width, poses, keys] = curve.blocks()[static_cast<size_t>(block)];
    const py::array array = py::array::ensure(value);
    if (!array) PyErr_Clear();
    if (array && array.ndim() == 2) {
      const py::array_t<double> pose = doubles(value, label, {3, 4});
      if (width != 12) raise_value(label, "found a matrix, expected " + std::to_string(width) + " numbers");
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 4; ++j) values[static_cast<size_t>(first + 3 * j + i)] = pose.at(i, j);
      continue;
    }
    const bool single = array && array.ndim() == 0 && width == 1;
    const py::array_t<double> numbers = doubles(value, label, single ? Shape{} : Shape{width});
    std::copy_n(numbers.data(), width, values.begin() + first);
  }
  return values;
}

void bind_model(py::module_& module) {
  using py::arg;
  py::class_<PyBody>(module, "Body")
      .def_property_readonly("name", [](const PyBody& b) { return b.body().name; })
      .def_property_readonly("nodes", [](const PyBody& b) { return slice_of(b.body().visible()); })
      .def_property_readonly("tets", [](const PyBody& b) { return slice_of(b.body().elements); })
      .def_property_readonly("surface", [](const PyBody& b) { return rows(b.body().surface, b.model); })
      .def_property_readonly("skin_triangles",
                             [](const PyBody& b) { return rows(b.skin().triangles, b.model); })
      .def(
          "skin",
          [](const PyBody& b, const py::object& x) {
            const model::Model& model = model_of(b.model).model();
            const py::array_t<double> at = doubles(x, "x", {static_cast<py::ssize_t>(model.X.size()), 3});
            const std::span<const model::Vec3d> nodes(reinterpret_cast<const model::Vec3d*>(at.data()),
                                                      model.X.size());
            return copy_of(model::positions(b.skin(), nodes));
          },
          arg("x"))
      .def("__repr__", [](const PyBody& b) {
        return fmt::format("<sinew.Body {}: {}>", b.body().name, size_text(model::size_of(b.body())));
      });
  py::class_<PyAttachment>(module, "Attachment")
      .def_property_readonly("name", [](const PyAttachment& a) { return a.attachment().name; })
      .def_property_readonly("hold",
                             [](const PyAttachment& a) {
                               constexpr const char* names[] = {"rigid", "plane", "line"};
                               return names[static_cast<int>(a.attachment().hold)];
                             })
      .def_property_readonly("nodes",
                             [](const PyAttachment& a) {
                               const auto& nodes = a.attachment().nodes;
                               return view(nodes.data(), {static_cast<py::ssize_t>(nodes.size())}, a.model);
                             })
      .def("__repr__", [](const PyAttachment& a) {
        return fmt::format("<sinew.Attachment {}: {} nodes>", a.attachment().name,
                           a.attachment().nodes.size());
      });
  py::class_<PyModel>(module, "Model")
      .def_property_readonly("X",
                             [](const py::object& self) {
                               const auto& X = model_of(self).model().X;
                               return view(X.data()->v, {static_cast<py::ssize_t>(X.size()), 3}, self);
                             })
      .def_property_readonly("tets", [](const py::object& self) { return nodes_of_elements(self, 0, 4); })
      .def_property_readonly("edge_nodes",
                             [](const py::object& self) -> py::object {
                               const auto& bodies = model_of(self).model().bodies;
                               if (std::none_of(bodies.begin(), bodies.end(),
                                                [](const auto& body) { return body.kind->nodes == 10; }))
                                 return py::none();
                               return nodes_of_elements(self, 4, 10);
                             })
      .def_property_readonly("bodies", &bodies)
      .def_property_readonly("attachments", &attachments)
      .def_property_readonly("colliders",
                             [](const PyModel& model) {
                               std::vector<std::string> names;
                               for (const auto& collider : model.model().colliders)
                                 names.push_back(collider.name);
                               return names;
                             })
      .def_property_readonly("probes",
                             [](const PyModel& model) {
                               std::vector<std::string> names;
                               for (const auto& probe : model.model().probes) names.push_back(probe.name);
                               return names;
                             })
      .def_property_readonly("surface", &surface)
      .def_property_readonly("mass",
                             [](const PyModel& model) {
                               const std::vector<double> mass =
                                   model.model().lumped_mass(model.model().params);
                               return copy_of<double>(mass, {static_cast<py::ssize_t>(mass.size())});
                             })
      .def_property_readonly("method",
                             [](const PyModel& model) { return std::string(model.built->method->name); })
      .def_property_readonly(
          "dynamic", [](const PyModel& model) { return model.built->settings.mode == step::Mode::dynamic; })
      .def_property_readonly("frames", [](const PyModel& model) { return model.built->time.frames; })
      .def_property_readonly("fps", [](const PyModel& model) { return model.built->time.fps; })
      .def_property_readonly("substeps", [](const PyModel& model) { return model.built->time.substeps; })
      .def(
          "time_of", [](const PyModel& model, int64_t frame) { return model.built->time.time_of(frame); },
          arg("frame"))
      .def(
          "time_of",
          [](const PyModel& model, int64_t frame, int32_t substep) {
            return model.built->time.time_of(frame, substep);
          },
          arg("frame"), arg("substep"))
      .def_property_readonly("notes", [](const PyModel& model) { return model.built->notes; })
      .def_property_readonly("scene_text",
                             [](const PyModel& model) { return model.scene->resolved.compact(); })
      .def("inputs", &inputs, arg("time") = py::none())
      .def(
          "input_vector",
          [](const PyModel& model, const std::optional<double>& time) {
            const std::vector<double> values = input_numbers(model, time_in(model, time));
            return copy_of<double>(values, {static_cast<py::ssize_t>(values.size())});
          },
          arg("time") = py::none())
      .def_property_readonly("input_slices", &input_slices)
      .def(
          "flatten_inputs",
          [](const PyModel& model, const py::object& given, const std::optional<double>& time) {
            const std::vector<double> values =
                flat_inputs(model, given, input_numbers(model, time_in(model, time)));
            return copy_of<double>(values, {static_cast<py::ssize_t>(values.size())});
          },
          arg("inputs"), arg("time") = py::none())
      .def("state", &initial)
      .def(py::pickle(&model_state, &model_from_state))
      .def("__copy__", [](const PyModel& model) { return PyModel(model); })
      .def("__deepcopy__", [](const PyModel& model, const py::dict&) { return PyModel(model); })
      .def("__repr__", [](const PyModel& model) {
        return fmt::format("<sinew.Model: {} bodies, {}>", model.model().bodies.size(),
                           size_text(model::size_of(model.model())));
      });
  module.def("size_text", [](const PyModel& model) { return size_text(model::size_of(model.model())); });
}

}  // namespace sinew::python

// sinew.Mesh, mesh files and built-in shapes.
#include <cmath>
#include <limits>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "io/mesh_file.h"
#include "mesh/properties.h"
#include "scene/building.h"
#include "scene/scene_type.h"

namespace sinew::python {
namespace {

constexpr int64_t most = std::numeric_limits<int32_t>::max();

mesh::Attributes attributes(const py::dict& given, const std::string& what, py::ssize_t rows) {
  mesh::Attributes data;
  for (const auto& [key, value] : given) {
    const std::string label = py::str(key), name = what + "[" + json::quote(label) + "]";
    const py::array array = py::array::ensure(value);
    if (!array) PyErr_Clear();
    const bool flat = array && array.ndim() == 1;
    const py::array_t<double> numbers = doubles(value, name, flat ? Shape{rows} : Shape{rows, -1});
    mesh::Attribute& out = data[label];
    out.width = flat ? 1 : static_cast<int>(numbers.shape(1));
    out.values.assign(numbers.data(), numbers.data() + numbers.size());
  }
  return data;
}

mesh::Groups groups(const py::dict& given, const std::string& what, int64_t count) {
  mesh::Groups result;
  for (const auto& [key, value] : given) {
    const std::string label = py::str(key);
    result[label] = indices(value, what + "[" + json::quote(label) + "]", count);
  }
  return result;
}

template <class Mesh>
void fill(Mesh& mesh, const py::object& vertices, const py::array_t<int32_t>& elements,
          const py::dict& vertex_data, const py::dict& element_data, const py::dict& vertex_groups,
          const py::dict& element_groups) {
  const py::array_t<double> V = doubles(vertices, "vertices", {-1, 3});
  mesh.vertices.resize(static_cast<size_t>(V.shape(0)));
  for (size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k) mesh.vertices[i][k] = V.data()[3 * i + static_cast<size_t>(k)];
  mesh.elements.resize(static_cast<size_t>(elements.shape(0)));
  for (size_t e = 0; e < mesh.elements.size(); ++e)
    std::copy_n(elements.data() + e * mesh.elements[e].size(), mesh.elements[e].size(),
                mesh.elements[e].begin());
  mesh.vertex_data = attributes(vertex_data, "vertex_data", V.shape(0));
  mesh.element_data = attributes(element_data, "element_data", elements.shape(0));
  mesh.vertex_groups = groups(vertex_groups, "vertex_groups", V.shape(0));
  mesh.element_groups = groups(element_groups, "element_groups", elements.shape(0));
}

// Raises what the checks of readers found, with the name of the argument.
void require_elements(const Result<void>& checked) {
  if (!checked) raise_value("elements", checked.error().what);
}

// (triangles, tet, weights) on so many tets.
std::shared_ptr<const mesh::Skin> skin_of(const py::object& given, py::ssize_t tets) {
  if (!py::isinstance<py::sequence>(given) || py::len(given) != 3)
    raise_value("skin", "expected three arrays: triangles (K,3), tet (P,) and weights (P,4)");
  const py::sequence parts(given);
  const py::array_t<int32_t> tet = integers(parts[1], "skin[1]", {-1}, tets);
  const py::array_t<double> weights = doubles(parts[2], "skin[2]", {tet.shape(0), 4});
  const py::array_t<int32_t> triangles = integers(parts[0], "skin[0]", {-1, 3}, tet.shape(0));
  auto skin = std::make_shared<mesh::Skin>();
  skin->tet.assign(tet.data(), tet.data() + tet.size());
  skin->weights.resize(static_cast<size_t>(weights.shape(0)));
  for (size_t i = 0; i < skin->weights.size(); ++i) {
    std::copy_n(weights.data() + 4 * i, 4, skin->weights[i].begin());
    const auto& w = skin->weights[i];
    if (!(std::abs(w[0] + w[1] + w[2] + w[3] - 1) < 1e-9))
      raise_value("skin[2]", fmt::format("the weights of vertex {} do not add up to 1", i));
  }
  skin->triangles.resize(static_cast<size_t>(triangles.shape(0)));
  for (size_t t = 0; t < skin->triangles.size(); ++t)
    std::copy_n(triangles.data() + 3 * t, 3, skin->triangles[t].begin());
  return skin;
}

py::object skin_arrays(const PyMesh& mesh) {
  if (!mesh.skin) return py::none();
  const mesh::Skin& skin = *mesh.skin;
  const auto count = static_cast<py::ssize_t>(skin.tet.size()),
             triangles = static_cast<py::ssize_t>(skin.triangles.size());
  return py::make_tuple(
      copy_of<int32_t>({skin.triangles.data()->data(), 3 * skin.triangles.size()}, {triangles, 3}),
      copy_of<int32_t>(skin.tet, {count}),
      copy_of<double>({skin.weights.data()->data(), 4 * skin.weights.size()}, {count, 4}));
}

PyMesh make_mesh(const py::object& vertices, const py::object& elements, const py::object& edge_nodes,
                 const py::dict& vertex_data, const py::dict& element_data, const py::dict& vertex_groups,
                 const py::dict& element_groups, const py::object& skin) {
  const py::array_t<double> V = doubles(vertices, "vertices", {-1, 3});
  if (V.shape(0) > most) raise_value("vertices", "found more of them than a 32-bit id can name");
  py::array given = py::array::ensure(elements);
  if (!given) PyErr_Clear();
  const bool triangles = given && given.ndim() == 2 && given.shape(1) == 3;
  const py::array_t<int32_t> E = integers(elements, "elements", {-1, triangles ? 3 : 4}, V.shape(0));
  if (E.shape(0) == 0) raise_value("elements", "found none, expected at least one");
  PyMesh result;
  if (triangles) {
    if (!edge_nodes.is_none()) raise_value("edge_nodes", "expected with tets alone");
    if (!skin.is_none()) raise_value("skin", "expected with tets alone");
    auto mesh = std::make_shared<mesh::TriMesh>();
    fill(*mesh, V, E, vertex_data, element_data, vertex_groups, element_groups);
    require_elements(io::check_triangles(*mesh, {}, &result.notes));
    result.triangles = std::move(mesh);
    return result;
  }
  auto mesh = std::make_shared<mesh::TetMesh>();
  fill(*mesh, V, E, vertex_data, element_data, vertex_groups, element_groups);
  if (!edge_nodes.is_none()) {
    const py::array_t<int32_t> edges = integers(edge_nodes, "edge_nodes", {E.shape(0), 6}, V.shape(0));
    mesh->edge_nodes.resize(mesh->elements.size());
    for (size_t e = 0; e < mesh->elements.size(); ++e)
      std::copy_n(edges.data() + 6 * e, 6, mesh->edge_nodes[e].begin());
  }
  const size_t notes = result.notes.size();
  require_elements(io::check_tets(*mesh, {}, {}, &result.notes));
  if (!skin.is_none()) {
    if (result.notes.size() > notes)
      raise_value("skin",
                  "found tets that are inside out, expected positive ones: turning them moves the corners");
    result.skin = skin_of(skin, E.shape(0));
  }
  result.tets = std::move(mesh);
  return result;
}

// The arguments of the constructor, and the notes, by name.
py::dict mesh_state(const py::object& self) {
  py::dict state;
  for (const char* name : {"vertices", "elements", "edge_nodes", "vertex_data", "element_data",
                           "vertex_groups", "element_groups", "skin", "notes"})
    state[name] = self.attr(name);
  return state;
}

PyMesh mesh_from_state(const py::dict& state) {
  PyMesh mesh =
      make_mesh(state["vertices"], state["elements"], state["edge_nodes"], state["vertex_data"],
                state["element_data"], state["vertex_groups"], state["element_groups"], state["skin"]);
  for (std::string& note : state["notes"].cast<std::vector<std::string>>())
    mesh.notes.push_back(std::move(note));
  return mesh;
}

// f(mesh) of the one that is there.
template <class F>
auto visit(const PyMesh& mesh, F f) {
  return mesh.tets ? f(*mesh.tets) : f(*mesh.triangles);
}

py::dict data_views(const mesh::Attributes& data, const py::object& owner) {
  py::dict result;
  for (const auto& [name, attribute] : data) {
    const auto rows = static_cast<py::ssize_t>(attribute.values.size()) / std::max(attribute.width, 1);
    result[py::str(name)] = view(attribute.values.data(),
                                 attribute.width == 1 ? Shape{rows} : Shape{rows, attribute.width}, owner);
  }
  return result;
}

py::dict group_views(const mesh::Groups& groups, const py::object& owner) {
  py::dict result;
  for (const auto& [name, ids] : groups)
    result[py::str(name)] = view(ids.data(), {static_cast<py::ssize_t>(ids.size())}, owner);
  return result;
}

PyMesh read_mesh(const py::object& file) {
  const std::string path = path_of(file);
  const py::gil_scoped_release release;
  PyMesh result;
  const io::MeshFormat* format = io::find_mesh_format(path);
  if (format && format->read_tets) {
    Result<mesh::TetMesh> tets = io::read_tet_mesh(path, &result.notes);
    if (tets) {
      result.tets = std::make_shared<const mesh::TetMesh>(std::move(*tets));
      return result;
    }
    if (tets.error().kind == ErrorKind::io || !format->read_triangles) raise(tets.error());
    result.notes.clear();
  }
  // A file without tets may be a surface.
  Result<mesh::TriMesh> triangles = io::read_tri_mesh(path, &result.notes);
  if (!triangles) raise(triangles.error());
  result.triangles = std::make_shared<const mesh::TriMesh>(std::move(*triangles));
  return result;
}

std::vector<std::string> write_mesh(const py::object& file, const PyMesh& mesh) {
  const std::string path = path_of(file);
  const py::gil_scoped_release release;
  io::Notes notes;
  const io::MeshFormat* format = io::find_mesh_format(path);
  Result<void> written;
  if (mesh.tets && format && !format->write_tets && format->write_triangles) {
    io::note_dropped({.vertex_groups = true, .vertex_data = io::keeps_all}, *mesh.tets, &notes);
    written = io::write_tri_mesh(path, mesh::boundary_surface(*mesh.tets).mesh, &notes);
  } else {
    written = mesh.tets ? io::write_tet_mesh(path, *mesh.tets, &notes)
                        : io::write_tri_mesh(path, *mesh.triangles, &notes);
  }
  if (!written) raise(written.error());
  return notes;
}

// {"box": {...}} by the table of the scene file.
PyMesh make_shape(const std::string& text) {
  json::Diagnostics diagnostics("shape");
  Result<json::Json> json = json::parse_json(text, "shape");
  if (!json) raise(json.error());
  std::vector<std::string_view> known;
  const json::Type* type = json::member_type(scene::scene_type(), nullptr, "bodies", known);
  type = json::member_type(*type->item, nullptr, "mesh", known);
  const json::Json resolved = json::validate(*json, *type, diagnostics);
  if (!diagnostics.empty()) raise(diagnostics);
  PyMesh result;
  py::gil_scoped_release release;
  Result<mesh::TetMesh> mesh = scene::shape_mesh(resolved, scene::system_available_bytes());
  if (!mesh) raise(mesh.error());
  result.tets = std::make_shared<const mesh::TetMesh>(std::move(*mesh));
  return result;
}

PyMesh boundary_of(const PyMesh& mesh) {
  if (!mesh.tets) return mesh;
  PyMesh result;
  result.triangles = std::make_shared<const mesh::TriMesh>(mesh::boundary_surface(*mesh.tets).mesh);
  return result;
}

}  // namespace

void bind_mesh(py::module_& module) {
  using py::arg;
  py::class_<PyMesh>(module, "Mesh")
      .def(py::init(&make_mesh), arg("vertices"), arg("elements"), py::kw_only(),
           arg("edge_nodes") = py::none(), arg("vertex_data") = py::dict(), arg("element_data") = py::dict(),
           arg("vertex_groups") = py::dict(), arg("element_groups") = py::dict(), arg("skin") = py::none())
      .def_property_readonly(
          "vertices",
          [](const py::object& self) {
            return visit(self.cast<const PyMesh&>(), [&](const auto& m) {
              return view(m.vertices.data()->v, {static_cast<py::ssize_t>(m.vertices.size()), 3}, self);
            });
          })
      .def_property_readonly("elements",
                             [](const py::object& self) {
                               return visit(self.cast<const PyMesh&>(), [&](const auto& m) {
                                 return view(m.elements.data()->data(),
                                             {static_cast<py::ssize_t>(m.elements.size()),
                                              static_cast<py::ssize_t>(m.elements[0].size())},
                                             self);
                               });
                             })
      .def_property_readonly("edge_nodes",
                             [](const py::object& self) -> py::object {
                               const auto& mesh = self.cast<const PyMesh&>();
                               if (!mesh.tets || mesh.tets->edge_nodes.empty()) return py::none();
                               return view(mesh.tets->edge_nodes.data()->data(),
                                           {static_cast<py::ssize_t>(mesh.tets->edge_nodes.size()), 6}, self);
                             })
      .def_property_readonly("vertex_data",
                             [](const py::object& self) {
                               return visit(self.cast<const PyMesh&>(),
                                            [&](const auto& m) { return data_views(m.vertex_data, self); });
                             })
      .def_property_readonly("element_data",
                             [](const py::object& self) {
                               return visit(self.cast<const PyMesh&>(),
                                            [&](const auto& m) { return data_views(m.element_data, self); });
                             })
      .def_property_readonly("vertex_groups",
                             [](const py::object& self) {
                               return visit(self.cast<const PyMesh&>(), [&](const auto& m) {
                                 return group_views(m.vertex_groups, self);
                               });
                             })
      .def_property_readonly("element_groups",
                             [](const py::object& self) {
                               return visit(self.cast<const PyMesh&>(), [&](const auto& m) {
                                 return group_views(m.element_groups, self);
                               });
                             })
      .def_property_readonly("notes",
                             [](const PyMesh& mesh) -> const std::vector<std::string>& { return mesh.notes; })
      .def_property_readonly("skin", &skin_arrays)
      .def_property_readonly("is_solid", [](const PyMesh& mesh) { return mesh.tets != nullptr; })
      .def_property_readonly("volume",
                             [](const PyMesh& mesh) {
                               return mesh.tets ? mesh::total_volume(*mesh.tets)
                                                : mesh::enclosed_volume(*mesh.triangles);
                             })
      .def("boundary", &boundary_of)
      .def(py::pickle(&mesh_state, &mesh_from_state))
      .def("__copy__", [](const PyMesh& mesh) { return PyMesh(mesh); })
      .def("__deepcopy__", [](const PyMesh& mesh, const py::dict&) { return PyMesh(mesh); })
      .def("__repr__", [](const PyMesh& mesh) {
        return visit(mesh, [&](const auto& m) {
          return fmt::format("<sinew.Mesh: {} vertices, {} {}>", m.vertices.size(), m.elements.size(),
                             mesh.tets ? "tets" : "triangles");
        });
      });
  module.def("read_mesh", &read_mesh, arg("path"));
  module.def("write_mesh", &write_mesh, arg("path"), arg("mesh"));
  module.def("shape", &make_shape);
}

}  // namespace sinew::python

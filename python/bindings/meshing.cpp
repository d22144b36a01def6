// Volume meshes for surfaces: sinew.mesh_surface.
#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/interrupt.h"
#include "io/skin_file.h"
#include "meshing/volume.h"
#include "scene/building.h"
#include "scene/volume_report.h"

namespace sinew::python {
namespace {

meshing::VolumeOptions options_of(double cell, int64_t cells, int64_t tets, int coarsen, bool hexes,
                                  bool winding, bool repair) {
  meshing::VolumeOptions options;
  options.cell = cell;
  options.cells = cells;
  options.tets = tets;
  options.coarsen = coarsen;
  options.hexes = hexes;
  options.winding = winding;
  if (!repair) options.repairs = {.fill_holes = false, .orient = false};
  options.max_bytes = scene::system_available_bytes() / 4 * 3;
  return options;
}

template <size_t width>
py::array_t<int32_t> table(const std::vector<std::array<int32_t, width>>& rows) {
  return copy_of<int32_t>({rows.empty() ? nullptr : rows.data()->data(), width * rows.size()},
                          {static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(width)});
}

// How the vertices of the surface as given are carried.
template <int corners>
void add_embedding(const std::vector<meshing::Carried<corners>>& carried, py::dict& out) {
  const auto count = static_cast<py::ssize_t>(carried.size());
  py::array_t<int32_t> element(Shape{count}), nodes(Shape{count, corners});
  py::array_t<double> weights(Shape{count, corners});
  for (py::ssize_t i = 0; i < count; ++i) {
    const meshing::Carried<corners>& from = carried[static_cast<size_t>(i)];
    element.mutable_data()[i] = from.element;
    std::copy(from.vertices.begin(), from.vertices.end(), nodes.mutable_data() + corners * i);
    std::copy(from.weights.begin(), from.weights.end(), weights.mutable_data() + corners * i);
  }
  out["element"] = element;
  out["nodes"] = nodes;
  out["weights"] = weights;
}

// Arrays, the mesh of tets and the report as JSON.
py::dict mesh_surface(const PyMesh& surface, double cell, int64_t cells, int64_t tets, int coarsen,
                      bool hexes, bool winding, bool repair, bool join_all,
                      std::vector<std::array<std::string, 2>> join_pairs) {
  if (!surface.triangles) raise_value("surface", "found tets, expected triangles");
  meshing::VolumeOptions options = options_of(cell, cells, tets, coarsen, hexes, winding, repair);
  options.joined = {join_all, std::move(join_pairs)};
  Interrupt interrupt;
  meshing::Volume volume;
  PyMesh mesh;
  {
    const py::gil_scoped_release release;
    Result<meshing::Volume> made =
        meshing::volume_of(*surface.triangles, options, "surface", Control{&interrupt.cancel(), {}});
    if (!made && !interrupt.cancel().requested()) raise(made.error());
    if (made) volume = std::move(*made);
  }
  interrupt.rethrow();
  py::dict out;
  out["report"] = scene::volume_json(volume).compact();
  out["mesh"] = py::none();
  if (hexes) {
    out["vertices"] = copy_of(volume.hexes.vertices);
    out["elements"] = table(volume.hexes.elements);
    out["triangles"] = table(surface.triangles->elements);
    add_embedding(meshing::given_in_hexes(*surface.triangles, volume), out);
    return out;
  }
  auto skin = std::make_shared<mesh::Skin>(meshing::skin_of(*surface.triangles, volume));
  out["triangles"] = table(skin->triangles);
  add_embedding(meshing::given_in_tets(*surface.triangles, volume), out);
  mesh.skin = std::move(skin);
  mesh.tets = std::make_shared<const mesh::TetMesh>(std::move(volume.tets));
  out["mesh"] = py::cast(std::move(mesh));
  return out;
}

}  // namespace

void bind_meshing(py::module_& module) {
  module.def("mesh_surface", &mesh_surface);
  module.def("write_skin", [](const py::object& file, const PyMesh& mesh) {
    if (!mesh.skin) raise_value("mesh", "found a mesh without a skin");
    require(io::write_skin(path_of(file), *mesh.skin));
  });
}

}  // namespace sinew::python

// Scenes: reading, checking, building; the tables of materials, methods and quantities.
#include "bindings/bindings.h"
#include "material/law.h"
#include "measure/quantity.h"
#include "scene/check.h"
#include "scene/scene_type.h"
#include "step/stepper.h"

namespace sinew::python {
namespace {

using json::Json;

// A scene as the package keeps it: JSON, where it came from, and the meshes that it names under "memory".
struct Given {
  std::string text, name, folder;
  scene::MemoryMeshes memory;
};

Given given_of(const std::string& text, const std::string& name, const std::string& folder,
               const py::dict& meshes) {
  Given given{text, name, folder, {}};
  for (const auto& [key, value] : meshes) {
    const auto& mesh = value.cast<const PyMesh&>();
    const std::string label = py::str(key);
    if (mesh.skin) given.memory.skins[label] = mesh.skin;
    if (mesh.tets)
      given.memory.solids[label] = mesh.tets;
    else
      given.memory.surfaces[label] = mesh.triangles;
  }
  return given;
}

std::optional<scene::Scene> parse(const Given& given, json::Diagnostics& diagnostics) {
  auto scene = scene::parse_scene(given.text, given.name, given.folder, {}, diagnostics);
  if (scene) scene->memory = given.memory;
  return scene;
}

// (severity, where, path, text) of everything that is wrong or may surprise.
std::vector<std::array<std::string, 4>> check_scene(const std::string& text, const std::string& name,
                                                    const std::string& folder, const py::dict& meshes) {
  const Given given = given_of(text, name, folder, meshes);
  const py::gil_scoped_release release;
  json::Diagnostics diagnostics;
  std::vector<std::array<std::string, 4>> found;
  const auto scene = parse(given, diagnostics);
  const auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  for (const Error& error : diagnostics.list())
    found.push_back({"error", error.where, error.path, error.what});
  if (!built) return found;
  for (const std::string& note : built->notes) found.push_back({"note", {}, {}, note});
  for (const scene::Finding& finding : scene::check(*built))
    found.push_back({scene::name_of(finding.severity), {}, {}, finding.text});
  return found;
}

// The scene with every default, and the folder that its paths are relative to.
std::pair<std::string, std::string> load_scene(const py::object& file,
                                               const std::vector<std::string>& overrides) {
  const std::string path = path_of(file);
  json::Diagnostics diagnostics;
  const auto scene = scene::load_scene(path, overrides, diagnostics);
  if (!scene) raise(diagnostics);
  return {scene->resolved.compact(), scene->folder.string()};
}

std::string resolve(const std::string& text, const std::string& name,
                    const std::vector<std::string>& overrides) {
  json::Diagnostics diagnostics;
  const auto scene = scene::parse_scene(text, name, {}, overrides, diagnostics);
  if (!scene) raise(diagnostics);
  return scene->resolved.compact();
}

// A material of a body, with its defaults.
std::string resolve_material(const std::string& text) {
  json::Diagnostics diagnostics("material");
  const Json given = value_of(json::parse_json(text, "material"));
  std::vector<std::string_view> known;
  const json::Type* type = json::member_type(scene::scene_type(), nullptr, "bodies", known);
  type = json::member_type(*type->item, nullptr, "material", known);
  const Json resolved = json::validate(given, *type, diagnostics);
  if (!diagnostics.empty()) raise(diagnostics);
  return resolved.compact();
}

std::string pretty(const std::string& text) { return value_of(json::parse_json(text, "scene")).pretty(); }

py::dict field_of(const Field& field) {
  constexpr const char* kinds[] = {"number", "integer", "boolean", "text", "vector3", "choice", "path"};
  py::dict d;
  d["name"] = std::string(field.name);
  d["kind"] = kinds[static_cast<int>(field.kind)];
  d["unit"] = std::string(field.unit);
  d["doc"] = std::string(field.doc);
  d["expected"] = json::expectation(field);
  d["initial"] = field.initial.empty() ? py::object(py::none()) : py::str(std::string(field.initial));
  py::list choices;
  for (const std::string_view choice : field.choices) choices.append(std::string(choice));
  d["choices"] = choices;
  return d;
}

py::list fields_of(Fields fields) {
  py::list list;
  for (const Field& field : fields) list.append(field_of(field));
  return list;
}

py::list laws() {
  py::list list;
  for (const material::Law* law : material::laws()) {
    py::dict d;
    d["name"] = std::string(law->name);
    d["title"] = std::string(law->title);
    d["formula"] = std::string(law->formula);
    d["source"] = std::string(law->source);
    d["fields"] = fields_of(law->fields);
    list.append(d);
  }
  return list;
}

py::list methods() {
  py::list list;
  for (const step::Method* method : step::methods()) {
    py::dict d;
    d["name"] = std::string(method->name);
    d["title"] = std::string(method->title);
    d["doc"] = std::string(method->doc);
    d["fields"] = fields_of(method->fields);
    list.append(d);
  }
  return list;
}

py::list quantities() {
  constexpr const char* targets[] = {"node", "tet", "body", "attachment", "probe", "pair"};
  py::list list;
  for (const measure::Quantity* quantity : measure::quantities()) {
    py::dict d;
    d["name"] = std::string(quantity->name);
    d["unit"] = std::string(quantity->unit);
    d["doc"] = std::string(quantity->doc);
    d["on"] = targets[static_cast<int>(quantity->on)];
    d["width"] = quantity->width;
    list.append(d);
  }
  return list;
}

}  // namespace

PyModel build_scene(const std::string& text, const std::string& name, const std::string& folder,
                    const py::dict& meshes) {
  const Given given = given_of(text, name, folder, meshes);
  const py::gil_scoped_release release;
  json::Diagnostics diagnostics;
  auto scene = parse(given, diagnostics);
  auto built = scene ? scene::build(*scene, diagnostics) : std::nullopt;
  if (!built) raise(diagnostics);
  return {std::make_shared<const scene::Scene>(std::move(*scene)),
          std::make_shared<const scene::Built>(std::move(*built))};
}

void bind_scene(py::module_& module) {
  module.def("build", &build_scene);
  module.def("check", &check_scene);
  module.def("load_scene", &load_scene);
  module.def("resolve", &resolve);
  module.def("resolve_material", &resolve_material);
  module.def("pretty", &pretty);
  module.def("laws", &laws);
  module.def("methods", &methods);
  module.def("quantities", &quantities);
}

}  // namespace sinew::python

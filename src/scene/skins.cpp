#include "element/shape.h"
#include "io/mesh_file.h"
#include "io/skin_file.h"
#include "meshing/volume.h"
#include "scene/building.h"
#include "scene/volume_report.h"

namespace sinew::scene {

Result<mesh::TetMesh> fill_surface(Building& building, const Json& json, BodyParts& body) {
  io::Notes notes;
  const std::string path = (building.scene.folder / json["surface"].text()).string();
  Result<mesh::TriMesh> surface = io::read_tri_mesh(path, &notes);
  for (std::string& note : notes) building.built.notes.push_back(body.name + ": " + std::move(note));
  if (!surface) return surface.error();
  transform(surface->vertices, {file_axes(json), {0, 0, 0}});
  const auto number = [&](std::string_view key) { return json.has(key) ? json[key].number() : 0; };
  meshing::VolumeOptions options;
  options.cell = number("cell");
  options.cells = static_cast<int64_t>(number("cells"));
  options.tets = static_cast<int64_t>(number("tets"));
  options.coarsen = static_cast<int>(number("coarsen"));
  options.winding = json["winding"].boolean();
  if (const Json* joined = json.find("joined")) {
    options.joined.all = joined->is(Json::Kind::text);
    for (size_t i = 0; !options.joined.all && i < joined->size(); ++i)
      options.joined.pairs.push_back({joined->item(i).item(0).text(), joined->item(i).item(1).text()});
  }
  if (!json["repair"].boolean()) options.repairs = {.fill_holes = false, .orient = false};
  options.max_bytes = building.available_bytes;
  options.bytes_per_tet = body.kind->bytes;
  Result<meshing::Volume> volume = meshing::volume_of(*surface, options, path, Control());
  if (!volume) return volume.error();
  for (const std::string& sentence : volume_sentences(*volume))
    building.built.notes.push_back(body.name + ": " + sentence);
  body.skin = meshing::skin_of(*surface, *volume);
  return std::move(volume->tets);
}

Result<void> find_skin(const Building& building, const Json& json, BodyParts& body) {
  if (const Json* file = json.find("skin")) {
    Result<mesh::Skin> skin = io::read_skin((building.scene.folder / file->text()).string(),
                                            static_cast<int64_t>(body.mesh.elements.size()));
    if (!skin) return skin.error();
    body.skin = std::move(*skin);
  } else if (json.has("memory")) {
    const auto& skins = building.scene.memory.skins;
    if (const auto found = skins.find(json["memory"].text()); found != skins.end())
      body.skin = *found->second;
  }
  return {};
}

namespace {

model::Skin in_model_ids(const model::Model& model, const BodyParts& body) {
  const mesh::TetMesh& mesh = body.mesh;
  model::Skin out;
  if (const auto layers = mesh.element_data.find("layers");
      layers != mesh.element_data.end() && layers->second.width == 1)
    out.layers.assign(layers->second.values.begin(), layers->second.values.end());
  out.triangles = body.skin.triangles;
  out.points.resize(body.skin.tet.size());
  out.tets.resize(body.skin.tet.size());
  for (size_t i = 0; i < body.skin.tet.size(); ++i) {
    const int32_t element = body.first_element + body.skin.tet[i];
    geometry::EmbeddedPoint& point = out.points[i];
    out.tets[i] = element;
    point.count = body.kind->nodes;
    std::copy_n(model.elements[element].begin(), point.count, point.node.begin());
    body.kind->values(body.skin.weights[i].data(), point.weight.data());
  }
  return out;
}

}  // namespace

void add_skins(Building& building) {
  bool any = false;
  for (const BodyParts& body : building.bodies)
    any |= !body.skin.triangles.empty() || body.mesh.element_data.contains("layers");
  if (!any) return;
  auto skins = std::make_shared<std::vector<model::Skin>>();
  for (const BodyParts& body : building.bodies) skins->push_back(in_model_ids(building.built.model, body));
  building.built.skins = std::move(skins);
}

}  // namespace sinew::scene

#include <algorithm>

#include "element/shape.h"
#include "io/mesh_file.h"
#include "io/skin_file.h"
#include "mesh/properties.h"
#include "mesh/texture.h"
#include "meshing/touching_skin.h"
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

// A vertex of a skin, carried by the nodes of its tet.
geometry::EmbeddedPoint carried(const model::Model& model, const BodyParts& body, const mesh::Skin& skin,
                                size_t vertex) {
  geometry::EmbeddedPoint point;
  point.count = body.kind->nodes;
  std::copy_n(model.elements[body.first_element + skin.tet[vertex]].begin(), point.count, point.node.begin());
  body.kind->values(skin.weights[vertex].data(), point.weight.data());
  return point;
}

// Of the triangles of a shell; empty where its mesh has none.
std::vector<mesh::FlatTriangle> texture_of(const BodyParts& body) {
  std::vector<mesh::FlatTriangle> corners;
  const auto found = body.mesh.element_data.find(mesh::texture_data);
  if (found == body.mesh.element_data.end() || found->second.width != 6) return corners;
  for (size_t t = 0; t < body.boundary.triangles.size(); ++t)
    corners.push_back(mesh::texture_corners(found->second, t));
  return corners;
}

model::Skin in_model_ids(const model::Model& model, const BodyParts& body) {
  const mesh::TetMesh& mesh = body.mesh;
  model::Skin out;
  if (const auto layers = mesh.element_data.find("layers");
      layers != mesh.element_data.end() && layers->second.width == 1)
    out.layers.assign(layers->second.values.begin(), layers->second.values.end());
  if (body.is_shell()) out.texture = texture_of(body);
  out.triangles = body.skin.triangles;
  out.points.resize(body.skin.tet.size());
  out.tets.resize(body.skin.tet.size());
  for (size_t i = 0; i < body.skin.tet.size(); ++i) {
    out.tets[i] = body.first_element + body.skin.tet[i];
    out.points[i] = carried(model, body, body.skin, i);
  }
  return out;
}

}  // namespace

void add_skins(Building& building) {
  bool any = false;
  for (const BodyParts& body : building.bodies)
    any |= !body.skin.triangles.empty() || body.mesh.element_data.contains("layers") ||
           (body.is_shell() && body.mesh.element_data.contains(mesh::texture_data));
  if (!any) return;
  auto skins = std::make_shared<std::vector<model::Skin>>();
  for (const BodyParts& body : building.bodies) skins->push_back(in_model_ids(building.built.model, body));
  building.built.skins = std::move(skins);
}

namespace {

// Parts of the mesh that carry no vertex of the skin touch with the surface of their elements.
void add_bare_parts(model::Model& model, size_t b, const BodyParts& body, const mesh::Skin& skin) {
  const mesh::Components parts = mesh::connected_components(body.mesh);
  std::vector<char> bare(parts.count, 1);
  for (const model::Triangle& triangle : skin.triangles)
    for (const int32_t vertex : triangle) bare[parts.of_element[skin.tet[vertex]]] = 0;
  const model::Body& own = model.bodies[b];
  for (size_t t = 0; t < own.surface.size(); ++t)
    if (bare[parts.of_element[own.behind[t] - body.first_element]])
      model.contact.skins[b].push_back(own.surface[t]);
}

}  // namespace

void touch_with_skins(Building& building) {
  model::Model& model = building.built.model;
  model::ContactPlan& plan = model.contact;
  const bool moved_back =
      std::any_of(model.colliders.begin(), model.colliders.end(), [](const model::Collider& collider) {
        return collider.response != model::Collider::Response::penalty;
      });
  if (moved_back || !model.sliding.empty()) return;  // these act on nodes
  plan.skins.assign(building.bodies.size(), {});
  plan.carried.clear();
  plan.carried_body.clear();
  for (size_t b = 0; b < building.bodies.size(); ++b) {
    const BodyParts& body = building.bodies[b];
    if (body.skin.triangles.empty()) continue;
    const mesh::Skin skin = meshing::touching_skin(
        body.skin, body.mesh, mean_edge(body.mesh.vertices, body.boundary.triangles), body.coarsen_skin);
    const int32_t first = model.point_count();
    plan.skins[b] = skin.triangles;
    for (model::Triangle& triangle : plan.skins[b])
      for (int32_t& vertex : triangle) vertex += first;
    if (skin.triangles.empty()) continue;
    add_bare_parts(model, b, body, skin);
    for (size_t i = 0; i < skin.tet.size(); ++i) {
      plan.carried.push_back(carried(model, body, skin, i));
      plan.carried_body.push_back(static_cast<int32_t>(b));
    }
  }
  if (plan.carried.empty()) plan.skins.clear();
}

double mean_edge(std::span<const Vec3d> points, const std::vector<model::Triangle>& triangles) {
  double sum = 0;
  for (const auto& t : triangles)
    for (int k = 0; k < 3; ++k) sum += norm(points[t[k]] - points[t[(k + 1) % 3]]);
  return triangles.empty() ? 0 : sum / (3.0 * static_cast<double>(triangles.size()));
}

}  // namespace sinew::scene

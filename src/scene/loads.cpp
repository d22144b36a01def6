#include <algorithm>
#include <set>

#include "json/type.h"
#include "scene/building.h"
#include "scene/select.h"

namespace sinew::scene {
namespace {

using model::Triangle;

// Surface triangles of the body whose corners are all selected.
std::vector<Triangle> selected_faces(const model::Model& model, const What& what) {
  std::vector<Triangle> faces;
  for (const Triangle& face : model.bodies[what.body].surface)
    if (std::all_of(face.begin(), face.end(), [&](int32_t node) {
          return std::binary_search(what.nodes.begin(), what.nodes.end(), node);
        }))
      faces.push_back(face);
  return faces;
}

// The nodes of those faces of the body of which all are selected.
std::vector<std::vector<int32_t>> whole_faces(const model::Body& body, const std::vector<int32_t>& nodes) {
  std::vector<std::vector<int32_t>> faces;
  const auto& triangles = body.kind->face_triangles;
  for (size_t first = 0; first < body.surface.size(); first += triangles.size()) {
    std::vector<int32_t> face(body.kind->face_nodes);
    for (size_t t = 0; t < triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) face[triangles[t][k]] = body.surface[first + t][k];
    if (std::all_of(face.begin(), face.end(),
                    [&](int32_t node) { return std::binary_search(nodes.begin(), nodes.end(), node); }))
      faces.push_back(std::move(face));
  }
  return faces;
}

// Every edge of a closed surface is met once in each direction.
bool is_closed(const std::vector<Triangle>& faces) {
  std::vector<std::pair<int32_t, int32_t>> edges, reversed;
  for (const Triangle& face : faces)
    for (int k = 0; k < 3; ++k) {
      edges.emplace_back(face[k], face[(k + 1) % 3]);
      reversed.emplace_back(face[(k + 1) % 3], face[k]);
    }
  std::sort(edges.begin(), edges.end());
  std::sort(reversed.begin(), reversed.end());
  return edges == reversed;
}

// Marks the nodes of a body that take no part of a uniform load on a face: corners whose shape functions have no integral
// over it.
std::vector<char> unloaded_nodes(const model::Model& model, int body) {
  const model::Body& of = model.bodies[body];
  std::vector<char> marks(of.nodes.size(), 0);
  if (of.kind->loads_corners) return marks;
  for (int32_t e = of.elements.begin; e < of.elements.end; ++e)
    for (int32_t node : model.elements[e].first(of.kind->corners)) marks[node - of.nodes.begin] = 1;
  return marks;
}

model::NodalLoad nodal_load(const model::Model& model, const What& what, const std::vector<Triangle>& faces,
                            const Json& json) {
  const Vec3d value = vector_of(json["value"]);
  model::NodalLoad load;
  load.nodes = what.nodes;
  load.forces.assign(load.nodes.size(), Vec3d::zero());
  if (json["type"].text() == "force") {
    load.forces.assign(load.nodes.size(), value * (1.0 / static_cast<double>(load.nodes.size())));
    return load;
  }
  const auto add = [&](int32_t node, double area) {
    load.forces[std::lower_bound(load.nodes.begin(), load.nodes.end(), node) - load.nodes.begin()] +=
        value * area;
  };
  const std::vector<char> unloaded = unloaded_nodes(model, what.body);
  for (const Triangle& face : faces) {
    const auto takes = [&](int32_t node) { return !unloaded[node - model.bodies[what.body].nodes.begin]; };
    const auto takers = static_cast<double>(std::count_if(face.begin(), face.end(), takes));
    for (int32_t node : face)
      if (takes(node)) add(node, mesh::triangle_area(model.X, face) / takers);
  }
  return load;
}

std::vector<model::NumberKey> velocity_keys(const Json& velocity) {
  const auto numbers = [](const Json& v) {
    const Vec3d of = vector_of(v);
    return std::vector<double>{of[0], of[1], of[2]};
  };
  if (velocity.item(0).is(Json::Kind::number)) return {{0, numbers(velocity)}};
  std::vector<model::NumberKey> keys;
  for (const Json& key : velocity.items()) keys.push_back({key["time"].number(), numbers(key["velocity"])});
  return keys;
}

}  // namespace

void add_wind(Building& building) {
  const Json* json = building.scene.resolved.find("wind");
  if (!json) return;
  if (building.scene.resolved["solve"]["mode"].text() != "dynamic")
    return building.problem(
        *json, "/wind",
        "found wind in a quasistatic scene: its drag depends on how the bodies move; expected "
        "\"mode\": \"dynamic\" under \"solve\"");
  model::Model& model = building.built.model;
  model::Wind wind;
  if (const Json* bodies = json->find("bodies")) {
    for (size_t k = 0; k < bodies->size(); ++k) {
      const int b = building.find_body(bodies->item(k), "/wind/bodies/" + std::to_string(k));
      if (b < 0) continue;
      for (size_t other = 0; other < k; ++other)
        if (bodies->item(other).text() == bodies->item(k).text())
          building.problem(bodies->item(k), "/wind/bodies/" + std::to_string(k), "found this body twice");
      const auto& surface = model.bodies[b].surface;
      wind.faces.insert(wind.faces.end(), surface.begin(), surface.end());
    }
  } else {
    for (const model::Body& body : model.bodies)
      if (body.kind->is_triangle())
        wind.faces.insert(wind.faces.end(), body.surface.begin(), body.surface.end());
    if (wind.faces.empty())
      building.problem(
          *json, "/wind",
          "found no shell for the wind to blow at; expected \"bodies\" to name what it drags at");
  }
  wind.velocity = model.inputs.add_numbers("wind.velocity", velocity_keys((*json)["velocity"]));
  constexpr double ever = 1e6;
  wind.clock = model.inputs.add_numbers("wind.clock", {{0, {0}}, {ever, {ever}}});
  wind.density = (*json)["density"].number();
  wind.drag = (*json)["drag"].number();
  wind.friction = (*json)["friction"].number();
  if (const Json* gusts = json->find("gusts")) {
    wind.gust_speed = (*gusts)["speed"].number();
    wind.gust_length = (*gusts)["length"].number();
    wind.seed = static_cast<uint64_t>((*gusts)["seed"].number());
  }
  model.winds.push_back(std::move(wind));
}

void add_loads(Building& building) {
  const Json& list = building.scene.resolved["loads"];
  model::Model& model = building.built.model;
  std::set<std::string> names;
  for (size_t i = 0; i < list.size(); ++i) {
    const Json& json = list.item(i);
    const std::string path = "/loads/" + std::to_string(i);
    const What what = select_what(building, json["what"], path + "/what");
    if (what.nodes.empty()) continue;
    const std::string& type = json["type"].text();
    const std::vector<Triangle> faces =
        type == "force" ? std::vector<Triangle>{} : selected_faces(model, what);
    if (type != "force" && faces.empty()) {
      building.problem(
          json["what"], path + "/what",
          "the selection " + json::quote(json["what"].text()) + " has " + std::to_string(what.nodes.size()) +
              " nodes but no surface triangle with all three corners among them; a " + type + " needs faces");
      continue;
    }
    const Json* given = json.find("name");
    std::string name = given ? given->text() : what.selection;
    if (given && (!json::valid_name(name) || names.contains(name)))
      building.problem(*given, path + "/name",
                       "found the name " + json::quote(name.substr(0, 60)) +
                           ", expected one of its own of letters, digits, '_' and '-'");
    for (int k = 2; names.contains(name); ++k) name = what.selection + "_" + std::to_string(k);
    names.insert(name);

    std::vector<model::NumberKey> ramp;
    for (const Json& key : json["ramp"].items())
      ramp.push_back({key["time"].number(), {key["factor"].number()}});
    const int32_t factor = model.inputs.add_numbers("load." + name, std::move(ramp));
    if (type == "pressure") {
      model::PressureLoad load{name, faces, json["value"].number(), factor, is_closed(faces)};
      if (model.bodies[what.body].kind->face_nodes == 6) {
        load.faces.clear();
        for (const auto& f : whole_faces(model.bodies[what.body], what.nodes))
          load.curved.push_back({f[0], f[1], f[2], f[3], f[4], f[5]});
      }
      model.pressure_loads.push_back(std::move(load));
    } else {
      model::NodalLoad load = nodal_load(model, what, faces, json);
      load.name = name;
      load.factor = factor;
      model.nodal_loads.push_back(std::move(load));
    }
  }
}

}  // namespace sinew::scene

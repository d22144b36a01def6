#include <algorithm>
#include <cmath>

#include "io/mesh_file.h"
#include "json/words.h"
#include "scene/building.h"
#include "scene/scene_table.h"

namespace sinew::scene {
namespace {

using model::Collider;
using Shape = Collider::Shape;

// Edges of a surface that do not have two triangles that run through them in opposite directions.
struct BadEdges {
  int64_t open = 0, crowded = 0, twisted = 0;  // one triangle; more than two; two that face opposite sides
  std::array<int32_t, 2> first_open = {}, first_crowded = {}, first_twisted = {};
};

BadEdges bad_edges(std::span<const model::Triangle> triangles) {
  struct Edge {
    std::array<int32_t, 2> ends;  // lower first
    bool turned;
    auto operator<=>(const Edge&) const = default;
  };
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (const model::Triangle& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const int32_t a = t[k], b = t[(k + 1) % 3];
      edges.push_back({{std::min(a, b), std::max(a, b)}, a > b});
    }
  std::sort(edges.begin(), edges.end());
  BadEdges bad;
  const auto count = [](int64_t& number, std::array<int32_t, 2>& first, const Edge& edge) {
    if (number++ == 0) first = edge.ends;
  };
  for (size_t begin = 0, end; begin < edges.size(); begin = end) {
    for (end = begin + 1; end < edges.size() && edges[end].ends == edges[begin].ends;) ++end;
    if (end - begin == 1)
      count(bad.open, bad.first_open, edges[begin]);
    else if (end - begin > 2)
      count(bad.crowded, bad.first_crowded, edges[begin]);
    else if (edges[begin].turned == edges[begin + 1].turned)
      count(bad.twisted, bad.first_twisted, edges[begin]);
  }
  return bad;
}

// Empty: the surface bounds a volume from outside.
std::string why_not_closed(const mesh::TriMesh& mesh) {
  const auto edge = [&](const std::array<int32_t, 2>& ends) {
    return "one of them between the vertices " + std::to_string(ends[0]) + " and " + std::to_string(ends[1]) +
           " (counted from 0), at " + point_text((mesh.vertices[ends[0]] + mesh.vertices[ends[1]]) * 0.5);
  };
  if (std::string why = why_too_far(mesh.vertices); !why.empty()) return why;
  const BadEdges bad = bad_edges(mesh.elements);
  if (bad.open > 0)
    return "found an open surface: " + std::to_string(bad.open) + " edges have one triangle only, " +
           edge(bad.first_open) + "; expected a closed one: close the holes, and join vertices at one place";
  if (bad.crowded > 0)
    return "found " + std::to_string(bad.crowded) + " edges with more than two triangles, " +
           edge(bad.first_crowded) + "; expected a closed surface: take inner walls out";
  if (bad.twisted > 0)
    return "found " + std::to_string(bad.twisted) + " edges whose two triangles face opposite sides, " +
           edge(bad.first_twisted) + "; expected all triangles to face outwards";
  const double volume = mesh::enclosed_volume(mesh);
  if (volume < 0)
    return "found a surface that is inside out: it encloses " +
           json::number_text(std::round(volume * 1e9) / 1e9) +
           " m^3; expected triangles that face outwards: swap two corners of each (bodies are kept inside by "
           "\"hollow\")";
  if (!(volume > 0)) return "found a surface that encloses no volume, expected a closed one";
  return {};
}

// Not yet in the world. None, with a problem.
std::optional<mesh::TriMesh> read_surface(Building& building, const Json& json, const std::string& path,
                                          const std::string& collider) {
  if (json.has("memory")) {
    const auto given = memory_mesh(building, building.scene.memory.surfaces, json["memory"], path);
    return given ? std::optional(*given) : std::nullopt;
  }
  io::Notes notes;
  const std::filesystem::path file = building.scene.folder / json["file"].text();
  Result<mesh::TriMesh> mesh = io::read_tri_mesh(file.string(), &notes);
  for (std::string& note : notes)
    building.built.notes.push_back("collider " + collider + ": " + std::move(note));
  if (!mesh) {
    const Error& error = mesh.error();
    building.problem(json["file"], path, error.where.empty() ? error.what : error.where + ": " + error.what,
                     error.kind == ErrorKind::usage ? ErrorKind::input : error.kind);
    return std::nullopt;
  }
  return std::move(*mesh);
}

// False with a problem.
bool load_surface(Building& building, const Json& json, const std::string& path, Collider& collider) {
  const std::string& word = json.key(0);
  std::optional<mesh::TriMesh> mesh = read_surface(building, json, path + "/" + word, collider.name);
  if (!mesh) return false;
  const model::Pose place = place_of(json);
  transform(mesh->vertices, {json.has("file") ? place.A * file_axes(json) : place.A, place.b});
  const std::string why =
      mesh->elements.empty() ? "found no triangles, expected a closed surface" : why_not_closed(*mesh);
  if (!why.empty()) {
    const std::string name = json.item(0).text();
    building.problem(json.item(0), path + "/" + word,
                     (word == "file" ? (building.scene.folder / name).string() : name) + ": " + why);
    return false;
  }
  collider.points = std::move(mesh->vertices);
  collider.triangles = std::move(mesh->elements);
  return true;
}

bool set_shape(Building& building, const Json& json, const std::string& path, Collider& collider) {
  const std::string& word = json.key(0);
  const Json& keys = json.item(0);
  const auto number = [&](std::string_view key) { return keys[key].number(); };
  if (word == "mesh") {
    collider.shape = Shape::mesh;
    return load_surface(building, keys, path + "/mesh", collider);
  }
  if (word == "plane") {
    collider.shape = Shape::plane;
    collider.transform = {upwards(vector_of(keys["normal"])), vector_of(keys["point"])};
  } else if (word == "sphere") {
    collider.shape = Shape::sphere;
    collider.size[0] = number("radius");
    collider.transform.b = vector_of(keys["centre"]);
  } else if (word == "box") {
    collider.shape = Shape::box;
    collider.size = vector_of(keys["size"]) / 2;
    collider.transform = {turn_of(keys.find("rotate")), vector_of(keys["centre"])};
  } else {
    collider.shape = word == "capsule" ? Shape::capsule : Shape::cylinder;
    const Vec3d from = vector_of(keys["from"]), to = vector_of(keys["to"]);
    if (!(norm(to - from) > 0)) {
      building.problem(keys["to"], path + "/" + word + "/to",
                       "found the same point as \"from\", expected another one: the axis needs a length");
      return false;
    }
    collider.size = {number("radius"), norm(to - from) / 2, 0};
    collider.transform = {upwards(to - from), (from + to) * 0.5};
  }
  return true;
}

Vec3d centre_of(const Collider& collider) {
  if (collider.shape != Shape::mesh) return collider.transform.b;
  const mesh::Bounds box = mesh::bounding_box(collider.points);
  return (box.low + box.high) * 0.5;
}

void add_groups(Building& building, const Json& groups, const std::string& path, int32_t member) {
  for (size_t i = 0; i < groups.size(); ++i) {
    const std::string& name = groups.item(i).text();
    const std::string at = path + "/groups/" + std::to_string(i);
    const bool named =
        building.scene.resolved["bodies"].has(name) || building.scene.resolved["colliders"].has(name);
    if (!json::valid_name(name)) {
      building.problem(
          groups.item(i), at,
          "found the name " + json::quote(name.substr(0, 60)) + ", expected letters, digits, '_' and '-'");
    } else if (named) {
      building.problem(groups.item(i), at,
                       "the name " + json::quote(name) + " is already that of a body or a collider");
    } else {
      std::vector<int32_t>& list = building.members[name];
      if (list.empty() || list.back() != member) list.push_back(member);
    }
  }
}

void name_members(Building& building) {
  const Json& colliders = building.scene.resolved["colliders"];
  const auto add = [&](const std::string& name, const Json& json, const std::string& path, size_t index) {
    const auto member = static_cast<int32_t>(index);
    building.members[name] = {member};
    building.members["*"].push_back(member);
    add_groups(building, json["groups"], path, member);
  };
  for (size_t b = 0; b < building.bodies.size(); ++b)
    add(building.bodies[b].name, *building.bodies[b].json, building.bodies[b].path, b);
  for (size_t c = 0; c < colliders.size(); ++c)
    add(colliders.key(c), colliders.item(c), "/colliders/" + colliders.key(c), building.bodies.size() + c);
}

}  // namespace

std::vector<int32_t> Building::find_members(const Json& name, const std::string& path) {
  if (const auto found = members.find(name.text()); found != members.end()) return found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, list] : members) names.push_back(known);
  problem(name, path, json::unknown_word("body, collider or group", name.text(), names));
  return {};
}

void make_colliders(Building& building) {
  const Json& colliders = building.scene.resolved["colliders"];
  for (size_t c = 0; c < colliders.size(); ++c) {
    const Json& json = colliders.item(c);
    const std::string path = "/colliders/" + colliders.key(c);
    Collider collider;
    collider.name = colliders.key(c);
    if (building.scene.resolved["bodies"].has(collider.name))
      building.diagnostics.add(colliders.key_place(c), path,
                               "the name " + json::quote(collider.name) + " is already that of a body");
    collider.hollow = json["hollow"].boolean();
    const std::string& response = json["response"].text();
    collider.response = response == "project" ? Collider::Response::project
                        : response == "clamp" ? Collider::Response::clamp
                                              : Collider::Response::penalty;
    if (!set_shape(building, json["shape"], path + "/shape", collider)) continue;
    std::vector<model::PoseKey> keys =
        motion_keys(building, json["motion"], path + "/motion", centre_of(collider));
    if (!keys.empty()) building.colliders.push_back({std::move(collider), std::move(keys)});
  }
}

void add_colliders(Building& building) {
  model::Model& model = building.built.model;
  for (ColliderParts& parts : building.colliders) {
    parts.collider.pose = model.inputs.add_pose("collider." + parts.collider.name, std::move(parts.keys));
    model.colliders.push_back(std::move(parts.collider));
  }
  name_members(building);
}

}  // namespace sinew::scene

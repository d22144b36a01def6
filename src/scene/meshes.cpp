#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "base/count_text.h"
#include "element/shape.h"
#include "io/mesh_file.h"
#include "json/words.h"
#include "mesh/second_order.h"
#include "mesh/subset.h"
#include "mesh/units.h"
#include "model/add_body.h"
#include "model/size.h"
#include "scene/building.h"
#include "scene/scene_table.h"

namespace sinew::scene {
namespace {

using mesh::TetMesh;

constexpr double resolution = 1e-8;  // rounding of a position over the mean edge that a mesh can do with

// Vectors of the mesh file, such as fibres, turn with it.
void turn_vectors(TetMesh& mesh, const Mat3d& R) {
  for (mesh::Attributes* data : {&mesh.vertex_data, &mesh.element_data})
    for (auto& [name, attribute] : *data)
      for (size_t i = 0; attribute.width == 3 && i < attribute.values.size(); i += 3) {
        double* v = &attribute.values[i];
        const Vec3d turned = R * Vec3d{v[0], v[1], v[2]};
        for (int k = 0; k < 3; ++k) v[k] = turned[k];
      }
}

// The file's up axis becomes y, by a rotation.
Mat3d upright(const std::string& up) {
  if (up == "z") return Mat3d::columns({1, 0, 0}, {0, 0, -1}, {0, 1, 0});
  if (up == "x") return Mat3d::columns({0, 1, 0}, {-1, 0, 0}, {0, 0, 1});
  return Mat3d::identity();
}

Result<TetMesh> read_mesh(Building& building, const Json& json, const std::string& body) {
  io::Notes notes;
  const std::filesystem::path path = building.scene.folder / json["file"].text();
  Result<TetMesh> mesh = io::read_tet_mesh(path.string(), &notes);
  for (std::string& note : notes) building.built.notes.push_back(body + ": " + std::move(note));
  if (!mesh) return mesh;
  transform(mesh->vertices, {file_axes(json), {0, 0, 0}});
  turn_vectors(*mesh, upright(json["up"].text()));
  return mesh;
}

// Vertices of no tet have neither mass nor stiffness.
void leave_out_unused(BodyParts& body, std::vector<std::string>& notes) {
  if (const int64_t unused = mesh::drop_unused_vertices(body.mesh))
    notes.push_back(body.name + ": " + std::to_string(unused) +
                    " vertices that belong to no tet are left out");
}

void keep_largest_part(BodyParts& body, std::vector<std::string>& notes) {
  const mesh::LargestPart largest = mesh::largest_part(body.mesh);
  if (largest.parts < 2) return;
  const auto before = static_cast<int64_t>(body.mesh.elements.size());
  const std::vector<int32_t> number = mesh::keep_elements(body.mesh, largest.keep);
  mesh::follow_elements(body.skin, number);
  const auto after = static_cast<int64_t>(body.mesh.elements.size());
  notes.push_back(fmt::format("{}: the largest of {} parts is kept, {}; {} of the others are left out",
                              body.name, largest.parts, count_text(after, "tet"),
                              count_text(before - after, "tet")));
  mesh::drop_unused_vertices(body.mesh);
}

double longest(const TetMesh& mesh) {
  const mesh::Bounds box = mesh::bounding_box(mesh.vertices);
  const Vec3d size = box.high - box.low;
  return std::max({size[0], size[1], size[2]});
}

// What the bodies up to one have.
struct Made {
  double tets = 0, triangles = 0, nodes = 0, bytes = 0;

  Made with(const BodyParts& body, double elements) const {
    Made sum = *this;
    (body.is_shell() ? sum.triangles : sum.tets) += elements;
    sum.bytes += elements * body.kind->bytes;
    return sum;
  }
};

// False, with a problem, where they would not fit.
bool fits_memory(Building& building, const Made& made, const Json& at, const std::string& path) {
  if (made.bytes <= static_cast<double>(building.available_bytes)) return true;
  const auto whole = [](double count) { return static_cast<int64_t>(std::round(std::min(count, 1e18))); };
  building.problem(at, path,
                   "found a mesh that makes about " +
                       elements_text(model::Size{0, whole(made.tets), whole(made.triangles)}) +
                       " in all, about " + bytes_text(made.bytes) + " of memory; expected no more than the " +
                       bytes_text(static_cast<double>(building.available_bytes)) + " that are available");
  return false;
}

// The first element without positive volume, or that folds, or -1. Sizes far apart make volumes that underflow.
int64_t first_flat_element(const TetMesh& mesh, const element::Kind& kind) {
  for (size_t t = 0; t < mesh.elements.size(); ++t) {
    std::array<Vec3d, element::max_nodes> X;
    for (int a = 0; a < kind.nodes; ++a)
      X[a] = mesh.vertices[a < 4 ? mesh.elements[t][a] : mesh.edge_nodes[t][a - 4]];
    const double least = kind.min_volume(X.data());
    if (!(least > 0) || !std::isfinite(least)) return static_cast<int64_t>(t);
  }
  return -1;
}

// What is wrong with the mesh's element data `coverage`; empty: nothing, or there is none.
std::string coverage_fault(const TetMesh& mesh) {
  const std::span<const double> coverage = mesh::coverage(mesh);
  if (coverage.empty()) return {};
  constexpr const char* meaning =
      ": the element data \"coverage\" of a mesh is the share of each tet that is material; rename it where "
      "it "
      "means something else";
  for (size_t t = 0; t < coverage.size(); ++t)
    if (!(coverage[t] >= 0 && coverage[t] <= 1))
      return "found coverage " + json::number_text(coverage[t]) + " of tet " + std::to_string(t) +
             " (counted from 0), expected 0 to 1" + meaning;
  if (std::all_of(coverage.begin(), coverage.end(), [](double share) { return share == 0; }))
    return std::string("found coverage 0 of all tets, expected material somewhere") + meaning;
  return {};
}

void append(Building& building, BodyParts& body) {
  model::Model& model = building.built.model;
  if (body.is_shell())
    append_shell(building, body);
  else
    model::add_body(model, body.name, *body.kind, body.mesh, body.boundary, mesh::coverage(body.mesh));
  model::Body& out = model.bodies.back();
  body.first_node = out.nodes.begin;
  body.first_element = out.elements.begin;
  const Json& damping = (*body.json)["damping"];
  out.mass_damping = damping["mass"].number();
  out.stiffness_damping = damping["stiffness"].number();
}

// The tets of a body in the world; false with a problem.
bool make_solid_mesh(Building& building, BodyParts& body, const std::string& path) {
  const Json& json = (*body.json)["mesh"];
  std::shared_ptr<const TetMesh> given;
  if (json.has("memory")) {
    given = memory_mesh(building, building.scene.memory.solids, json.item(0), path);
    if (!given) return false;
  }
  Result<TetMesh> mesh = given                 ? Result<TetMesh>(*given)
                         : json.has("file")    ? read_mesh(building, json, body.name)
                         : json.has("surface") ? fill_surface(building, json, body)
                                               : shape_mesh(json, building.available_bytes);
  const auto refuse = [&](const Error& error) {
    // The place in the scene, then the place in the mesh file.
    const std::string what = error.where.empty() ? error.what : error.where + ": " + error.what;
    building.problem(json.item(0), path, what,
                     error.kind == ErrorKind::usage ? ErrorKind::input : error.kind);
    return false;
  };
  if (!mesh) return refuse(mesh.error());
  body.mesh = std::move(*mesh);
  if (auto ok = find_skin(building, json, body); !ok) return refuse(ok.error());
  if ((*body.json)["parts"].text() == "largest") keep_largest_part(body, building.built.notes);
  const bool curved = body.kind->nodes > body.kind->corners;
  if (curved) {
    mesh::add_edge_nodes(body.mesh);
  } else if (!body.mesh.edge_nodes.empty()) {
    building.built.notes.push_back(body.name +
                                   ": the mesh is of second order; its edge nodes are left out, " +
                                   "set \"elements\": \"quadratic\" to use them");
    body.mesh.edge_nodes.clear();
  }
  leave_out_unused(body, building.built.notes);
  if (json.has("file"))
    if (std::string question = mesh::unit_question(longest(body.mesh)); !question.empty())
      building.built.notes.push_back(body.name + ": " + std::move(question));
  if (!put_in_place(building, body, path)) return false;
  if (body.mesh.elements.empty()) {
    building.problem(json.item(0), path, "found a mesh without tets, expected at least one");
    return false;
  }
  if (const int64_t flat = first_flat_element(body.mesh, *body.kind); flat >= 0) {
    building.problem(json.item(0), path,
                     std::string(body.kind->noun) + " " + std::to_string(flat) +
                         " (counted from 0) has no positive volume" +
                         (curved ? ", or its curved edges fold it" : ""));
    return false;
  }
  if (std::string fault = coverage_fault(body.mesh); !fault.empty()) {
    building.problem(json.item(0), path, std::move(fault));
    return false;
  }
  body.boundary = mesh::boundary(body.mesh);
  return true;
}

bool make_mesh(Building& building, BodyParts& body, const std::string& path) {
  if (!(body.is_shell() ? make_shell_mesh : make_solid_mesh)(building, body, path)) return false;
  const Json* place = body.json->find("place");
  return resolves_positions(building, body, body.mesh.vertices,
                            place ? (*place)["translate"] : (*body.json)["mesh"].item(0),
                            place ? body.path + "/place/translate" : path);
}

// All that a mesh depends on; empty if it is not cached. Arrays of a program are not told apart by their name.
std::string cache_key(const Building& building, const Json& body) {
  if (!building.meshes || body["mesh"].has("memory")) return {};
  std::string key = building.scene.folder.string();
  for (const char* word : {"mesh", "elements", "parts", "place", "rest", "warp", "seams", "thickness"})
    if (const Json* value = body.find(word)) key += "\n" + value->compact();
  return key;
}

bool recall(Building& building, const std::string& key, BodyParts& body) {
  if (key.empty()) return false;
  const auto& made = building.meshes->content().made;
  const auto found = made.find(key);
  if (found == made.end()) return false;
  body.mesh = found->second.mesh;
  body.boundary = found->second.boundary;
  body.skin = found->second.skin;
  body.flat = found->second.flat;
  return true;
}

void keep(Building& building, const std::string& key, const BodyParts& body) {
  if (key.empty()) return;
  auto& made = building.meshes->content().made;
  if (made.size() >= 16) made.clear();  // where every scene has another mesh
  made[key] = {body.mesh, body.boundary, body.skin, body.flat};
}

}  // namespace

MeshCache::MeshCache() : content_(std::make_unique<Content>()) {}
MeshCache::~MeshCache() = default;

Mat3d turn_of(const Json* turn) {
  if (!turn) return Mat3d::identity();
  return model::rotation(normalized(vector_of((*turn)["axis"])), radians((*turn)["degrees"].number()));
}

model::Pose place_of(const Json& place) {
  return {turn_of(place.find("rotate")) * place["scale"].number(), vector_of(place["translate"])};
}

Mat3d file_axes(const Json& file) {
  return upright(file["up"].text()) * mesh::metres_in(file["unit"].text());
}

bool put_in_place(Building& building, BodyParts& body, const std::string& path) {
  if (const Json* place = body.json->find("place")) {
    turn_vectors(body.mesh, turn_of(place->find("rotate")));
    transform(body.mesh.vertices, place_of(*place));
  }
  const std::string why = why_too_far(body.mesh.vertices);
  if (!why.empty()) building.problem((*body.json)["mesh"].item(0), path, why);
  return why.empty();
}

void transform(std::span<Vec3d> points, const model::Pose& map) {
  for (Vec3d& x : points) x = map(x);
}

bool resolves_positions(Building& building, const BodyParts& body, std::span<const Vec3d> x, const Json& at,
                        const std::string& path) {
  const auto reach = [](const Vec3d& p) {
    return std::max({std::abs(p[0]), std::abs(p[1]), std::abs(p[2])});
  };
  const auto farthest = std::max_element(x.begin(), x.end(),
                                         [&](const Vec3d& a, const Vec3d& b) { return reach(a) < reach(b); });
  const double edge =
      body.is_shell() ? mean_edge(body.mesh.vertices, body.boundary.triangles) : mesh::mean_edge(body.mesh);
  const double rounding = std::numeric_limits<double>::epsilon() * reach(*farthest);
  if (rounding <= resolution * edge) return true;
  building.problem(
      at, path,
      fmt::format(
          "found node {} of the body \"{}\" at ({:.6g}, {:.6g}, {:.6g}), where coordinates are rounded to "
          "{:.2g} m; expected no more than {:g} of the mean edge of its {}s, {:.3g} m: move the scene to "
          "the origin",
          farthest - x.begin(), body.name, (*farthest)[0], (*farthest)[1], (*farthest)[2], rounding,
          resolution, body.kind->noun, edge));
  return false;
}

std::string why_too_far(std::span<const Vec3d> points) {
  for (const Vec3d& x : points)
    for (int i = 0; i < 3; ++i)
      if (!(std::abs(x[i]) <= far))
        return "found a vertex at " + point_text(x) +
               " [m], expected coordinates of at most 1e9 m: " + std::string(far_reason) +
               "; where a file has another unit, \"unit\" and \"scale\" say so";
  return {};
}

int Building::find_body(const Json& name, const std::string& path) {
  std::vector<std::string_view> names;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].name == name.text()) return static_cast<int>(b);
    names.push_back(bodies[b].name);
  }
  problem(name, path, json::unknown_word("body", name.text(), names));
  return -1;
}

void make_meshes(Building& building) {
  const Json& bodies = building.scene.resolved["bodies"];
  Made made;
  for (size_t b = 0; b < bodies.size(); ++b) {
    BodyParts body;
    body.name = bodies.key(b);
    body.path = "/bodies/" + body.name;
    body.json = &bodies.item(b);
    const Json& json = (*body.json)["mesh"];
    const std::string path = body.path + "/mesh/" + json.key(0);
    const bool shell = (*body.json)["type"].text() == "shell";
    body.kind = element::find_kind(shell ? "triangle" : (*body.json)["elements"].text());
    if (!fits_memory(building, made.with(body, shell ? 0 : estimated_tets(json)), json.item(0), path))
      continue;
    const std::string key = cache_key(building, *body.json);
    if (!recall(building, key, body)) {
      if (!make_mesh(building, body, path)) continue;
      keep(building, key, body);
    }
    made = made.with(body, static_cast<double>(body.element_count()));
    made.nodes += static_cast<double>(body.mesh.vertices.size());
    if (std::max(made.tets + made.triangles, made.nodes) > 2e9) {
      building.problem(json.item(0), path, "the scene has more nodes or elements than a 32-bit id can name");
      continue;
    }
    if (!fits_memory(building, made, json.item(0), path)) continue;
    append(building, body);
    building.bodies.push_back(std::move(body));
  }
  add_skins(building);
}

}  // namespace sinew::scene

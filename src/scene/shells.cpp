// Bodies of triangles: their meshes, what of them is at rest, and how they bend.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "io/mesh_file.h"
#include "mesh/check_sheet.h"
#include "mesh/flat_patterns.h"
#include "mesh/sew.h"
#include "mesh/sheet_shapes.h"
#include "mesh/texture.h"
#include "mesh/units.h"
#include "model/add_body.h"
#include "model/add_hinges.h"
#include "scene/building.h"

namespace sinew::scene {
namespace {

using mesh::TriMesh;

constexpr double even_sides = 0.01;  // relative difference in length up to which a seam needs no note

Result<TriMesh> read_mesh(Building& building, const Json& json, const std::string& body) {
  io::Notes notes;
  const std::filesystem::path path = building.scene.folder / json["file"].text();
  Result<TriMesh> mesh = io::read_tri_mesh(path.string(), &notes);
  for (std::string& note : notes) building.built.notes.push_back(body + ": " + std::move(note));
  if (!mesh) return mesh;
  transform(mesh->vertices, {file_axes(json), {0, 0, 0}});
  return mesh;
}

// A built-in shape.
Result<TriMesh> sheet_of(const Json& json, int64_t max_bytes) {
  const std::string& word = json.key(0);
  const Json& keys = json.item(0);
  const auto number = [&](std::string_view key) { return keys[key].number(); };
  const auto count = [&](std::string_view key) { return static_cast<int32_t>(number(key)); };
  const auto of_pair = [&](std::string_view key, size_t i) { return keys[key].item(i).number(); };
  const auto pattern = [&] { return *mesh::pattern_named(keys["pattern"].text()); };
  const mesh::Jitter jitter{.share = number("jitter"), .seed = 1};
  if (word == "grid") {
    mesh::GridSheet grid;
    grid.size = {of_pair("size", 0), of_pair("size", 1)};
    grid.cells = {static_cast<int32_t>(of_pair("cells", 0)), static_cast<int32_t>(of_pair("cells", 1))};
    grid.pattern = pattern();
    grid.jitter = jitter;
    return mesh::make_grid_sheet(grid, max_bytes);
  }
  if (word == "disc") {
    mesh::DiscSheet disc;
    disc.inner = number("inner");
    disc.outer = number("outer");
    disc.cells = count("cells");
    disc.quarter = keys["quarter"].boolean();
    disc.slit = keys["slit"].boolean();
    disc.jitter = jitter;
    return mesh::make_disc_sheet(disc, max_bytes);
  }
  if (word == "tube_surface") {
    mesh::TubeSheet tube;
    tube.radius = number("radius");
    tube.length = number("length");
    tube.start_degrees = number("start_degrees");
    tube.sweep_degrees = number("sweep_degrees");
    tube.around = count("around");
    tube.along = count("along");
    tube.pattern = pattern();
    tube.jitter = jitter;
    return mesh::make_tube_sheet(tube, max_bytes);
  }
  if (word == "sphere") {
    mesh::SphereSheet sphere;
    sphere.radius = number("radius");
    sphere.cells = count("cells");
    sphere.jitter = jitter;
    return mesh::make_sphere_sheet(sphere, max_bytes);
  }
  mesh::CapSheet cap;
  cap.radius = number("radius");
  cap.hole_degrees = number("hole_degrees");
  cap.opening_degrees = number("opening_degrees");
  cap.cells = count("cells");
  cap.quarter = keys["quarter"].boolean();
  cap.jitter = jitter;
  return mesh::make_cap_sheet(cap, max_bytes);
}

// A sheet on its way into a body.
class SheetMaker {
 public:
  SheetMaker(Building& building, BodyParts& body, const std::string& path)
      : building_(building), body_(body), path_(path), mesh_key_((*body.json)["mesh"]) {}

  bool make() {
    return read() && place() && check() && (textured() ? lay_flat() : rest_in_space()) && sew() && finish();
  }

 private:
  bool refuse(const Error& error) {
    building_.problem(mesh_key_.item(0), path_,
                      error.where.empty() ? error.what : error.where + ": " + error.what,
                      error.kind == ErrorKind::usage ? ErrorKind::input : error.kind);
    return false;
  }
  void note(std::vector<std::string>& messages) {
    for (std::string& message : messages)
      building_.built.notes.push_back(body_.name + ": " + std::move(message));
  }
  bool textured() const { return (*body_.json)["rest"].text() == "texture"; }

  bool read() {
    std::shared_ptr<const TriMesh> given;
    if (mesh_key_.has("memory")) {
      given = memory_mesh(building_, building_.scene.memory.surfaces, mesh_key_.item(0), path_);
      if (!given) return false;
    }
    Result<TriMesh> mesh = given                   ? Result<TriMesh>(*given)
                           : mesh_key_.has("file") ? read_mesh(building_, mesh_key_, body_.name)
                                                   : sheet_of(mesh_key_, building_.available_bytes);
    if (!mesh) return refuse(mesh.error());
    mesh_ = std::move(*mesh);
    if (mesh_.elements.empty())
      return refuse(input_error("", "found a mesh without triangles, expected at least one"));
    return !mesh_key_.has("file") || looks_right();
  }

  // What a file may have in another unit than the scene says.
  bool looks_right() {
    const mesh::Bounds box = mesh::bounding_box(mesh_.vertices);
    const Vec3d size = box.high - box.low;
    if (std::string question = mesh::unit_question(std::max({size[0], size[1], size[2]})); !question.empty())
      building_.built.notes.push_back(body_.name + ": " + std::move(question));
    const Json& unit = mesh_key_["texture_unit"];
    const bool has_texture = mesh::find_texture(mesh_);
    if (unit.number() == 1 || (has_texture && textured())) return true;
    building_.problem(unit, body_.path + "/mesh/texture_unit",
                      "found " + json::number_text(unit.number()) +
                          (has_texture ? ", expected \"rest\": \"texture\" beside it, which alone uses it"
                                       : ", but the mesh has no texture coordinates, vt in a file of OBJ"));
    return false;
  }

  // Once more after sewing: what was at rest follows the triangles.
  bool check() {
    Result<mesh::CheckedSheet> checked =
        mesh::check_sheet(mesh_, {.thickness = (*body_.json)["thickness"].number()}, "the mesh");
    if (!checked) return refuse(checked.error());
    note(checked->report.messages);
    std::vector<mesh::FlatEdges> flat(flat_.empty() ? 0 : checked->mesh.elements.size());
    for (size_t t = 0; t < flat_.size(); ++t)
      if (const int32_t to = checked->triangle_of[t]; to >= 0)
        flat[to] = checked->turned[to] ? mesh::turned_over(flat_[t]) : flat_[t];
    flat_ = std::move(flat);
    mesh_ = std::move(checked->mesh);
    return true;
  }

  bool place() {
    body_.mesh.vertices = std::move(mesh_.vertices);
    body_.mesh.vertex_data = std::move(mesh_.vertex_data);
    body_.mesh.element_data = std::move(mesh_.element_data);
    const bool placed = put_in_place(building_, body_, path_);
    mesh_.vertices = std::move(body_.mesh.vertices);
    mesh_.vertex_data = std::move(body_.mesh.vertex_data);
    mesh_.element_data = std::move(body_.mesh.element_data);
    return placed;
  }

  bool rest_in_space() {
    const Vec3d warp = vector_of((*body_.json)["warp"]);
    const auto& X = mesh_.vertices;
    for (const auto& [a, b, c] : mesh_.elements) flat_.push_back(model::flat_edges({X[a], X[b], X[c]}, warp));
    return true;
  }

  // At rest in texture coordinates, whose first axis the warp becomes.
  bool lay_flat() {
    const Json* unit = mesh_key_.find("texture_unit");  // of files
    Result<mesh::FlatPatterns> patterns =
        mesh::flat_patterns(mesh_, {.unit = unit ? unit->number() : 1}, "the mesh");
    if (!patterns) {
      building_.problem((*body_.json)["rest"], body_.path + "/rest", patterns.error().what);
      return false;
    }
    note(patterns->messages);
    const Vec3d warp = vector_of((*body_.json)["warp"]);
    const double length = std::hypot(warp[0], warp[1]);
    const double cos = length > 0 ? warp[0] / length : 1, sin = length > 0 ? warp[1] / length : 0;
    for (mesh::FlatEdges& edges : patterns->flat)
      for (mesh::Vec2d& edge : edges) edge = {cos * edge[0] + sin * edge[1], cos * edge[1] - sin * edge[0]};
    flat_ = std::move(patterns->flat);
    return true;
  }

  bool sew() {
    const Json& list = (*body_.json)["seams"];
    std::vector<mesh::Seam> seams;
    for (size_t k = 0; k < list.size(); ++k) {
      const Json& pair = list.item(k);
      Result<mesh::Seam> seam =
          mesh::seam_between(mesh_, pair.item(0).text(), pair.item(1).text(), "the mesh");
      if (!seam) {
        building_.problem(pair, body_.path + "/seams/" + std::to_string(k), seam.error().what);
        return false;
      }
      seams.push_back(std::move(*seam));
    }
    if (seams.empty()) return true;
    Result<mesh::Sewn> sewn = mesh::sew(mesh_, flat_, seams, "the mesh");
    if (!sewn) {
      building_.problem(list, body_.path + "/seams", sewn.error().what);
      return false;
    }
    for (size_t k = 0; k < seams.size(); ++k) {
      const mesh::SeamReport& seam = sewn->seams[k];
      const auto [shorter, longer] = std::minmax(seam.length[0], seam.length[1]);
      if (seam.inserted == 0 && longer - shorter <= even_sides * longer) continue;
      building_.built.notes.push_back(
          fmt::format("{}: seam {} joins {} vertices, {} of them new; its sides are {:.4g} and {:.4g} m long",
                      body_.name, k, seam.joined, seam.inserted, seam.length[0], seam.length[1]));
    }
    mesh_ = std::move(sewn->mesh);
    flat_ = std::move(sewn->flat);
    return check();
  }

  bool finish() {
    body_.mesh.vertices = std::move(mesh_.vertices);
    body_.mesh.vertex_groups = std::move(mesh_.vertex_groups);
    body_.mesh.element_groups = std::move(mesh_.element_groups);
    body_.mesh.vertex_data = std::move(mesh_.vertex_data);
    body_.mesh.element_data = std::move(mesh_.element_data);
    body_.boundary.triangles = std::move(mesh_.elements);
    for (size_t t = 0; t < body_.boundary.triangles.size(); ++t)
      body_.boundary.tet.push_back(static_cast<int32_t>(t));
    body_.flat = std::move(flat_);
    name_edges();
    return true;
  }

  // Directions of the edges in the axes of the material, for laws that take them; those that the mesh brings count.
  void name_edges() {
    for (int i = 0; i < 3; ++i) {
      mesh::Attribute edge{3, {}};
      for (const auto& [a, b] : body_.flat) {
        const mesh::Vec2d d = i == 0 ? a : i == 1 ? b - a : b;
        edge.values.insert(edge.values.end(), {d[0], d[1], 0});
      }
      body_.mesh.element_data.emplace("edge_" + std::to_string(i + 1), std::move(edge));
    }
  }

  Building& building_;
  BodyParts& body_;
  const std::string& path_;
  const Json& mesh_key_;
  TriMesh mesh_;
  std::vector<mesh::FlatEdges> flat_;  // of its triangles, once they are known
};

}  // namespace

bool make_shell_mesh(Building& building, BodyParts& body, const std::string& path) {
  return SheetMaker(building, body, path).make();
}

void append_shell(Building& building, BodyParts& body) {
  TriMesh mesh;
  mesh.vertices = body.mesh.vertices;
  mesh.elements = body.boundary.triangles;
  const Json& json = *body.json;
  model::Model& model = building.built.model;
  model::add_shell(model, body.name, mesh, json["thickness"].number(), body.flat);
  model.bodies.back().fixed_thickness = json["fixed_thickness"].boolean();
  const Json& bending = json["bending"];
  const std::string& word = bending["model"].text();
  if (word == "none") return;
  const Json* rest = bending.find("rest");
  const bool flat = rest ? rest->text() == "flat" : json["rest"].text() == "texture";
  const Json* weighted = bending.find("weighted");
  model::add_hinges(model, word == "hinge" ? model::Bending::hinge : model::Bending::shell,
                    flat ? model::RestAngles::flat : model::RestAngles::of_positions,
                    !weighted || weighted->boolean());
}

}  // namespace sinew::scene

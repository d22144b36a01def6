#pragma once
// The parts of build(), each in a file of its own: meshes, materials, attachments, springs and probes, loads,
// initial positions, contact. They share a Building and report to its Diagnostics.
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "json/words.h"
#include "mesh/mesh.h"
#include "mesh/properties.h"
#include "scene/scene.h"

namespace sinew::scene {

using math::Mat3d;
using math::Vec3d;

// One body while it is built. Node and element ids here are those of its own mesh.
struct BodyParts {
  std::string name;
  std::string path;  // /bodies/NAME
  const Json* json = nullptr;
  const element::Kind* kind = nullptr;
  // In the world, with the nodes of the kind. That of a shell has no tets: its triangles are those of the boundary, and the
  // mesh's element data and groups are theirs.
  mesh::TetMesh mesh;
  mesh::TriBoundary boundary;
  std::vector<std::array<math::Vec<double, 2>, 2>> flat;  // model::Body::flat of a shell
  mesh::Skin skin;                                        // without triangles: there is none
  bool coarsen_skin = true;                               // to touch with, where it is finer than the tets
  std::map<std::string, std::vector<char>> selected;      // by the names under "select", for each node
  int32_t first_node = 0, first_element = 0;

  bool is_shell() const { return kind->is_triangle(); }
  size_t element_count() const { return is_shell() ? boundary.triangles.size() : mesh.elements.size(); }
  std::span<const int32_t> corners(size_t e) const {
    if (is_shell()) return boundary.triangles[e];
    return mesh.elements[e];
  }
};

// One collider while it is built.
struct ColliderParts {
  model::Collider collider;  // without its pose
  std::vector<model::PoseKey> keys;
};

// The results of mesh entries: the mesh in the world and its boundary. Notes about it are given the first time only.
struct MeshCache::Content {
  struct Made {
    mesh::TetMesh mesh;
    mesh::TriBoundary boundary;
    mesh::Skin skin;
    std::vector<std::array<math::Vec<double, 2>, 2>> flat;
  };
  std::map<std::string, Made> made;
};

struct Building {
  const Scene& scene;
  Diagnostics& diagnostics;
  int64_t available_bytes;
  MeshCache* meshes;
  Built& built;
  std::vector<BodyParts> bodies;
  std::vector<ColliderParts> colliders = {};  // those that could be made
  // Who stands behind each name of a body, collider or group, and "*": bodies, then colliders counted on, ascending.
  std::map<std::string, std::vector<int32_t>> members = {};

  void problem(const Json& at, const std::string& path, std::string what, ErrorKind kind = ErrorKind::input) {
    diagnostics.add(at.place(), path, std::move(what), kind);
  }
  int find_body(const Json& name, const std::string& path);  // -1 with a problem
  // The members behind a name in "between"; empty with a problem.
  std::vector<int32_t> find_members(const Json& name, const std::string& path);
};

inline Vec3d vector_of(const Json& v) { return {v.item(0).number(), v.item(1).number(), v.item(2).number()}; }
inline std::string point_text(const Vec3d& p) {
  return "(" + json::number_text(p[0]) + ", " + json::number_text(p[1]) + ", " + json::number_text(p[2]) +
         ")";
}
inline double radians(double degrees) { return degrees * 0.017453292519943295; }

// meshes.cpp: "rotate" (null: none), "scale" and "translate" of a mesh; "unit" and "up" of its file.
Mat3d turn_of(const Json* turn);
model::Pose place_of(const Json& place);
Mat3d file_axes(const Json& file);
void transform(std::span<Vec3d> points, const model::Pose& map);
// The mesh of a body as its "place" says; false, with a problem, where that is too far out.
bool put_in_place(Building& building, BodyParts& body, const std::string& path);
// False, with a problem, where positions x of the body's nodes are so far from the origin that their rounding is felt by its
// elements.
bool resolves_positions(Building& building, const BodyParts& body, std::span<const Vec3d> x, const Json& at,
                        const std::string& path);
// Where the first point is that lies too far out to be computed with, and what to do; empty: none does.
std::string why_too_far(std::span<const Vec3d> points);
// All meshes in the world, refused where memory would not hold them.
void make_meshes(Building& building);
// The mesh of that name; null, with a problem at `path`, where the program gave none.
template <class Mesh>
std::shared_ptr<const Mesh> memory_mesh(Building& building,
                                        const std::map<std::string, std::shared_ptr<const Mesh>>& meshes,
                                        const Json& name, const std::string& path) {
  if (const auto found = meshes.find(name.text()); found != meshes.end()) return found->second;
  std::vector<std::string_view> words;
  for (const auto& [known, mesh] : meshes) words.push_back(known);
  building.problem(name, path,
                   words.empty() ? "found a mesh in memory, " + json::quote(name.text()) +
                                       ", but no program gave one; expected \"file\" in its place"
                                 : json::unknown_word("mesh in memory", name.text(), words));
  return nullptr;
}
// shells.cpp: the triangles of a shell with their rest shapes; false with a problem.
bool make_shell_mesh(Building& building, BodyParts& body, const std::string& path);
void append_shell(Building& building, BodyParts& body);
// skins.cpp: tets around the surface of "surface", and that as their skin.
Result<mesh::TetMesh> fill_surface(Building& building, const Json& json, BodyParts& body);
// The skin of a mesh file or of arrays, where one is given.
Result<void> find_skin(const Building& building, const Json& json, BodyParts& body);
void add_skins(Building& building);
// Lets bodies with closed skins touch with these, in place of the surfaces of their elements.
void touch_with_skins(Building& building);
double mean_edge(std::span<const Vec3d> points, const std::vector<model::Triangle>& triangles);
// shapes.cpp: a built-in shape; the tets that one will have, at most or about; 0 for a file and in memory.
Result<mesh::TetMesh> shape_mesh(const Json& mesh, int64_t max_bytes);
double estimated_tets(const Json& mesh);
// z becomes the given direction.
Mat3d upwards(const Vec3d& direction);
// materials.cpp: elastic sets, density, damping.
void add_materials(Building& building);
// attachments.cpp: rigid, planar, along a line, soft.
void add_attachments(Building& building);
// sites.cpp
void add_springs(Building& building);
void add_probes(Building& building);
// The point p of a body in terms of the nodes of one of its elements: of a tet, whose map goes on outside it, or where it is
// nearest to p on a triangle.
model::Site site_in_element(const BodyParts& body, int32_t element, const Vec3d& p);
// colliders.cpp: shapes and motions, for selections; then into the model, with Building::members.
void make_colliders(Building& building);
void add_colliders(Building& building);
// connections.cpp
void add_connections(Building& building);
// contacts.cpp: the rules of all pairs; what overlaps at the start, when the rest is built.
void add_contacts(Building& building);
void look_for_overlaps(Building& building);
// loads.cpp
void add_loads(Building& building);
void add_wind(Building& building);
// initial.cpp
void set_initial(Building& building);

// motion.cpp: the poses of an attachment; empty with a problem.
std::vector<model::PoseKey> motion_keys(Building& building, const Json& motion, const std::string& path,
                                        const Vec3d& centroid);

// memory.cpp ------------------------------------------------------------------------------------------------
// MemAvailable of /proc/meminfo [bytes]; a large number where it cannot be read.
int64_t system_available_bytes();
std::string bytes_text(double bytes);  // "3.2 GB"

}  // namespace sinew::scene

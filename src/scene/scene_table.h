#pragma once
// The type tree of the scene file while it is made: leaves that occur often, and a function for each part
// of the file. scene_type.cpp holds the scene as a whole, body_type.cpp what stands under "bodies",
// contact_type.cpp what is about contact.
#include <string_view>
#include <vector>

#include "json/type.h"

namespace sinew::scene {

using json::Json;
using json::Key;
using json::optional;
using json::required;
using json::Type;
using json::TypeTree;
using json::Variant;
using json::with_default;

using F = Field::Kind;

constexpr double far = 1e9;  // [m]
constexpr std::string_view far_reason = "further out, doubles lose the digits of a deformation";
constexpr std::string_view extent_reason = "a body needs an extent, and doubles lose digits beyond 1e9 m";
constexpr const char* memory_doc = "The name of a mesh that a program has given as arrays; not in a file.";
constexpr std::string_view cells_reason = "whole cells, at most a million along one direction";

class SceneTable {
 public:
  TypeTree tree;
  void build();

 private:
  static constexpr size_t many = 100000;

  // Leaves.
  const Type& text() { return tree.leaf({.name = "", .kind = F::text}); }
  const Type& number(std::string_view unit, double min = -std::numeric_limits<double>::infinity(),
                     std::string_view reason = {}, bool open = false) {
    return tree.leaf(
        {.name = "", .kind = F::number, .unit = unit, .min = min, .min_open = open, .reason = reason});
  }
  const Type& vector(std::string_view unit) {
    return tree.leaf({.name = "", .kind = F::vector3, .unit = unit});
  }
  const Type& point() {
    return tree.leaf(
        {.name = "", .kind = F::vector3, .unit = "m", .min = -far, .max = far, .reason = far_reason});
  }
  const Type& direction() {
    Type type;
    type.kind = Type::Kind::leaf;
    type.field.kind = F::vector3;
    type.direction = true;
    return tree.add(std::move(type));
  }
  const Type& coordinate() {
    return tree.leaf(
        {.name = "", .kind = F::number, .unit = "m", .min = -far, .max = far, .reason = far_reason});
  }
  const Type& distance() {
    return tree.leaf(
        {.name = "", .kind = F::number, .unit = "m", .min = 0, .max = far, .reason = far_reason});
  }
  const Type& length() {
    return tree.leaf({.name = "",
                      .kind = F::number,
                      .unit = "m",
                      .min = 0,
                      .max = far,
                      .min_open = true,
                      .reason = extent_reason});
  }
  const Type& extents() {
    return tree.leaf({.name = "",
                      .kind = F::vector3,
                      .unit = "m",
                      .min = 0,
                      .max = far,
                      .min_open = true,
                      .reason = extent_reason});
  }
  const Type& count(double min, double max, std::string_view reason) {
    return tree.leaf({.name = "", .kind = F::integer, .min = min, .max = max, .reason = reason});
  }
  const Type& cells(double min = 1) { return count(min, 1e6, cells_reason); }
  const Type& choice(std::span<const std::string_view> words) {
    return tree.leaf({.name = "", .kind = F::choice, .choices = words});
  }
  const Type& boolean() { return tree.leaf({.name = "", .kind = F::boolean}); }
  static const Type& or_field(const Type& type) {
    const_cast<Type&>(type).or_field = true;
    return type;
  }

  const Type& turn() {
    return tree.object({required("axis", direction(), "Direction of the axis."),
                        required("degrees", number("degrees"), "Angle, counter-clockwise; may exceed 360.")});
  }

  // "A tet mesh: .inp (Abaqus), .node/.ele (TetGen) or .vtu (VTK)."
  static std::string mesh_files(const std::string& what, bool tets);
  std::vector<Key> file_keys();   // unit and axes of a mesh file
  std::vector<Key> place_keys();  // scale, turn and shift
  std::vector<Key> grid_keys();   // of a mesh made from a surface

  const Type& mesh();
  const Type& solid();
  const Type& material();
  const Type& selection();
  const Type& only_true();
  const Type& initial();
  const Type& body();
  std::vector<Key> shell_keys();  // of a body of triangles
  const Type& shell_mesh();
  const Type& motion();
  const Type& attachment();
  const Type& spring();
  const Type& load();
  const Type& wind();
  const Type& probe();
  const Type& between();
  const Type& collider_shape();
  const Type& collider();
  std::vector<Key> rule_keys();
  const Type& contact();
  const Type& connection();
  const Type& solve();
  const Type& time();
  const Type& output();
  const Type& expectations();
};

}  // namespace sinew::scene

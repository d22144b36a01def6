#include <algorithm>
#include <cmath>

#include "json/type.h"
#include "json/words.h"
#include "math/project_packed.h"
#include "model/rest_hessian.h"
#include "scene/building.h"
#include "scene/select.h"

namespace sinew::scene {
namespace {

// An attribute of the mesh with `width` numbers for each element; null, with a problem, where there is none.
const mesh::Attribute* find_attribute(Building& building, const BodyParts& body, const Json& name,
                                      const std::string& path, int width) {
  const auto& data = body.mesh.element_data;
  const auto found = data.find(name.text());
  if (found != data.end() && found->second.width == width) return &found->second;
  std::vector<std::string_view> words;
  for (const auto& [word, attribute] : data)
    if (attribute.width == width) words.push_back(word);
  building.problem(name, path + "/field",
                   json::unknown_word("field", name.text(), words) +
                       (width == 1 ? " (numbers" : " (vectors") + " on the " + std::string(body.kind->noun) +
                       "s of this body's mesh)");
  return nullptr;
}

// A number for all tets, or an attribute of the mesh for each of `tets`.
model::ParamField values_of(Building& building, const BodyParts& body, const Json& value,
                            const std::string& path, const Field& field, std::span<const int32_t> tets) {
  if (value.is(Json::Kind::number)) return {{value.number()}};
  if (value.is(Json::Kind::boolean)) return {{value.boolean() ? 1.0 : 0.0}};
  const Json& name = value["field"];
  const mesh::Attribute* found = find_attribute(building, body, name, path, 1);
  if (!found) return {{1}};
  model::ParamField result;
  for (int32_t t : tets) {
    const double v = found->values[t];
    if (!json::in_range(field, v)) {
      building.problem(name, path + "/field",
                       "found " + json::number_text(v) + " at " + std::string(body.kind->noun) + " " +
                           std::to_string(t) + " (counted from 0), expected " + json::expectation(field));
      return {{1}};
    }
    result.values.push_back(v);
  }
  return result;
}

// A direction for all tets, or a vector attribute of the mesh: three fields.
std::array<model::ParamField, 3> direction_of(Building& building, const BodyParts& body, const Json& value,
                                              const std::string& path, std::span<const int32_t> tets) {
  std::array<model::ParamField, 3> result;
  const auto add = [&](const Vec3d& v) {
    for (int k = 0; k < 3; ++k) result[k].values.push_back(v[k]);
  };
  if (value.is(Json::Kind::list)) {
    add(vector_of(value));
    if (norm(vector_of(value)) == 0)
      building.problem(value, path, "found a vector of length 0, expected a direction");
    return result;
  }
  const Json& name = value["field"];
  const mesh::Attribute* found = find_attribute(building, body, name, path, 3);
  for (int32_t t : tets) {
    if (!found) break;
    const double* v = &found->values[3 * size_t(t)];
    add({v[0], v[1], v[2]});
    if (norm(Vec3d{v[0], v[1], v[2]}) > 0) continue;
    building.problem(name, path + "/field",
                     "found a vector of length 0 at " + std::string(body.kind->noun) + " " +
                         std::to_string(t) + " (counted from 0), expected a direction");
    break;
  }
  if (result[0].values.size() != tets.size()) result = {{{{1}}, {{0}}, {{0}}}};
  return result;
}

bool has_vectors(const material::Law& law) {
  return material::field_value_count(law) > static_cast<int>(law.fields.size());
}

// Refuses constants with which the law is not stable at rest.
void check_rest(Building& building, const material::Law& law, const std::vector<model::ParamField>& values,
                const Json& json, const std::string& path) {
  if (!law.traits.rest_stable) return;
  bool stable = true;
  model::for_each_rest_hessian(law, values, [&](size_t i, const double* C) {
    // In the basis of symmetric strains (rotations have no stiffness) all eigenvalues must be positive.
    constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    const auto entry = [&](int a, int b) { return C[material::upper(std::min(a, b), std::max(a, b))]; };
    double strain[21], size = 0;
    for (int a = 0, m = 0; a < 6; ++a)
      for (int b = a; b < 6; ++b, ++m) {
        const int p[2] = {row[a] + 3 * column[a], column[a] + 3 * row[a]};
        const int q[2] = {row[b] + 3 * column[b], column[b] + 3 * row[b]};
        strain[m] = 0.25 * (entry(p[0], q[0]) + entry(p[0], q[1]) + entry(p[1], q[0]) + entry(p[1], q[1]));
        size = std::max(size, std::abs(strain[m]));
      }
    // A law of sheets has no stiffness against strains across them.
    for (int a : {2, 4, 5})
      if (!law.for_solids()) strain[a * 6 - a * (a - 1) / 2] = size;
    for (int a = 0; a < 6; ++a) strain[a * 6 - a * (a - 1) / 2] -= 1e-12 * size;
    if (!stable || math::has_cholesky<6>(strain)) return;
    stable = false;
    building.problem(json, path,
                     "with these constants " + json::quote(std::string(law.name)) +
                         " is not stable at rest: " +
                         (law.for_solids()   ? "its shear or bulk modulus is not positive"
                          : has_vectors(law) ? "its directions do not span the sheet"
                                             : "expected poisson^2 < young_warp / young_weft") +
                         (i > 0 ? " at value " + std::to_string(i) + " of the field" : ""));
  });
}

// The entry that each tet of the body takes; -1: none.
std::vector<int32_t> entry_of_tets(Building& building, int b, const Json& material) {
  const BodyParts& body = building.bodies[b];
  const size_t n = body.element_count();
  if (material.is(Json::Kind::object)) {
    if (const Json* where = material.find("where"))
      building.problem(*where, body.path + "/material/where", "expected in a list of materials only");
    if (material["add"].boolean())
      building.problem(material["add"], body.path + "/material/add", "expected in a list of materials only");
    return std::vector<int32_t>(n, 0);
  }
  std::vector<int32_t> entry(n, -1);
  for (size_t k = 0; k < material.size(); ++k) {
    if (material.item(k)["add"].boolean()) continue;
    const Json* where = material.item(k).find("where");
    std::vector<char> marks(n, 1);
    if (where)
      marks = select_tets(building, b, *where, body.path + "/material/" + std::to_string(k) + "/where");
    for (size_t t = 0; t < marks.size(); ++t)
      if (marks[t]) entry[t] = static_cast<int32_t>(k);
  }
  return entry;
}

// The tets of an entry that adds to the others.
std::vector<int32_t> added_tets(Building& building, int b, const Json& item, size_t k) {
  const BodyParts& body = building.bodies[b];
  std::vector<char> marks(body.element_count(), 1);
  if (const Json* where = item.find("where"))
    marks = select_tets(building, b, *where, body.path + "/material/" + std::to_string(k) + "/where");
  std::vector<int32_t> tets;
  for (size_t t = 0; t < marks.size(); ++t)
    if (marks[t]) tets.push_back(static_cast<int32_t>(t));
  return tets;
}

// Directions that come with each triangle, such as those of its edges, are the same in any axes.
bool depends_on_warp(const material::Law& law, const Json& material) {
  if (law.traits.isotropic) return false;
  return !has_vectors(law) || std::any_of(law.fields.begin(), law.fields.end(), [&](const Field& field) {
    return material[std::string(field.name)].is(Json::Kind::list);
  });
}

// The axes of a woven sheet that stands across the warp would be any.
void check_warp(Building& building, const BodyParts& body, const std::vector<int32_t>& triangles) {
  const Json& at = (*body.json)["warp"];
  const Vec3d warp = normalized(vector_of(at));
  for (int32_t t : triangles) {
    const auto& [a, b, c] = body.boundary.triangles[t];
    const auto& X = body.mesh.vertices;
    const Vec3d normal = normalized(cross(X[b] - X[a], X[c] - X[a]));
    if (norm(cross(normal, warp)) > 1e-3) continue;
    return building.problem(
        at, body.path + "/warp",
        "the warp is at right angles to triangle " + std::to_string(t) +
            " (counted from 0), so that it gives no axis in it; expected a direction that lies in the "
            "sheet, in the world");
  }
}

void refuse_law(Building& building, const BodyParts& body, const material::Law& law, const Json& at,
                const std::string& path) {
  std::string others;
  for (const material::Law* other : body.is_shell() ? material::membrane_laws() : material::solid_laws())
    others += (others.empty() ? "" : ", ") + json::quote(std::string(other->name));
  building.problem(at, path,
                   "the law " + json::quote(std::string(law.name)) + " is not for " +
                       (body.is_shell() ? "shells" : "solids") + "; expected one of " + others);
}

void add_set(Building& building, int b, const Json& material, const std::string& path,
             const std::vector<int32_t>& tets) {
  const BodyParts& body = building.bodies[b];
  const material::Law* law = material::find_law(material["model"].text());
  if (!(body.is_shell() ? law->for_membranes() : law->for_solids()))
    return refuse_law(building, body, *law, material["model"], path + "/model");
  model::ElasticSet set{b, law, {}};
  for (int32_t t : tets) set.elements.push_back(body.first_element + t);
  std::vector<model::ParamField> values;
  for (const Field& field : law->fields) {
    const std::string name(field.name);
    if (field.kind == Field::Kind::vector3)
      for (auto& part : direction_of(building, body, material[name], path + "/" + name, tets))
        values.push_back(std::move(part));
    else
      values.push_back(values_of(building, body, material[name], path + "/" + name, field, tets));
  }
  if (body.is_shell() && material["add"].boolean())
    return building.problem(
        material["add"], path + "/add",
        "found a material that adds to others on a shell, where each would have a thickness of its "
        "own; expected false");
  if (body.is_shell() && depends_on_warp(*law, material) && (*body.json)["rest"].text() == "positions")
    check_warp(building, body, tets);
  check_rest(building, *law, values, material, path);
  // A law that adds to others, such as an active stress, need not have one.
  if (body.kind->mean_dilatation && !law->d.volume && !material["add"].boolean())
    building.problem(material["model"], path + "/model",
                     "the law " + json::quote(std::string(law->name)) +
                         " has no volumetric part to average; expected \"elements\" to be " +
                         element::alternatives(*body.kind, &element::Kind::mean_dilatation));
  building.built.model.sets.push_back(std::move(set));
  building.built.model.params.material.push_back(std::move(values));
}

}  // namespace

void add_materials(Building& building) {
  for (size_t b = 0; b < building.bodies.size(); ++b) {
    const BodyParts& body = building.bodies[b];
    const Json& material = (*body.json)["material"];
    const bool is_list = material.is(Json::Kind::list);
    const size_t before = building.diagnostics.count();
    const std::vector<int32_t> entry = entry_of_tets(building, static_cast<int>(b), material);
    const size_t entries = is_list ? material.size() : 1;
    std::vector<std::vector<int32_t>> tets(entries);
    for (size_t k = 0; is_list && k < entries; ++k)
      if (material.item(k)["add"].boolean())
        tets[k] = added_tets(building, static_cast<int>(b), material.item(k), k);
    int64_t bare = 0, first_bare = -1;
    for (size_t t = 0; t < entry.size(); ++t) {
      if (entry[t] >= 0) {
        tets[entry[t]].push_back(static_cast<int32_t>(t));
      } else if (bare++ == 0) {
        first_bare = static_cast<int64_t>(t);
      }
    }
    if (bare > 0 && building.diagnostics.count() == before)
      building.problem(material, body.path + "/material",
                       std::to_string(bare) + " " + std::string(body.kind->noun) +
                           "s have no material, the first is " + std::string(body.kind->noun) + " " +
                           std::to_string(first_bare) +
                           "; expected an entry without \"where\" to cover the rest");
    for (size_t k = 0; k < entries; ++k) {
      std::string path = body.path + "/material";
      if (is_list) path.append("/").append(std::to_string(k));
      if (!tets[k].empty())
        add_set(building, static_cast<int>(b), is_list ? material.item(k) : material, path, tets[k]);
      else if (building.diagnostics.count() == before)
        building.built.notes.push_back(body.name + ": later materials cover all " +
                                       std::string(body.kind->noun) + "s of entry " + std::to_string(k));
    }

    std::vector<int32_t> all(body.element_count());
    for (size_t t = 0; t < all.size(); ++t) all[t] = static_cast<int32_t>(t);
    static constexpr Field density{
        .name = "density", .unit = "kg/m^3", .min = 0, .min_open = true, .reason = "mass must be positive"};
    const Json* bending = (*body.json).find("bending");
    const Json* stiffness = bending ? bending->find("stiffness") : nullptr;
    building.built.model.params.rigidity.push_back({{stiffness ? stiffness->number() : 0.0}});
    building.built.model.params.density.push_back(
        values_of(building, body, (*body.json)["density"], body.path + "/density", density, all));
  }
}

}  // namespace sinew::scene

#include "scene/building.h"
#include "scene/select.h"
#include "scene/type.h"
#include "scene/words.h"

namespace sinew::scene {
namespace {

// A number for all tets, or an attribute of the mesh for each of `tets`.
model::ParamField values_of(Building& building, const BodyParts& body, const Json& value,
                            const std::string& path, const Field& field, std::span<const int32_t> tets) {
  if (value.is(Json::Kind::number)) return {{value.number()}};
  const Json& name = value["field"];
  const auto& data = body.mesh.element_data;
  const auto found = data.find(name.text());
  if (found == data.end() || found->second.width != 1) {
    std::vector<std::string_view> words;
    for (const auto& [word, attribute] : data)
      if (attribute.width == 1) words.push_back(word);
    building.problem(
        name, path + "/field",
        unknown_word("field", name.text(), words) + " (numbers on the tets of this body's mesh)");
    return {{1}};
  }
  model::ParamField result;
  for (int32_t t : tets) {
    const double v = found->second.values[t];
    if (!in_range(field, v)) {
      building.problem(name, path + "/field",
                       "found " + number_text(v) + " at tet " + std::to_string(t) +
                           " (counted from 0), expected " + expectation(field));
      return {{1}};
    }
    result.values.push_back(v);
  }
  return result;
}

// The entry that each tet of the body takes; -1: none.
std::vector<int32_t> entry_of_tets(Building& building, int b, const Json& material) {
  const BodyParts& body = building.bodies[b];
  const size_t n = body.mesh.elements.size();
  if (material.is(Json::Kind::object)) {
    if (const Json* where = material.find("where"))
      building.problem(*where, body.path + "/material/where", "expected in a list of materials only");
    return std::vector<int32_t>(n, 0);
  }
  std::vector<int32_t> entry(n, -1);
  for (size_t k = 0; k < material.size(); ++k) {
    const Json* where = material.item(k).find("where");
    std::vector<char> marks(n, 1);
    if (where)
      marks = select_tets(building, b, *where, body.path + "/material/" + std::to_string(k) + "/where");
    for (size_t t = 0; t < marks.size(); ++t)
      if (marks[t]) entry[t] = static_cast<int32_t>(k);
  }
  return entry;
}

void add_set(Building& building, int b, const Json& material, const std::string& path,
             const std::vector<int32_t>& tets) {
  const BodyParts& body = building.bodies[b];
  const material::Law* law = material::find_law(material["model"].text());
  model::ElasticSet set{b, law, {}};
  for (int32_t t : tets) set.tets.push_back(body.first_tet + t);
  std::vector<model::ParamField> values;
  for (const Field& field : law->fields) {
    const std::string name(field.name);
    values.push_back(values_of(building, body, material[name], path + "/" + name, field, tets));
  }
  building.built.model.sets.push_back(std::move(set));
  building.built.model.params.material.push_back(std::move(values));
}

}  // namespace

void add_materials(Building& building) {
  for (size_t b = 0; b < building.bodies.size(); ++b) {
    const BodyParts& body = building.bodies[b];
    const Json& material = (*body.json)["material"];
    const bool is_list = material.is(Json::Kind::list);
    const size_t before = building.problems.count();
    const std::vector<int32_t> entry = entry_of_tets(building, static_cast<int>(b), material);
    const size_t entries = is_list ? material.size() : 1;
    std::vector<std::vector<int32_t>> tets(entries);
    int64_t bare = 0, first_bare = -1;
    for (size_t t = 0; t < entry.size(); ++t) {
      if (entry[t] >= 0) {
        tets[entry[t]].push_back(static_cast<int32_t>(t));
      } else if (bare++ == 0) {
        first_bare = static_cast<int64_t>(t);
      }
    }
    if (bare > 0 && building.problems.count() == before)
      building.problem(material, body.path + "/material",
                       std::to_string(bare) + " tets have no material, the first is tet " +
                           std::to_string(first_bare) +
                           "; expected an entry without \"where\" to cover the rest");
    for (size_t k = 0; k < entries; ++k) {
      std::string path = body.path + "/material";
      if (is_list) path.append("/").append(std::to_string(k));
      if (!tets[k].empty())
        add_set(building, static_cast<int>(b), is_list ? material.item(k) : material, path, tets[k]);
      else if (building.problems.count() == before)
        building.built.notes.push_back(body.name + ": later materials cover all tets of entry " +
                                       std::to_string(k));
    }

    std::vector<int32_t> all(body.mesh.elements.size());
    for (size_t t = 0; t < all.size(); ++t) all[t] = static_cast<int32_t>(t);
    static constexpr Field density{
        .name = "density", .unit = "kg/m^3", .min = 0, .min_open = true, .reason = "mass must be positive"};
    building.built.model.params.density.push_back(
        values_of(building, body, (*body.json)["density"], body.path + "/density", density, all));
  }
}

}  // namespace sinew::scene

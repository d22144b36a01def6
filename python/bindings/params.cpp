#include "bindings/params.h"

#include <algorithm>
#include <map>

#include "bindings/arrays.h"
#include "json/type.h"

namespace sinew::python {
namespace {

constexpr Field stiffness_field{.name = "stiffness", .unit = "N/m", .min = 0, .reason = "springs pull back"};
constexpr Field rigidity_field{
    .name = "stiffness", .unit = "N m", .min = 0, .reason = "sheets do not bend by themselves"};
constexpr Field density_field{
    .name = "density", .unit = "kg/m^3", .min = 0, .min_open = true, .reason = "mass must be positive"};

void add_materials(const model::Model& model, model::Params& params, std::vector<NamedParam>& list) {
  std::vector<int> count(model.bodies.size(), 0), next(model.bodies.size(), 0);
  for (const model::ElasticSet& set : model.sets) ++count[static_cast<size_t>(set.body)];
  for (size_t s = 0; s < model.sets.size(); ++s) {
    const auto b = static_cast<size_t>(model.sets[s].body);
    const std::string index = count[b] > 1 ? std::to_string(next[b]++) + "." : "";
    size_t v = 0;
    for (const Field& field : model.sets[s].law->fields) {
      NamedParam param{model.bodies[b].name + "." + index + std::string(field.name),
                       {},
                       {},
                       field,
                       static_cast<py::ssize_t>(model.sets[s].elements.size())};
      for (int k = 0; k < (field.kind == Field::Kind::vector3 ? 3 : 1); ++k)
        param.parts.push_back(&params.material[s][v++]);
      if (field.kind == Field::Kind::number || field.kind == Field::Kind::vector3)
        list.push_back(std::move(param));
    }
  }
}

void add_links(const model::Model& model, model::Params& params, std::vector<NamedParam>& list) {
  std::map<std::string, std::vector<size_t>> groups;
  for (size_t i = 0; i < model.links.size(); ++i) groups[model.links[i].group].push_back(i);
  for (const auto& [group, links] : groups)
    for (const bool normal : {true, false}) {
      std::vector<double>& values = normal ? params.link_normal : params.link_tangent;
      NamedParam param{"links." + group + (normal ? ".normal" : ".tangent"),
                       {},
                       {},
                       stiffness_field,
                       static_cast<py::ssize_t>(links.size())};
      for (size_t i : links) param.links.push_back(&values[i]);
      list.push_back(std::move(param));
    }
}

}  // namespace

std::vector<NamedParam> named_params(const model::Model& model, model::Params& params) {
  std::vector<NamedParam> list;
  add_materials(model, params, list);
  for (size_t b = 0; b < model.bodies.size(); ++b)
    list.push_back({model.bodies[b].name + ".density",
                    {&params.density[b]},
                    {},
                    density_field,
                    model.bodies[b].elements.size()});
  for (size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].bending != model::Bending::none)
      list.push_back({model.bodies[b].name + ".bending.stiffness",
                      {&params.rigidity[b]},
                      {},
                      rigidity_field,
                      model.bodies[b].elements.size()});
  add_links(model, params, list);
  return list;
}

py::array_t<double> get(const NamedParam& param) {
  if (!param.links.empty()) {
    py::array_t<double> array(Shape{param.elements});
    for (py::ssize_t i = 0; i < param.elements; ++i)
      array.mutable_at(i) = *param.links[static_cast<size_t>(i)];
    return array;
  }
  const auto count = static_cast<py::ssize_t>(param.parts[0]->values.size());
  const auto width = static_cast<py::ssize_t>(param.parts.size());
  Shape shape;
  if (count > 1) shape.push_back(count);
  if (width > 1) shape.push_back(width);
  py::array_t<double> array(shape);
  for (py::ssize_t i = 0; i < count; ++i)
    for (py::ssize_t k = 0; k < width; ++k)
      array.mutable_data()[i * width + k] =
          param.parts[static_cast<size_t>(k)]->values[static_cast<size_t>(i)];
  return array;
}

void set(const NamedParam& param, const std::string& label, const py::handle& given) {
  const auto width = static_cast<py::ssize_t>(std::max<size_t>(param.parts.size(), 1));
  const py::array array = py::array::ensure(given);
  if (!array) PyErr_Clear();
  const bool single = array && array.ndim() == (width > 1 ? 1 : 0);
  Shape shape;
  if (!single) shape.push_back(param.elements);
  if (width > 1) shape.push_back(width);
  const py::array_t<double> values = doubles(given, label, shape);
  const auto at = [&](py::ssize_t i, py::ssize_t k) { return values.data()[(single ? 0 : i) * width + k]; };
  for (size_t i = 0; i < param.links.size(); ++i) *param.links[i] = at(static_cast<py::ssize_t>(i), 0);
  for (py::ssize_t k = 0; k < width && !param.parts.empty(); ++k) {
    std::vector<double>& out = param.parts[static_cast<size_t>(k)]->values;
    out.resize(single ? 1 : static_cast<size_t>(param.elements));
    for (size_t i = 0; i < out.size(); ++i) out[i] = at(static_cast<py::ssize_t>(i), k);
  }
}

void set_all(std::vector<NamedParam> params, const py::dict& given, bool check_range) {
  for (const auto& [key, value] : given) {
    const std::string name = py::str(key), label = "params[" + json::quote(name) + "]";
    const auto found = std::find_if(params.begin(), params.end(),
                                    [&](const NamedParam& param) { return param.name == name; });
    if (found == params.end()) {
      std::vector<std::string_view> words;
      for (const NamedParam& param : params) words.push_back(param.name);
      raise_value("params", json::unknown_word("parameter", name, words));
    }
    set(*found, label, value);
    if (!check_range || found->field.kind != Field::Kind::number) continue;
    std::vector<double> values;
    for (const model::ParamField* part : found->parts)
      values.insert(values.end(), part->values.begin(), part->values.end());
    for (const double* link : found->links) values.push_back(*link);
    for (double number : values)
      if (!json::in_range(found->field, number))
        raise_value(label, fmt::format("found {}, expected {}", number, json::expectation(found->field)));
  }
}

}  // namespace sinew::python

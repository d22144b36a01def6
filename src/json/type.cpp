#include "json/type.h"

#include <cctype>
#include <cmath>

namespace sinew::json {

const Type& TypeTree::leaf(Field field) {
  Type type;
  type.kind = Type::Kind::leaf;
  type.field = field;
  return add(std::move(type));
}

const Type& TypeTree::list(const Type& item, size_t min_size, size_t max_size) {
  Type type;
  type.kind = Type::Kind::list;
  type.item = &item;
  type.min_size = min_size;
  type.max_size = max_size;
  return add(std::move(type));
}

const Type& TypeTree::map(const Type& item, size_t min_size) {
  Type type;
  type.kind = Type::Kind::map;
  type.item = &item;
  type.min_size = min_size;
  return add(std::move(type));
}

const Type& TypeTree::object(std::vector<Key> keys, std::string name, std::string doc) {
  Type type;
  type.kind = Type::Kind::object;
  type.keys = std::move(keys);
  type.name = std::move(name);
  type.doc = std::move(doc);
  return add(std::move(type));
}

Key TypeTree::key(const Field& field) {
  const Type& type = leaf(field);
  if (field.initial.empty()) return required(std::string(field.name), type, std::string(field.doc));
  return with_default(std::string(field.name), type, std::string(field.doc), field.initial);
}

Key required(std::string name, const Type& type, std::string doc) {
  return {std::move(name), &type, std::move(doc), true};
}

Key optional(std::string name, const Type& type, std::string doc) {
  return {std::move(name), &type, std::move(doc), false};
}

Key with_default(std::string name, const Type& type, std::string doc, std::string_view json) {
  Result<Json> value = parse_json(json, "default of " + name);
  if (value) value->set_place_deep({});
  return {std::move(name), &type, std::move(doc), false, value ? *value : Json()};
}

bool valid_name(std::string_view name) {
  if (name.empty() || name.size() > 100) return false;
  for (unsigned char c : name)
    if (!std::isalnum(c) && c != '_' && c != '-') return false;
  return true;
}

bool in_range(const Field& field, double value) {
  return std::isfinite(value) && (field.min_open ? value > field.min : value >= field.min) &&
         (field.max_open ? value < field.max : value <= field.max);
}

std::string expectation(const Field& field) {
  constexpr std::string_view names[] = {
      "a number", "a whole number", "true or false", "a text", "a vector of three numbers",
      "one of",   "a path"};
  std::string s(names[static_cast<int>(field.kind)]);
  if (field.kind == Field::Kind::choice) {
    for (size_t i = 0; i < field.choices.size(); ++i) s += (i ? ", " : " ") + quote(field.choices[i]);
    return s;
  }
  if (field.kind == Field::Kind::boolean)
    return field.min == 1 ? "true (" + std::string(field.reason) + ")" : s;
  const bool low = std::isfinite(field.min), high = std::isfinite(field.max);
  if (field.kind == Field::Kind::vector3 && (low || high)) s += ", each";
  if (low && high && field.min == field.max)
    s = number_text(field.min);
  else if (low)
    s += (field.min_open ? " greater than " : " of at least ") + number_text(field.min);
  if (high && field.min != field.max)
    s += std::string(low ? " and " : " ") + (field.max_open ? "less than " : "at most ") +
         number_text(field.max);
  if (!field.unit.empty() && field.unit != "1") s += " [" + std::string(field.unit) + "]";
  if (!field.reason.empty()) s += " (" + std::string(field.reason) + ")";
  return s;
}

}  // namespace sinew::json

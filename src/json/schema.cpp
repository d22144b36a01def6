#include <cmath>
#include <map>

#include "json/type.h"

namespace sinew::json {
namespace {

class SchemaWriter {
 public:
  Json schema(const Type& type) {
    if (type.name.empty()) return body(type);
    if (!definitions_.contains(type.name)) {
      definitions_.emplace(type.name, Json());  // a type may contain itself
      definitions_[type.name] = body(type);
    }
    Json reference = Json::object();
    reference.set("$ref", "#/$defs/" + type.name);
    return reference;
  }

  Json definitions() const {
    Json all = Json::object();
    for (const auto& [name, definition] : definitions_) all.set(name, definition);
    return all;
  }

 private:
  Json body(const Type& type) {
    Json s;
    switch (type.kind) {
      case Type::Kind::leaf:
        s = leaf(type);
        break;
      case Type::Kind::object:
        s = object({}, type.keys, {});
        break;
      case Type::Kind::list:
        s = list(type);
        break;
      case Type::Kind::map:
        s = typed("object");
        if (type.min_size > 0) s.set("minProperties", type.min_size);
        if (!type.free_names) s.set("propertyNames", pattern("^[A-Za-z0-9_-]{1,100}$"));
        s.set("additionalProperties", schema(*type.item));
        break;
      case Type::Kind::any:
        s = Json::object();
        break;
      default:
        s = choice(type);
    }
    if (!type.doc.empty()) s.set("description", type.doc);
    return s;
  }

  static Json typed(std::string_view word) {
    Json s = Json::object();
    s.set("type", word);
    return s;
  }

  static Json pattern(std::string_view text) {
    Json s = Json::object();
    s.set("pattern", text);
    return s;
  }

  static void add_range(const Field& field, Json& s) {
    if (std::isfinite(field.min)) s.set(field.min_open ? "exclusiveMinimum" : "minimum", field.min);
    if (std::isfinite(field.max)) s.set(field.max_open ? "exclusiveMaximum" : "maximum", field.max);
  }

  static Json leaf(const Type& type) {
    const Field& field = type.field;
    Json s = Json::object();
    switch (field.kind) {
      case Field::Kind::number:
      case Field::Kind::integer:
        s = typed(field.kind == Field::Kind::number ? "number" : "integer");
        add_range(field, s);
        break;
      case Field::Kind::boolean:
        s = typed("boolean");
        if (field.min == 1) s.set("const", true);
        break;
      case Field::Kind::text:
        s = typed("string");
        break;
      case Field::Kind::path:
        s = typed("string");
        s.set("minLength", 1);
        break;
      case Field::Kind::choice: {
        Json words = Json::list();
        for (std::string_view word : field.choices) words.add(word);
        s.set("enum", words);
        break;
      }
      case Field::Kind::vector3: {
        Json component = typed("number");
        add_range(field, component);
        s = typed("array");
        s.set("items", component);
        s.set("minItems", 3);
        s.set("maxItems", 3);
        break;
      }
    }
    return type.or_field ? number_or_field(s) : s;
  }

  static Json number_or_field(const Json& number) {
    Json name = Json::object(), names = Json::list(), either = Json::list(), s = Json::object();
    name.set("field", typed("string"));
    names.add("field");
    Json field = typed("object");
    field.set("properties", name);
    field.set("required", names);
    field.set("additionalProperties", false);
    either.add(number);
    either.add(field);
    s.set("anyOf", either);
    return s;
  }

  Json list(const Type& type) {
    Json s = typed("array");
    s.set("items", schema(*type.item));
    if (type.min_size > 0) s.set("minItems", type.min_size);
    if (type.max_size < std::numeric_limits<size_t>::max()) s.set("maxItems", type.max_size);
    return s;
  }

  Json property(const Key& key) {
    Json s = schema(*key.type);
    std::string text = key.doc;
    if (key.type->kind == Type::Kind::leaf) {
      const Field& field = key.type->field;
      if (!field.unit.empty() && field.unit != "1") text += " [" + std::string(field.unit) + "]";
      if (!field.reason.empty()) text += " (" + std::string(field.reason) + ")";
    }
    if (!text.empty()) s.set("description", text);
    if (key.initial) s.set("default", *key.initial);
    return s;
  }

  // `first` is a property that is already a schema: the word or key that chose a variant.
  Json object(std::vector<std::pair<std::string, Json>> first, std::span<const Key> keys,
              std::span<const Key> more, bool first_required = true) {
    Json properties = Json::object(), names = Json::list();
    for (auto& [name, s] : first) {
      properties.set(name, std::move(s));
      if (first_required) names.add(name);
    }
    for (std::span<const Key> part : {keys, more})
      for (const Key& key : part) {
        properties.set(key.name, property(key));
        if (key.required) names.add(key.name);
      }
    Json s = typed("object");
    s.set("properties", std::move(properties));
    if (names.size() > 0) s.set("required", std::move(names));
    s.set("additionalProperties", false);
    return s;
  }

  Json choice(const Type& type) {
    Json variants = Json::list();
    for (const Variant& variant : type.variants) {
      if (type.kind == Type::Kind::by_kind) {
        variants.add(schema(*variant.type));
        continue;
      }
      Json first;
      bool first_required = true;
      if (type.kind == Type::Kind::by_key) {
        first = schema(*variant.type);
      } else {
        first = Json::object();
        first.set("const", variant.word);
        first_required = variant.word != type.selector_initial;
      }
      const std::string& name = type.kind == Type::Kind::by_key ? variant.word : type.selector;
      Json s = object({{name, std::move(first)}}, type.keys, variant.keys, first_required);
      if (!variant.doc.empty()) s.set("description", variant.doc);
      variants.add(std::move(s));
    }
    Json s = Json::object();
    s.set(type.kind == Type::Kind::by_kind ? "anyOf" : "oneOf", std::move(variants));
    return s;
  }

  std::map<std::string, Json> definitions_;
};

}  // namespace

Json json_schema(const Type& type, std::string_view title) {
  SchemaWriter writer;
  const Json root = writer.schema(type);
  Json s = Json::object();
  s.set("$schema", "https://json-schema.org/draft/2020-12/schema");
  s.set("title", title);
  for (size_t i = 0; i < root.size(); ++i) s.set(root.key(i), root.item(i));
  s.set("$defs", writer.definitions());
  return s;
}

}  // namespace sinew::json

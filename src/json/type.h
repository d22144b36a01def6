#pragma once
// The table of a file format as a tree of Types. Validation, defaults, the JSON Schema and the reference page
// are all made from the same tree; see scene/scene_type.cpp for the tree of the scene file.
//
// A leaf is a Field (base/field.h). Objects have ordered keys, lists and maps one type for all items. Choices
// between shapes: by which key is there ({"box": ...} or {"ball": ...}), by the word under one key ("model"),
// or by JSON kind (an object or a list of objects). `any` takes every value as it is.
//
//     Diagnostics diagnostics("scene.json");
//     Json resolved = validate(json, scene_type(), diagnostics);   // every default filled in
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/field.h"
#include "json/diagnostics.h"
#include "json/json.h"

namespace sinew::json {

struct Type;

struct Key {
  std::string name;
  const Type* type = nullptr;
  std::string doc;
  bool required = false;
  std::optional<Json> initial = std::nullopt;  // default; an optional key without one stays away
};

struct Variant {
  std::string word;  // the key, or the value of the selector, that chooses this variant
  std::string doc;
  const Type* type = nullptr;  // by_key: of the value under that key; by_kind: the whole
  std::vector<Key> keys = {};  // by_key, by_word: further keys of this variant
};

struct Type {
  enum class Kind { leaf, object, list, map, by_key, by_word, by_kind, any };

  Kind kind = Kind::object;
  std::string name;  // a named type is a section of its own in the schema and the reference
  std::string doc;
  Field field = {};  // leaf
  bool or_field =
      false;  // a number or vector that may also be {"field": NAME}: an attribute of the mesh file
  bool direction = false;      // a vector3 that must not be zero
  bool free_names = false;     // map: any text may be a name
  std::vector<Key> keys = {};  // object, by_word: common to all variants
  const Type* item = nullptr;  // list, map
  size_t min_size = 0;
  size_t max_size = std::numeric_limits<size_t>::max();
  std::string ascending;  // list: this key must grow from item to item
  std::vector<Variant> variants = {};
  std::string selector;          // by_word
  std::string selector_initial;  // by_word: the word when the selector is not there
};

// Owns the types of one tree; addresses stay.
class TypeTree {
 public:
  Type& add(Type type) { return types_.emplace_back(std::move(type)); }
  const Type& leaf(Field field);
  const Type& list(const Type& item, size_t min_size, size_t max_size);
  const Type& map(const Type& item, size_t min_size = 0);
  const Type& object(std::vector<Key> keys, std::string name = {}, std::string doc = {});

  // A key whose value is a leaf: name, default and sentence come from the field.
  Key key(const Field& field);

  const Type* root = nullptr;

 private:
  std::deque<Type> types_;
};

Key required(std::string name, const Type& type, std::string doc);
Key optional(std::string name, const Type& type, std::string doc);
Key with_default(std::string name, const Type& type, std::string doc, std::string_view json);

// Names of bodies, selections, probes: letters, digits, '_' and '-', so that a dot can join them.
bool valid_name(std::string_view name);
bool in_range(const Field& field, double value);
// "a number greater than 0 [Pa] (why)".
std::string expectation(const Field& field);

// The value with all defaults filled in. Meaningful only if no problem was added.
Json validate(const Json& value, const Type& type, Diagnostics& diagnostics);

// The type of a member, as far as `value` decides it; null where the word is unknown, with the words that are
// known.
const Type* member_type(const Type& type, const Json* value, std::string_view member,
                        std::vector<std::string_view>& known);

Json json_schema(const Type& type, std::string_view title);  // JSON Schema, draft 2020-12
// Markdown; `command` prints it.
std::string reference_page(const Type& type, std::string_view title, std::string_view command);

}  // namespace sinew::json

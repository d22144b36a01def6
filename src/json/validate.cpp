#include <algorithm>
#include <cmath>

#include "json/type.h"
#include "json/words.h"

namespace sinew::json {
namespace {

using Kind = Json::Kind;

// A value in a message: short, on one line.
std::string shown(const Json& value) {
  if (value.is(Kind::list)) return "a list of " + std::to_string(value.size());
  if (value.is(Kind::object)) return "an object";
  if (value.is(Kind::text)) {
    const std::string& text = value.text();
    return "the text " + quote(text.size() > 60 ? text.substr(0, 57) + "..." : text);
  }
  return value.compact();
}

const Variant* find_variant(const Type& type, std::string_view word) {
  for (const Variant& variant : type.variants)
    if (variant.word == word) return &variant;
  return nullptr;
}

std::vector<std::string_view> variant_words(const Type& type) {
  std::vector<std::string_view> words;
  for (const Variant& variant : type.variants) words.push_back(variant.word);
  return words;
}

// A word that chose a variant, already checked; the component of a vector.
const Type& any_leaf() {
  static const Type leaf = [] {
    Type type;
    type.kind = Type::Kind::leaf;
    type.field.kind = Field::Kind::text;
    return type;
  }();
  return leaf;
}

std::string joined(std::span<const std::string_view> words) {
  std::string s;
  for (std::string_view word : words) s += (s.empty() ? "" : ", ") + quote(word);
  return s;
}

class Validator {
 public:
  explicit Validator(Diagnostics& diagnostics) : problems_(diagnostics) {}

  Json check(const Json& value, const Type& type, const std::string& path) {
    Json result;
    switch (type.kind) {
      case Type::Kind::leaf:
        result = check_leaf(value, type, path);
        break;
      case Type::Kind::object:
        result = check_object(value, type.keys, {}, path);
        break;
      case Type::Kind::list:
        result = check_list(value, type, path);
        break;
      case Type::Kind::map:
        result = check_map(value, type, path);
        break;
      case Type::Kind::by_key:
        result = check_by_key(value, type, path);
        break;
      case Type::Kind::by_word:
        result = check_by_word(value, type, path);
        break;
      case Type::Kind::by_kind:
        result = check_by_kind(value, type, path);
        break;
      case Type::Kind::any:
        result = value;
        break;
    }
    result.set_place(value.place());
    return result;
  }

 private:
  Json refuse(const Json& value, const std::string& path, const std::string& expected) {
    problems_.add(value.place(), path, "found " + shown(value) + ", expected " + expected);
    return {};
  }

  Json check_leaf(const Json& value, const Type& type, const std::string& path) {
    const Field& field = type.field;
    const std::string number_expected =
        expectation(field) + (type.or_field ? ", or {\"field\": name} from the mesh file" : "");
    switch (field.kind) {
      case Field::Kind::number:
        if (type.or_field && value.is(Kind::object)) return check_field_name(value, path);
        if (value.is(Kind::number) && in_range(field, value.number())) return value;
        return refuse(value, path, number_expected);
      case Field::Kind::integer:
        if (value.is(Kind::number) && value.number() == std::floor(value.number()) &&
            std::abs(value.number()) <= 0x1p53 && in_range(field, value.number()))
          return value;
        return refuse(value, path, expectation(field));
      case Field::Kind::boolean:
        if (value.is(Kind::boolean) && in_range(field, value.number())) return value;
        return refuse(value, path, expectation(field));
      case Field::Kind::text:
        return value.is(Kind::text) ? value : refuse(value, path, "a text");
      case Field::Kind::path:
        if (!value.is(Kind::text)) return refuse(value, path, "a path, as a text");
        if (value.text().empty() || value.text().find('\0') != std::string::npos)
          return refuse(value, path, "the path of a file");
        return value;
      case Field::Kind::choice:
        return check_choice(value, field, path);
      case Field::Kind::vector3:
        if (type.or_field && value.is(Kind::object)) return check_field_name(value, path);
        return check_vector(value, type, path);
    }
    return {};
  }

  Json check_field_name(const Json& value, const std::string& path) {
    const Json* name = value.find("field");
    if (value.size() == 1 && name && name->is(Kind::text)) return value;
    return refuse(value, path, "a value, or {\"field\": name} from the mesh file");
  }

  Json check_choice(const Json& value, const Field& field, const std::string& path) {
    if (!value.is(Kind::text)) return refuse(value, path, expectation(field));
    for (std::string_view choice : field.choices)
      if (choice == value.text()) return value;
    problems_.add(value.place(), path, unknown_word("word", value.text(), field.choices));
    return {};
  }

  Json check_vector(const Json& value, const Type& type, const std::string& path) {
    bool good = value.is(Kind::list) && value.size() == 3;
    if (!good) return refuse(value, path, expectation(type.field));
    double length = 0;
    for (size_t i = 0; i < 3; ++i) {
      const Json& v = value.item(i);
      if (!v.is(Kind::number) || !in_range(type.field, v.number())) {
        Field component = type.field;
        component.kind = Field::Kind::number;
        refuse(v, path + "/" + std::to_string(i), expectation(component));
        good = false;
      }
      length += std::abs(v.number());
    }
    if (good && type.direction && !(length > 0))
      return refuse(value, path, "a direction: a vector that is not zero");
    return value;
  }

  Json check_list(const Json& value, const Type& type, const std::string& path) {
    if (!value.is(Kind::list)) return refuse(value, path, "a list");
    if (value.size() < type.min_size || value.size() > type.max_size) {
      const bool exact = type.min_size == type.max_size;
      const bool short_ = value.size() < type.min_size;
      return refuse(value, path,
                    std::string("a list of ") +
                        (exact    ? ""
                         : short_ ? "at least "
                                  : "at most ") +
                        std::to_string(short_ || exact ? type.min_size : type.max_size));
    }
    Json result = Json::list();
    for (size_t i = 0; i < value.size(); ++i)
      result.add(check(value.item(i), *type.item, path + "/" + std::to_string(i)));
    if (!type.ascending.empty()) check_ascending(result, type.ascending, path);
    return result;
  }

  void check_ascending(const Json& list, const std::string& key, const std::string& path) {
    for (size_t i = 1; i < list.size(); ++i) {
      const Json &before = list.item(i - 1)[key], &now = list.item(i)[key];
      if (before.is(Kind::number) && now.is(Kind::number) && !(now.number() > before.number()))
        refuse(
            now, path + "/" + std::to_string(i) + "/" + key,
            "more than the one before, " + number_text(before.number()) + " (keys are in ascending order)");
    }
  }

  Json check_map(const Json& value, const Type& type, const std::string& path) {
    if (!value.is(Kind::object)) return refuse(value, path, "an object of names");
    if (value.size() < type.min_size)
      problems_.add(value.place(), path,
                    "found nothing here, expected at least " + std::to_string(type.min_size));
    Json result = Json::object();
    for (size_t i = 0; i < value.size(); ++i) {
      if (!type.free_names && !valid_name(value.key(i)))
        problems_.add(value.key_place(i), path,
                      "found the name " + quote(value.key(i).substr(0, 60)) +
                          ", expected letters, digits, '_' and '-' (a dot joins names)");
      result.set(value.key(i), check(value.item(i), *type.item, path + "/" + value.key(i)),
                 value.key_place(i));
    }
    return result;
  }

  // Keys of the table in its order; what is missing gets its default.
  Json check_object(const Json& value, std::span<const Key> keys, std::span<const Key> more,
                    const std::string& path) {
    if (!value.is(Kind::object)) return refuse(value, path, "an object");
    Json result = Json::object();
    std::vector<std::string_view> known;
    for (std::span<const Key> part : {keys, more})
      for (const Key& key : part) {
        known.push_back(key.name);
        check_key(value, key, path, result);
      }
    for (size_t i = 0; i < value.size(); ++i)
      if (std::find(known.begin(), known.end(), value.key(i)) == known.end())
        problems_.add(value.key_place(i), path + "/" + value.key(i),
                      unknown_word("key", value.key(i), known));
    return result;
  }

  void check_key(const Json& value, const Key& key, const std::string& path, Json& result) {
    for (size_t i = 0; i < value.size(); ++i)
      if (value.key(i) == key.name) {
        result.set(key.name, check(value.item(i), *key.type, path + "/" + key.name), value.key_place(i));
        return;
      }
    if (key.required) {
      problems_.add(value.place(), path, "the key " + quote(key.name) + " is missing: " + key.doc);
    } else if (key.initial) {
      Json initial = *key.initial;
      initial.set_place_deep(value.place());
      result.set(key.name, check(initial, *key.type, path + "/" + key.name), value.place());
    }
  }

  Json check_by_key(const Json& value, const Type& type, const std::string& path) {
    const std::vector<std::string_view> words = variant_words(type);
    const std::string expected = "an object with one of the keys " + joined(words);
    if (!value.is(Kind::object)) return refuse(value, path, expected);
    const Variant* chosen = nullptr;
    for (size_t i = 0; i < value.size(); ++i)
      if (const Variant* variant = find_variant(type, value.key(i))) {
        if (chosen) {
          problems_.add(value.key_place(i), path,
                        "found both " + quote(chosen->word) + " and " + quote(variant->word) +
                            ", expected one of them");
          return {};
        }
        chosen = variant;
      }
    if (chosen) {
      std::vector<Key> keys = {required(chosen->word, *chosen->type, chosen->doc)};
      return check_object(value, keys, chosen->keys, path);
    }
    const auto known = [&](const Variant& variant) {
      return std::any_of(variant.keys.begin(), variant.keys.end(),
                         [&](const Key& key) { return value.has(key.name); });
    };
    if (value.size() == 0 || std::any_of(type.variants.begin(), type.variants.end(), known))
      return refuse(value, path, expected);
    problems_.add(value.key_place(0), path + "/" + value.key(0), unknown_word("key", value.key(0), words));
    return {};
  }

  Json check_by_word(const Json& value, const Type& type, const std::string& path) {
    if (!value.is(Kind::object)) return refuse(value, path, "an object with the key " + quote(type.selector));
    const std::vector<std::string_view> words = variant_words(type);
    const Json* selector = value.find(type.selector);
    if (!selector && type.selector_initial.empty()) {
      problems_.add(value.place(), path,
                    "the key " + quote(type.selector) + " is missing; expected one of " + joined(words));
      return {};
    }
    if (selector && !selector->is(Kind::text))
      return refuse(*selector, path + "/" + type.selector, "one of " + joined(words));
    const std::string word = selector ? selector->text() : type.selector_initial;
    const Variant* variant = find_variant(type, word);
    if (!variant) {
      problems_.add(selector->place(), path + "/" + type.selector, unknown_word(type.selector, word, words));
      return {};
    }
    std::vector<Key> keys = {Key{type.selector, &any_leaf(), {}, false, Json(word)}};
    keys.insert(keys.end(), type.keys.begin(), type.keys.end());
    return check_object(value, keys, variant->keys, path);
  }

  static bool is_word(const Type& leaf) {
    return leaf.field.kind == Field::Kind::choice || leaf.field.kind == Field::Kind::text;
  }

  Json check_by_kind(const Json& value, const Type& type, const std::string& path) {
    const Type* fitting = nullptr;  // the first; of leaves, the one for words or the one for numbers
    for (const Variant& variant : type.variants) {
      const Type::Kind kind = variant.type->kind;
      const bool vector = kind == Type::Kind::leaf && variant.type->field.kind == Field::Kind::vector3;
      const bool numbers = value.is(Kind::list) && value.size() > 0 && value.item(0).is(Kind::number);
      const bool fits = value.is(Kind::list)     ? (vector ? numbers : kind == Type::Kind::list)
                        : value.is(Kind::object) ? kind != Type::Kind::list && kind != Type::Kind::leaf
                                                 : kind == Type::Kind::leaf;
      if (fits && (!fitting || (kind == Type::Kind::leaf && value.is(Kind::text) == is_word(*variant.type))))
        fitting = variant.type;
    }
    if (fitting) return check(value, *fitting, path);
    std::string expected;
    for (const Variant& variant : type.variants) expected += (expected.empty() ? "" : " or ") + variant.doc;
    return refuse(value, path, expected);
  }

  Diagnostics& problems_;
};

}  // namespace

Json validate(const Json& value, const Type& type, Diagnostics& diagnostics) {
  return Validator(diagnostics).check(value, type, "");
}

const Type* member_type(const Type& type, const Json* value, std::string_view member,
                        std::vector<std::string_view>& known) {
  const Type* found = nullptr;
  const auto look = [&](std::span<const Key> keys) {
    for (const Key& key : keys) {
      known.push_back(key.name);
      if (key.name == member) found = key.type;
    }
  };
  switch (type.kind) {
    case Type::Kind::leaf:
      return type.field.kind == Field::Kind::vector3 ? &any_leaf() : nullptr;
    case Type::Kind::any:
      return &type;
    case Type::Kind::list:
    case Type::Kind::map:
      return type.item;
    case Type::Kind::object:
      look(type.keys);
      break;
    case Type::Kind::by_key:
      for (const Variant& variant : type.variants) {
        known.push_back(variant.word);
        if (variant.word == member) found = variant.type;
        look(variant.keys);
      }
      break;
    case Type::Kind::by_word: {
      known.push_back(type.selector);
      if (type.selector == member) found = &any_leaf();
      look(type.keys);
      const Json* given = value && value->is(Kind::object) ? value->find(type.selector) : nullptr;
      const std::string& word = given && given->is(Kind::text) ? given->text() : type.selector_initial;
      for (const Variant& variant : type.variants)
        if (variant.word == word) look(variant.keys);
      // The word may be set later.
      for (const Variant& variant : type.variants)
        if (!found && variant.word != word) look(variant.keys);
      break;
    }
    case Type::Kind::by_kind:
      for (const Variant& variant : type.variants)
        if ((value && value->is(Kind::list)) == (variant.type->kind == Type::Kind::list))
          return member_type(*variant.type, value, member, known);
      break;
  }
  return found;
}

}  // namespace sinew::json

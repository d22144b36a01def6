#pragma once
// Json: an ordered tree of values that knows where in the file each one stood, for reading scenes and for
// writing every JSON file of the program; io/json_file.h reads files. Comments // and /* */ are allowed in what is read; duplicate keys,
// trailing commas, numbers beyond double and anything past the limits are refused with line and column.
//
//     Result<Json> scene = parse_json(text, "scene.json");
//     Json report = Json::object();  report.set("frames", 60);  std::string line = report.compact();
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sinew::json {

// Line and column in bytes, both from 1. Line 0: the value was not read from a file.
struct Place {
  int32_t line = 0, column = 0;
};

class Json {
 public:
  enum class Kind { null, boolean, number, text, list, object };

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : kind_(Kind::boolean), number_(value) {}
  template <class T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) Json(T value)
      : kind_(Kind::number), number_(static_cast<double>(value)) {}
  Json(std::string value) : kind_(Kind::text), text_(std::move(value)) {}
  Json(std::string_view value) : Json(std::string(value)) {}
  Json(const char* value) : Json(std::string(value)) {}

  static Json list() { return Json(Kind::list); }
  static Json object() { return Json(Kind::object); }
  static Json numbers(std::span<const double> values);

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  bool boolean() const { return number_ != 0; }
  double number() const { return number_; }
  const std::string& text() const { return text_; }

  // Lists and objects: the values in order. An object has a key beside each.
  size_t size() const { return items_.size(); }
  std::span<const Json> items() const { return items_; }
  const Json& item(size_t i) const { return items_[i]; }
  Json& item(size_t i) { return items_[i]; }
  const std::string& key(size_t i) const { return keys_[i].text; }
  Place key_place(size_t i) const { return keys_[i].place; }

  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);
  bool has(std::string_view key) const { return find(key) != nullptr; }
  // The value of a key that must be there: a null that lives forever otherwise.
  const Json& operator[](std::string_view key) const;

  void add(Json value) { items_.push_back(std::move(value)); }
  // Replaces the value of the key or appends it.
  Json& set(std::string_view key, Json value, Place key_place = {});

  Place place() const { return place_; }
  void set_place(Place place) { place_ = place; }
  // The place of this value and of everything in it.
  void set_place_deep(Place place);

  std::string compact() const;  // one line, no blanks
  std::string pretty() const;   // indented by two; what fits on a line stays on it; ends with a newline
  bool operator==(const Json& other) const;  // places aside

 private:
  struct Key {
    std::string text;
    Place place;
  };
  explicit Json(Kind kind) : kind_(kind) {}

  Kind kind_ = Kind::null;
  double number_ = 0;  // also the boolean
  std::string text_;
  std::vector<Json> items_;
  std::vector<Key> keys_;
  Place place_;
};

// "a number", "an object": for messages.
std::string_view name_of(Json::Kind kind);
// Shortest text that reads back as the same double.
std::string number_text(double value);
// Quoted and escaped; bytes that are not UTF-8 become U+FFFD.
std::string quote(std::string_view text);

struct JsonLimits {
  size_t bytes = size_t{64} << 20;
  int depth = 64;
  size_t values = size_t{1} << 20;
};

// `name` stands in the messages: "scene.json:3:14: ...".
Result<Json> parse_json(std::string_view text, const std::string& name, const JsonLimits& limits = {});

}  // namespace sinew::json

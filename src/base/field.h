#pragma once
// A Field describes one key of the scene file. Materials, methods and the scene itself list their
// fields; validation, defaults, the JSON Schema and the reference page are all made from these lists.
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace sinew {

struct Field {
  enum class Kind { number, integer, boolean, text, vector3, choice, path };

  std::string_view name;
  Kind kind = Kind::number;
  std::string_view unit = {};  // "Pa", "kg/m^3", "1" for a pure number; empty where it has none
  std::string_view doc = {};   // one sentence
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_open = false;                           // min itself is refused
  bool max_open = false;                           // max itself is refused
  std::string_view reason = {};                    // why the range is what it is
  std::string_view initial = {};                   // default as JSON text; empty: the field is required
  std::span<const std::string_view> choices = {};  // for Kind::choice
};

using Fields = std::span<const Field>;

// The values of a list of fields, by name: numbers, booleans and texts.
class FieldValues {
 public:
  using Value = std::variant<double, bool, std::string>;

  FieldValues() = default;
  // Every field at its default; required fields are left out.
  explicit FieldValues(Fields fields);

  void set(std::string_view name, Value value) { values_[std::string(name)] = std::move(value); }
  double number(std::string_view name) const { return std::get<double>(at(name)); }
  bool flag(std::string_view name) const { return std::get<bool>(at(name)); }
  const std::string& text(std::string_view name) const { return std::get<std::string>(at(name)); }

 private:
  const Value& at(std::string_view name) const { return values_.find(name)->second; }
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace sinew

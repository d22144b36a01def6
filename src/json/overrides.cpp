#include "json/overrides.h"

#include <charconv>

#include "json/words.h"

namespace sinew::json {
namespace {

std::vector<std::string> split_path(std::string_view path) {
  const char separator = path.starts_with('/') ? '/' : '.';
  if (separator == '/') path.remove_prefix(1);
  std::vector<std::string> parts;
  for (;;) {
    const size_t end = path.find(separator);
    parts.emplace_back(path.substr(0, end));
    if (end == std::string_view::npos) return parts;
    path.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> keys_of(const Json& object) {
  std::vector<std::string_view> keys;
  for (size_t i = 0; i < object.size(); ++i) keys.push_back(object.key(i));
  return keys;
}

// The item of a list, or null.
Json* item_at(Json& list, const std::string& word) {
  size_t i = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), i);
  const bool good = error == std::errc() && end == word.data() + word.size() && i < list.size();
  return good ? &list.item(i) : nullptr;
}

}  // namespace

void apply_override(Json& scene, const std::string& text, int32_t k, const Type& type,
                    Diagnostics& diagnostics) {
  const Place place{-k, 0};
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return diagnostics.add(place, {}, "expected path=value, such as bodies.block.density=10");
  const std::string value_text = text.substr(equals + 1);
  Result<Json> parsed = parse_json(value_text, "value");
  Json value = parsed ? *parsed : Json(value_text);
  value.set_place_deep(place);

  Json* at = &scene;
  const Type* at_type = &type;
  std::string path;
  std::vector<std::string> parts = split_path(text.substr(0, equals));
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    std::vector<std::string_view> known;
    const Type* next = member_type(*at_type, at, parts[i], known);
    if (!next && !known.empty())
      return diagnostics.add(place, path + "/" + parts[i], unknown_word("key", parts[i], known));
    if (!next || (!at->is(Json::Kind::object) && !at->is(Json::Kind::list)))
      return diagnostics.add(
          place, path, "found " + std::string(name_of(at->kind())) + ", which has no " + quote(parts[i]));
    path += "/" + parts[i];
    Json* member = at->is(Json::Kind::list) ? item_at(*at, parts[i]) : at->find(parts[i]);
    if (!member && at->is(Json::Kind::list))
      return diagnostics.add(place, path,
                             "the list has " + std::to_string(at->size()) + " items, counted from 0");
    if (!member && at_type->kind == Type::Kind::map && !last)
      return diagnostics.add(place, path, unknown_word("name", parts[i], keys_of(*at)));
    if (!member) {
      Json empty = Json::object();
      empty.set_place(place);
      member = &at->set(parts[i], std::move(empty), place);
    }
    if (last) *member = std::move(value);
    at = member;
    at_type = next;
  }
}

}  // namespace sinew::json

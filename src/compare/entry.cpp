#include "compare/entry.h"

#include <algorithm>
#include <charconv>

#include "json/overrides.h"
#include "json/words.h"
#include "scene/scene_type.h"

namespace sinew::compare {

namespace {

constexpr double longest = 86400;  // [s]

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Error entry_error(std::string_view entry, const std::string& what) {
  return {ErrorKind::usage, "method " + json::quote(entry.substr(0, 200)), {}, what};
}

// The scene with one option of the method, or the tolerance of all, changed, checked as a scene is.
Result<void> set_option(scene::Scene& scene, std::string_view entry, const step::Method& method,
                        const std::string& option) {
  std::vector<std::string_view> known = {"tolerance"};
  for (const Field& field : method.fields) known.push_back(field.name);
  const size_t equals = option.find('=');
  if (equals == std::string::npos)
    return entry_error(entry, "found " + json::quote(option.substr(0, 80)) + ", expected option=value");
  const std::string name = option.substr(0, equals);
  if (std::find(known.begin(), known.end(), name) == known.end())
    return entry_error(entry, json::unknown_word("option", name, known));
  json::Diagnostics diagnostics;
  const std::string group = name == "tolerance" ? "" : std::string(method.name) + "/";
  json::apply_override(scene.resolved, "/solve/" + group + option, 1, scene::scene_type(), diagnostics);
  if (diagnostics.empty()) scene.resolved = json::validate(scene.resolved, scene::scene_type(), diagnostics);
  if (!diagnostics.empty()) return entry_error(entry, name + ": " + diagnostics.list()[0].what);
  return {};
}

Result<Entry> parse_entry(const scene::Scene& scene, const std::string& text) {
  std::vector<std::string_view> known;
  for (const step::Method* method : step::methods()) known.push_back(method->name);
  const std::vector<std::string> words = split(text, ':');
  Entry entry{text, step::find_method(words[0]), {}};
  if (!entry.method) return usage_error(json::unknown_word("method", words[0], known));
  scene::Scene changed = scene;
  for (size_t i = 1; i < words.size(); ++i) {
    if (auto ok = set_option(changed, text, *entry.method, words[i]); !ok) return ok.error();
    entry.own_iterations |= words[i].starts_with("iterations=");
    entry.own_tolerance |= words[i].starts_with("tolerance=");
  }
  entry.settings = scene::settings_for(changed, *entry.method);
  return entry;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    words.emplace_back(word);
    begin = end + 1;
  }
  return words;
}

Result<std::vector<Entry>> parse_entries(const scene::Scene& scene, const model::Model& model,
                                         std::string_view list) {
  std::vector<Entry> entries;
  if (list == "all") {
    for (const step::Method* method : step::methods()) {
      Entry entry{std::string(method->name), method, scene::settings_for(scene, *method)};
      if (method->lacks(model, entry.settings).empty()) entries.push_back(std::move(entry));
    }
    if (entries.empty()) return usage_error("no method of this build can run the scene");
    return entries;
  }
  std::string lacking;
  for (const std::string& text : split(list, ',')) {
    if (text.empty())
      return usage_error("found no name of a method in " + json::quote(list.substr(0, 80)) +
                         ", expected names with commas between them, or all");
    Result<Entry> entry = parse_entry(scene, text);
    if (!entry) return entry.error();
    for (const Entry& other : entries)
      if (other.label == text) return entry_error(text, "is named twice");
    if (const std::vector<std::string> missing = entry->method->lacks(model, entry->settings);
        !missing.empty())
      lacking += (lacking.empty() ? "" : "; ") + text + " lacks " + joined(missing);
    entries.push_back(std::move(*entry));
  }
  if (!lacking.empty()) return usage_error("not every method can run this scene: " + lacking);
  return entries;
}

std::vector<std::string> left_out(const scene::Scene& scene, const model::Model& model) {
  std::vector<std::string> list;
  for (const step::Method* method : step::methods())
    if (const auto missing = method->lacks(model, scene::settings_for(scene, *method)); !missing.empty())
      list.push_back(std::string(method->name) + " lacks " + joined(missing));
  return list;
}

Result<double> parse_seconds(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  if (unit == "ms") value *= 1e-3;
  if (code != std::errc() || (!unit.empty() && unit != "s" && unit != "ms") ||
      !(value > 0 && value <= longest))
    return usage_error("found " + json::quote(text.substr(0, 80)) +
                       ", expected a time such as 1.3, 1.3s or 200ms, more than 0 and at most a day");
  return value;
}

}  // namespace sinew::compare

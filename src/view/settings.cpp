#include "view/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "json/words.h"

namespace sinew::view {
namespace {

constexpr size_t longest = 1000;  // [bytes] of a value
constexpr int min_pixels = 16, max_pixels = 8192;

Error wrong(std::string_view name, std::string_view text, std::string_view expected) {
  return usage_error(fmt::format("--{}: found \"{}\", expected {}", name, text.substr(0, 100), expected));
}

Result<void> any_text(std::string_view) { return {}; }

template <size_t n>
Result<void> one_of(std::string_view name, std::string_view text, const std::string_view (&words)[n]) {
  if (std::find(std::begin(words), std::end(words), text) != std::end(words)) return {};
  return usage_error(fmt::format("--{}: {}", name, json::unknown_word("word", text.substr(0, 100), words)));
}

Result<void> check_range(std::string_view text) {
  if (text == "run" || text == "frame") return {};
  const auto numbers = parse_numbers(text, ':');
  if (numbers && numbers->size() == 2 && (*numbers)[0] < (*numbers)[1]) return {};
  return wrong("range", text, "run, frame, or two numbers A:B with A < B");
}

Result<void> check_camera(std::string_view text) {
  const auto n = parse_numbers(text);
  if (n && (n->size() == 3 || n->size() == 6) && std::abs((*n)[1]) <= 90 && (*n)[2] > 0 && (*n)[2] <= 1e6)
    return {};
  return wrong("camera", text,
               "azimuth,elevation,zoom[,x,y,z] in degrees, the elevation from -90 to 90 and the zoom above 0 "
               "(1 fits the window)");
}

Result<void> check_clip(std::string_view text) {
  const auto n = parse_numbers(text);
  if (n && n->size() == 4 && ((*n)[0] != 0 || (*n)[1] != 0 || (*n)[2] != 0)) return {};
  return wrong("clip", text,
               "a,b,c,d, of which a, b, c are not all 0: what has a x + b y + c z <= d is kept");
}

Result<void> check_style(std::string_view text) {
  constexpr std::string_view words[] = {"surface", "edges", "wire", "points"};
  return one_of("style", text, words);
}

Result<void> check_marks(std::string_view text) {
  constexpr std::string_view words[] = {"contacts", "constraints"};
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (auto ok = one_of("marks", text.substr(begin, end - begin), words); !ok) return ok;
    begin = end + 1;
  }
  return {};
}

Result<void> check_theme(std::string_view text) {
  constexpr std::string_view words[] = {"light", "dark"};
  return one_of("theme", text, words);
}

Result<void> check_up(std::string_view text) {
  constexpr std::string_view words[] = {"y", "z"};
  return one_of("up", text, words);
}

std::optional<int64_t> whole(std::string_view text) {
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

Result<void> check_frame(std::string_view text) {
  if (const auto n = whole(text); n && *n >= 0 && *n < 1'000'000'000) return {};
  return wrong("frame", text, "the number of a frame, from 0 on");
}

std::optional<std::pair<int, int>> parse_size(std::string_view text) {
  const size_t x = text.find('x');
  if (x == std::string_view::npos) return std::nullopt;
  const auto w = whole(text.substr(0, x)), h = whole(text.substr(x + 1));
  if (!w || !h || std::min(*w, *h) < min_pixels || std::max(*w, *h) > max_pixels) return std::nullopt;
  return std::pair(static_cast<int>(*w), static_cast<int>(*h));
}

Result<void> check_size(std::string_view text) {
  if (parse_size(text)) return {};
  return wrong("size", text,
               fmt::format("WxH in pixels, each from {} to {}, such as 1280x800", min_pixels, max_pixels));
}

constexpr SettingSpec specs[] = {
    {"field", "NAME", "Field that gives the colours, such as von_mises; `sinew view` lists them.", any_text},
    {"component", "NAME", "Component of it, such as x, xy or norm.", any_text},
    {"range", "A:B", "Values at the ends of the colours: A:B, frame or run.", check_range},
    {"camera", "A,E,ZOOM", "Azimuth and elevation in degrees, zoom (1 fits), and a target x,y,z if wanted.",
     check_camera},
    {"style", "STYLE", "surface, edges, wire or points.", check_style},
    {"clip", "A,B,C,D", "Keep what has A x + B y + C z <= D.", check_clip},
    {"hide", "NAMES", "Bodies and colliders that are left out, with commas.", any_text},
    {"marks", "KINDS", "contacts, constraints, or both with a comma.", check_marks},
    {"theme", "THEME", "light or dark.", check_theme},
    {"frame", "N", "The frame to begin with.", check_frame},
    {"size", "WxH", "Size in pixels.", check_size},
    {"up", "AXIS", "The axis that points up: y or z.", check_up},
};

size_t place_of(std::string_view name) {
  return static_cast<size_t>(
      std::find_if(std::begin(specs), std::end(specs), [&](const SettingSpec& s) { return s.name == name; }) -
      std::begin(specs));
}

}  // namespace

std::span<const SettingSpec> setting_specs() { return specs; }

std::optional<std::vector<double>> parse_numbers(std::string_view text, char between) {
  std::vector<double> numbers;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(between, begin), text.size());
    double value = 0;
    const auto [stop, code] = std::from_chars(text.data() + begin, text.data() + end, value);
    if (code != std::errc() || stop != text.data() + end || !std::isfinite(value)) return std::nullopt;
    numbers.push_back(value);
    begin = end + 1;
  }
  return numbers;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.~,:").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

Result<void> Settings::set(std::string_view name, std::string_view text) {
  const size_t place = place_of(name);
  if (place == std::size(specs)) {
    std::vector<std::string_view> known;
    for (const SettingSpec& spec : specs) known.push_back(spec.name);
    return usage_error(json::unknown_word("view setting", name, known));
  }
  if (text.empty() || text.size() > longest)
    return wrong(name, text, fmt::format("{} (1 to {} characters)", specs[place].form, longest));
  if (auto ok = specs[place].check(text); !ok) return ok;
  const auto at = std::find_if(values_.begin(), values_.end(),
                               [&](const auto& value) { return place_of(value.first) >= place; });
  if (at != values_.end() && at->first == name)
    at->second = text;
  else
    values_.emplace(at, name, text);
  return {};
}

std::string_view Settings::get(std::string_view name) const {
  for (const auto& [key, value] : values_)
    if (key == name) return value;
  return {};
}

std::string Settings::query() const {
  std::string out;
  for (const auto& [name, value] : values_) out += fmt::format("&{}={}", name, percent_encoded(value));
  return out;
}

json::Json Settings::json() const {
  json::Json json = json::Json::object();
  for (const auto& [name, value] : values_) json.set(name, value);
  return json;
}

std::optional<int64_t> Settings::frame() const { return whole(get("frame")); }

std::pair<int, int> Settings::size() const { return parse_size(get("size")).value_or(std::pair(1280, 800)); }

}  // namespace sinew::view

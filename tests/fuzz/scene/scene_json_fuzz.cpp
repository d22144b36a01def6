// A scene from any text, with little memory allowed and no file within reach. Most mutations keep the text JSON: a value
// is replaced by a troublesome one or by another of the scene, so that what lies behind the parser is reached.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>

#include "scene/scene.h"

namespace scene = sinew::scene;
using sinew::json::Json;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

void collect(Json& json, std::vector<Json*>& all) {
  all.push_back(&json);
  for (size_t i = 0; i < json.size(); ++i) collect(json.item(i), all);
}

Json troublesome(unsigned k) {
  const Json values[] = {
      0,       1,    -1,    2,  3,     0.5, 1e-300,           1e9,          1e17,          1e308, -1e308,
      nullptr, true, false, "", "all", "x", "nothing.at.all", Json::list(), Json::object()};
  return values[k % std::size(values)];
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  const auto pick = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  auto parsed = sinew::json::parse_json({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!parsed || pick(4) == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::vector<Json*> all;
  collect(*parsed, all);
  Json& target = *all[pick(all.size())];
  const Json other = *all[pick(all.size())];
  if (target.is(Json::Kind::object) && pick(2) == 0)
    target.set(other.size() > 0 && other.is(Json::Kind::object) ? other.key(pick(other.size())) : "name",
               other);
  else if (target.is(Json::Kind::list) && pick(2) == 0)
    target.add(other);
  else
    target = pick(2) == 0 ? other : troublesome(static_cast<unsigned>(pick(1000)));
  const std::string text = parsed->compact();
  if (text.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sinew::json::Diagnostics diagnostics("fuzz.json");
  const auto parsed = scene::parse_scene(text, "fuzz.json", "/nonexistent", {}, diagnostics);
  if (!parsed) {
    if (diagnostics.empty()) __builtin_trap();
    return 0;
  }
  const auto built = scene::build(*parsed, diagnostics, {.available_bytes = 4 << 20});
  if (!built && diagnostics.empty()) __builtin_trap();
  if (built) scene::initial_state(*built, {});
  return 0;
}

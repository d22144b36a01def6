// A scene from any text, with little memory allowed and no file within reach.
#include <cstdint>
#include <filesystem>

#include "scene/scene.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace scene = sinew::scene;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  scene::Problems problems("fuzz.json");
  const auto parsed = scene::parse_scene(text, "fuzz.json", "/nonexistent", {}, problems);
  if (!parsed) {
    if (problems.empty()) __builtin_trap();
    return 0;
  }
  const auto built = scene::build(*parsed, problems, {.available_bytes = 4 << 20});
  if (!built && problems.empty()) __builtin_trap();
  if (built) scene::initial_state(*built, {});
  return 0;
}

// A study from any text, and the first samples of what is sound: parameters lie in their ranges, points
// in the unit cube.
#include <cstdint>

#include "batch/study.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinew::batch;
  sinew::json::Diagnostics diagnostics("fuzz.json");
  const auto study =
      parse_study({reinterpret_cast<const char*>(data), size}, "fuzz.json", "/nonexistent", diagnostics);
  if (!study) {
    if (diagnostics.empty()) __builtin_trap();
    return 0;
  }
  for (int64_t i = 0; i < study->samples && i < 8; ++i) {
    const std::vector<double> parameters = study->parameters(i);
    std::vector<std::string> overrides;
    for (size_t k = 0; k < parameters.size(); ++k) {
      if (!study->vary[k].contains(parameters[k])) __builtin_trap();
      study->vary[k].override_scene(parameters[k], overrides);
    }
    for (const double u : study->point(i))
      if (!(u >= 0 && u <= 1)) __builtin_trap();
    study->held_out(i);
  }
  for (const Variable& v : study->vary)
    for (const double corner : v.corners())
      if (!v.contains(corner)) __builtin_trap();
  return 0;
}

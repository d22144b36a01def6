#include "batch_part.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace sinew::cli {

Result<Part> part_of(const std::string& text) {
  const auto number = [](std::string_view word, int64_t& out) {
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), out);
    return code == std::errc() && end == word.data() + word.size();
  };
  Part part;
  if (text.empty()) return part;
  if (text == "auto") {
    int64_t id = 0, first = 0, step = 1, count = 0;
    const auto variable = [&](const char* name, int64_t& out) {
      const char* value = std::getenv(name);
      return value && number(value, out);
    };
    if (!variable("SLURM_ARRAY_TASK_ID", id) || !variable("SLURM_ARRAY_TASK_COUNT", count) ||
        !variable("SLURM_ARRAY_TASK_MIN", first))
      return usage_error(
          "--shard auto: no SLURM_ARRAY_TASK_ID, _COUNT and _MIN here, expected a task of a Slurm job "
          "array; or name the part as --shard i/N");
    variable("SLURM_ARRAY_TASK_STEP", step);
    part = {(id - first) / std::max<int64_t>(step, 1), count};
  } else {
    const size_t slash = text.find('/');
    if (slash == std::string::npos || !number(std::string_view(text).substr(0, slash), part.part) ||
        !number(std::string_view(text).substr(slash + 1), part.parts))
      return usage_error(fmt::format("--shard: found \"{}\", expected i/N with 0 <= i < N, or auto", text));
  }
  if (part.part < 0 || part.part >= part.parts || part.parts > 1000000)
    return usage_error(
        fmt::format("--shard: found part {} of {}, expected 0 <= i < N", part.part, part.parts));
  return part;
}

}  // namespace sinew::cli

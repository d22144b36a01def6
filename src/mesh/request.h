#pragma once
// Checks on a request for a built-in shape, made before anything is allocated.
//
//     if (auto ok = first_error({check_length("ball", "radius", r), check_size("ball", size, bytes)}); !ok) ...
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>

#include "base/result.h"
#include "mesh/split.h"

namespace sinew::mesh {

inline Result<void> check_length(const char* shape, const char* name, double value) {
  if (std::isfinite(value) && value > 0) return {};
  return usage_error(fmt::format("{}: {} is {}, expected a positive length [m]", shape, name, value));
}

inline Result<void> check_cells(const char* shape, const char* name, int32_t value, int32_t least) {
  if (value >= least) return {};
  return usage_error(fmt::format("{}: {} is {}, expected at least {}", shape, name, value, least));
}

// `small` must stay below `large`: the radii of a hollow shape or of a ring.
inline Result<void> check_below(const char* shape, const char* small_name, double small,
                                const char* large_name, double large) {
  if (small < large) return {};
  return usage_error(
      fmt::format("{}: {} radius {} is not below {} radius {}", shape, small_name, small, large_name, large));
}

inline Result<void> check_size(const char* shape, const SplitSize& size, int64_t max_bytes) {
  constexpr double most = std::numeric_limits<int32_t>::max();
  if (size.nodes <= most && size.tets <= most && size.bytes <= static_cast<double>(max_bytes)) return {};
  return usage_error(
      fmt::format("{}: about {:.4g} nodes and {:.4g} tets need {:.4g} bytes; at most {} bytes are available "
                  "and an id counts to {}",
                  shape, size.nodes, size.tets, size.bytes, max_bytes, std::numeric_limits<int32_t>::max()));
}

inline Result<void> first_error(std::initializer_list<Result<void>> checks) {
  for (const auto& check : checks)
    if (!check) return check.error();
  return {};
}

}  // namespace sinew::mesh

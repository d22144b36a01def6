#pragma once
// Values of options that hold several: words with commas, ranges of frames.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::cli {

// "a,b" -> a, b; empty words are left out.
std::vector<std::string> split_words(std::string_view text);

// "A:B" or "A:B:STEP", where A and B may be left out: -1. Nothing: not of that form, or a number that is negative
// or a step of 0.
struct Range {
  int64_t first = -1, last = -1, step = 1;
};
std::optional<Range> parse_range(std::string_view text);

}  // namespace sinew::cli

#include "lists.h"

#include <algorithm>
#include <charconv>

namespace sinew::cli {

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::optional<Range> parse_range(std::string_view text) {
  Range range;
  int64_t* const parts[] = {&range.first, &range.last, &range.step};
  int count = 0;
  for (size_t begin = 0; begin <= text.size(); ++count) {
    const size_t end = std::min(text.find(':', begin), text.size());
    if (count == 3) return std::nullopt;
    if (end > begin) {
      const auto [at, code] = std::from_chars(text.data() + begin, text.data() + end, *parts[count]);
      if (code != std::errc() || at != text.data() + end || *parts[count] < 0) return std::nullopt;
    }
    begin = end + 1;
  }
  if (count < 2 || range.step < 1) return std::nullopt;
  return range;
}

}  // namespace sinew::cli

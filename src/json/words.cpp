#include "json/words.h"

#include <algorithm>
#include <vector>

#include "json/json.h"

namespace sinew::json {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> words) {
  if (word.empty() || word.size() > 64) return {};
  std::string_view best;
  int distance = std::max<int>(1, static_cast<int>(word.size()) / 3) + 1;
  for (std::string_view candidate : words)
    if (const int d = edit_distance(word, candidate); d < distance) {
      distance = d;
      best = candidate;
    }
  if (!best.empty() || word.size() < 3) return best;
  // A shortened or prolonged word.
  for (std::string_view candidate : words)
    if (candidate.starts_with(word) || (candidate.size() >= 3 && word.starts_with(candidate)))
      return candidate;
  return {};
}

std::string unknown_word(std::string_view what, std::string_view word,
                         std::span<const std::string_view> words) {
  std::string text = "unknown " + std::string(what) + " " + quote(word.substr(0, 80));
  if (words.empty()) return text + "; there are none";
  if (const std::string_view near = nearest_word(word, words); !near.empty())
    return text + "; did you mean " + quote(near) + "?";
  text += "; expected one of";
  for (size_t i = 0; i < words.size() && i < 24; ++i) text += (i ? ", " : " ") + std::string(words[i]);
  return words.size() > 24 ? text + ", ..." : text;
}

}  // namespace sinew::json

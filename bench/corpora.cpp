#include "bench/corpora.h"

#include <algorithm>
#include <ctime>

namespace sinew::bench {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<size_t> chosen(const Options& options, const std::vector<std::string>& names) {
  std::vector<size_t> list;
  int64_t matching = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!std::all_of(options.only.begin(), options.only.end(),
                     [&](const std::string& text) { return names[i].find(text) != std::string::npos; }))
      continue;
    if (matching >= options.first && (matching - options.first) % options.every == 0) list.push_back(i);
    ++matching;
  }
  return list;
}

}  // namespace sinew::bench

#pragma once
// What the benchmarks of a corpus have in common: which of its cases are run and how long each may take.
//
//     for_each_chosen(options, verify::corpus(folders), [&](const auto& one, const Control& control) { ... });
#include "base/control.h"
#include "bench/bench.h"

namespace sinew::bench {

constexpr const char* over_budget = "over its budget";

double cpu_seconds();  // of all threads of this process

// The numbers of the cases that the options choose by their names.
std::vector<size_t> chosen(const Options& options, const std::vector<std::string>& names);

// The control is cancelled where a case takes more than its budget of CPU time, which does not depend on what else runs.
template <class One, class F>
void for_each_chosen(const Options& options, const std::vector<One>& cases, const F& f) {
  std::vector<std::string> names;
  for (const One& one : cases) names.push_back(one.name());
  const std::vector<size_t> list = chosen(options, names);
  for (size_t n = 0; n < list.size(); ++n) {
    if (options.progress)
      options.progress(static_cast<double>(n) / static_cast<double>(list.size()), names[list[n]]);
    const double end = cpu_seconds() + options.budget;
    Cancel cancel;
    f(cases[list[n]], Control{&cancel, [&](double) {
                                if (options.budget > 0 && cpu_seconds() > end) cancel.request();
                              }});
  }
}

}  // namespace sinew::bench

#include "verify/problem.h"

#include <algorithm>
#include <cmath>

namespace sinew::verify {

std::vector<const Problem*> problems_by_id() {
  std::vector<const Problem*> sorted(problems().begin(), problems().end());
  std::sort(sorted.begin(), sorted.end(), [](const Problem* a, const Problem* b) { return a->id < b->id; });
  return sorted;
}

const Problem* find_problem(std::string_view id) {
  for (const Problem* problem : problems())
    if (problem->id == id) return problem;
  return nullptr;
}

void Checks::add(std::string_view id, std::string_view what, double result, double reference,
                 double tolerance, bool relative) {
  Check check{problem_ + "." + std::string(id),
              std::string(what),
              reference,
              result,
              0,
              tolerance,
              relative,
              false,
              source_};
  check.error = std::abs(result - reference) / (relative ? std::abs(reference) : 1);
  check.ok = check.error <= tolerance;  // false for NaN
  outcome_.checks.push_back(std::move(check));
}

void Checks::series(std::string_view label, std::string_view x_label, std::vector<double> x,
                    const std::vector<double>& values, double reference, double order) {
  Series series{std::string(label), std::string(x_label), std::move(x), {}, order};
  for (double value : values) series.y.push_back(std::abs(value - reference) / std::abs(reference));
  add(std::move(series));
}

}  // namespace sinew::verify

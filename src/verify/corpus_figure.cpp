#include "verify/corpus_figure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sinew::verify {

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<ptrdiff_t>(std::clamp<size_t>(rank, 1, values.size()) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void CorpusFigure::add(const CorpusCase& each, const CorpusOutcome& outcome) {
  const std::pair<const char*, std::string> classes[kinds] = {{"load ", each.load},
                                                              {"grip ", each.grip},
                                                              {"law ", each.law},
                                                              {"nu ", fmt::format("{}", each.poisson)},
                                                              {"elements ", each.elements},
                                                              {"body ", each.body},
                                                              {"all", ""}};
  for (size_t k = 0; k < kinds; ++k) {
    const auto& [kind, value] = classes[k];
    CorpusClass& row = classes_[k][value];
    row.name = kind + value;
    row.solved += outcome.solved();
    row.seconds.push_back(outcome.seconds);
    if (outcome.solved())
      row.per_increment.push_back(static_cast<double>(outcome.report.iterations) /
                                  std::max(outcome.report.increments, 1));
  }
  if (!outcome.solved()) failures_.emplace_back(each.name(), outcome.reason);
}

std::vector<CorpusClass> CorpusFigure::classes() const {
  std::vector<CorpusClass> list;
  for (const auto& kind : classes_)
    for (const auto& [value, row] : kind) list.push_back(row);
  return list;
}

}  // namespace sinew::verify

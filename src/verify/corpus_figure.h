#pragma once
// What the runs of a corpus come to: how many were solved, in how many iterations and seconds, by class.
//
//     CorpusFigure figure;
//     for (const CorpusCase& each : cases) figure.add(each, solve(each, method, control));
//     for (const CorpusClass& row : figure.classes()) ...
#include <map>

#include "verify/corpus.h"

namespace sinew::verify {

// The smallest of the values that at least this share of them do not exceed; 0 where there is none.
double quantile(std::vector<double> values, double share);

struct CorpusClass {
  std::string name;  // "load twist", "nu 0.49"; "all"
  int64_t solved = 0;
  std::vector<double> per_increment;  // iterations, of the runs that were solved
  std::vector<double> seconds;        // of all runs

  int64_t runs() const { return static_cast<int64_t>(seconds.size()); }
};

class CorpusFigure {
 public:
  void add(const CorpusCase& each, const CorpusOutcome& outcome);
  // By load, grip, law, Poisson's ratio, kind of elements and body, each in ascending order; all runs last.
  std::vector<CorpusClass> classes() const;
  // Name and reason of each run that was not solved.
  const std::vector<std::pair<std::string, std::string>>& failures() const { return failures_; }

 private:
  static constexpr size_t kinds = 7;
  std::map<std::string, CorpusClass> classes_[kinds];  // by value
  std::vector<std::pair<std::string, std::string>> failures_;
};

}  // namespace sinew::verify

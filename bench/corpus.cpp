// The corpus of equilibria (verify/corpus.h): which are found, in how many iterations and seconds.
#include "verify/corpus.h"

#include <algorithm>
#include <atomic>
#include <map>

#include "base/parallel.h"
#include "bench/bench.h"

namespace sinew::bench {

namespace {

// The value that a share of them do not exceed.
double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
}

struct Tally {
  int64_t cases = 0, solved = 0;
  std::vector<double> per_increment, seconds;

  void note(const verify::CorpusOutcome& outcome) {
    ++cases;
    solved += outcome.solved();
    seconds.push_back(outcome.seconds);
    if (outcome.solved())
      per_increment.push_back(static_cast<double>(outcome.report.iterations) /
                              std::max(outcome.report.increments, 1));
  }
  json::Json row(const std::string& what) const {
    json::Json row = json::Json::object();
    row.set("case", "corpus");
    row.set("what", what);
    row.set("runs", cases);
    row.set("solved", solved);
    row.set("newton_per_increment_median", quantile(per_increment, 0.5));
    row.set("newton_per_increment_95", quantile(per_increment, 0.95));
    row.set("seconds_median", quantile(seconds, 0.5));
    row.set("seconds_95", quantile(seconds, 0.95));
    row.set("seconds", quantile(seconds, 1));
    row.set("unit", "run, at most");
    return row;
  }
};

}  // namespace

void run_corpus(const Options& options, const Emit& emit) {
  const auto cases = verify::corpus({options.examples, options.examples / "../../shared/data"});
  const step::Method& newton = *step::find_method("newton");
  set_thread_count(options.threads.back());
  Tally all;
  std::map<std::string, Tally> by_load, by_body;
  for (const verify::CorpusCase& each : cases) {
    const verify::CorpusOutcome outcome = verify::solve(each, newton, {});
    all.note(outcome);
    by_load[each.load].note(outcome);
    by_body[each.body].note(outcome);
    json::Json row = json::Json::object();
    row.set("case", "corpus");
    row.set("what", each.name());
    row.set("tets", outcome.tets);
    row.set("increments", outcome.report.increments);
    row.set("iterations", outcome.report.iterations);
    row.set("inverted", outcome.report.inverted);
    row.set("seconds", outcome.seconds);
    row.set("unit", "run");
    row.set("reason", outcome.reason);
    emit(row);
  }
  for (const auto& [name, tally] : by_load) emit(tally.row("load " + name));
  for (const auto& [name, tally] : by_body) emit(tally.row("body " + name));
  emit(all.row("all"));
}

}  // namespace sinew::bench

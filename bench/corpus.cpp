// The corpus of equilibria (verify/corpus.h): which are found, in how many iterations and seconds, and why others are not.
#include "base/parallel.h"
#include "bench/corpora.h"
#include "verify/corpus_figure.h"

namespace sinew::bench {

namespace {

using json::Json;

Json row_of(const std::string& what) {
  Json row = Json::object();
  row.set("case", "corpus");
  row.set("what", what);
  return row;
}

Json row_of(const verify::CorpusCase& each, const verify::CorpusOutcome& outcome) {
  Json row = row_of(each.name());
  row.set("tets", outcome.tets);
  row.set("increments", outcome.report.increments);
  row.set("iterations", outcome.report.iterations);
  row.set("inverted", outcome.report.inverted);
  row.set("seconds", outcome.seconds);
  row.set("unit", "run");
  Json notes = Json::list();
  for (const std::string& note : outcome.report.notes) notes.add(note);
  row.set("notes", std::move(notes));
  row.set("reason", outcome.reason);
  return row;
}

Json row_of(const verify::CorpusClass& each) {
  Json row = row_of(each.name);
  row.set("runs", each.runs());
  row.set("solved", each.solved);
  row.set("share", static_cast<double>(each.solved) / static_cast<double>(each.runs()));
  row.set("newton_per_increment_median", verify::quantile(each.per_increment, 0.5));
  row.set("newton_per_increment_95", verify::quantile(each.per_increment, 0.95));
  row.set("seconds_median", verify::quantile(each.seconds, 0.5));
  row.set("seconds_95", verify::quantile(each.seconds, 0.95));
  row.set("seconds", verify::quantile(each.seconds, 1));
  row.set("unit", "run, at most");
  return row;
}

}  // namespace

void run_corpus(const Options& options, const Emit& emit) {
  const step::Method& newton = *step::find_method("newton");
  set_thread_count(options.threads.back());
  verify::CorpusFigure figure;
  const std::vector<verify::CorpusCase> cases =
      verify::corpus({options.examples, options.examples / "../../shared/data"});
  for_each_chosen(options, cases, [&](const verify::CorpusCase& each, const Control& control) {
    verify::CorpusOutcome outcome = verify::solve(each, newton, control);
    if (outcome.report.status == step::StepStatus::cancelled) outcome.reason = over_budget;
    figure.add(each, outcome);
    emit(row_of(each, outcome));
  });
  for (const auto& [name, reason] : figure.failures()) {
    Json row = row_of("not solved: " + name);
    row.set("reason", reason);
    emit(row);
  }
  for (const verify::CorpusClass& each : figure.classes()) emit(row_of(each));
}

}  // namespace sinew::bench

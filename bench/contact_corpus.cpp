// The corpus of contact scenes (verify/contact_corpus.h): which converge without a crossing, in how many iterations and seconds.
#include "verify/contact_corpus.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/parallel.h"
#include "bench/corpora.h"
#include "verify/corpus_figure.h"

namespace sinew::bench {

namespace {

using verify::ContactCase;
using verify::ContactOutcome;
using verify::quantile;

struct Tally {
  int64_t cases = 0, good = 0, converged = 0;
  int most = 0;
  std::vector<double> per_step, cpu_seconds;  // iterations a step; a frame

  void note(const ContactOutcome& outcome) {
    ++cases;
    good += outcome.good();
    converged += outcome.status == step::StepStatus::converged;
    most = std::max(most, outcome.most_iterations());
    per_step.insert(per_step.end(), outcome.per_step.begin(), outcome.per_step.end());
    if (outcome.frames > 0) cpu_seconds.push_back(outcome.cpu_seconds / outcome.frames);
  }
  json::Json row(const std::string& what) const {
    json::Json row = json::Json::object();
    row.set("case", "contact_corpus");
    row.set("what", what);
    row.set("runs", cases);
    row.set("converged", converged);
    row.set("good", good);
    row.set("iterations_median", quantile(per_step, 0.5));
    row.set("iterations_95", quantile(per_step, 0.95));
    row.set("iterations_most", most);
    row.set("cpu_seconds_median", quantile(cpu_seconds, 0.5));
    row.set("cpu_seconds_95", quantile(cpu_seconds, 0.95));
    row.set("unit", "frame");
    return row;
  }
  std::string line(const std::string& what) const {
    return fmt::format(
        "| {:<16} | {:>4} | {:>9} | {:>5.1f} % | {:>6} | {:>5} | {:>5} | {:>8.2g} | {:>8.2g} |", what, cases,
        converged, 100.0 * static_cast<double>(good) / static_cast<double>(cases), quantile(per_step, 0.5),
        quantile(per_step, 0.95), most, quantile(cpu_seconds, 0.5), quantile(cpu_seconds, 0.95));
  }
};

json::Json row_of(const ContactCase& each, const ContactOutcome& outcome) {
  json::Json row = json::Json::object();
  row.set("case", "contact_corpus");
  row.set("what", each.name());
  row.set("tets", outcome.tets);
  row.set("status", step::name_of(outcome.status));
  row.set("frames", outcome.frames);
  row.set("iterations", outcome.iterations());
  row.set("iterations_most", outcome.most_iterations());
  row.set("crossings", outcome.crossings);
  row.set("meeting_at_start", outcome.meeting_at_start);
  row.set("inverted", outcome.inverted);
  row.set("penetration_edge", outcome.penetration);
  row.set("response", outcome.barrier ? "barrier" : "penalty");
  row.set("seconds", outcome.seconds / std::max(outcome.frames, 1));
  row.set("cpu_seconds", outcome.cpu_seconds / std::max(outcome.frames, 1));
  row.set("unit", "frame");
  row.set("reason", outcome.reason);
  return row;
}

}  // namespace

void run_contact_corpus(const Options& options, const Emit& emit) {
  set_thread_count(options.threads.back());
  Tally all;
  std::map<std::string, Tally> parts[5];  // by each factor
  std::string failures;
  const auto cases = verify::contact_corpus({{}, options.examples / "../../shared/data"});
  for_each_chosen(options, cases, [&](const ContactCase& each, const Control& control) {
    ContactOutcome outcome = verify::run(each, control);
    if (outcome.status == step::StepStatus::cancelled) {
      outcome.status = step::StepStatus::failed;
      outcome.reason = fmt::format("frame {}: {}", outcome.frames + 1, over_budget);
    }
    all.note(outcome);
    const verify::ContactSetting& setting = each.setting;
    const std::string factors[] = {each.motion, each.body, fmt::format("step 1/{:.0f} s", 1 / setting.step),
                                   fmt::format("friction {}", setting.friction),
                                   fmt::format("nu {}", setting.poisson)};
    for (size_t i = 0; i < std::size(factors); ++i) parts[i][factors[i]].note(outcome);
    if (!outcome.good())
      failures += fmt::format("  {}: {}, {} crossings; {}\n", each.name(), step::name_of(outcome.status),
                              outcome.crossings, outcome.reason);
    emit(row_of(each, outcome));
  });
  if (all.cases == 0) return;
  const auto say = [&](const std::string& text) {
    if (options.say) options.say(text);
  };
  say("\n|                  | runs | converged | good    | median |  95 % |  most | s median |   s 95 % |\n"
      "|------------------|------|-----------|---------|--------|-------|-------|----------|----------|");
  for (const auto& part : parts)
    for (const auto& [name, tally] : part) say(tally.line(name));
  say(all.line("all"));
  say("good: all frames converged, nothing crosses at the end that did not at the start; iterations a step; "
      "CPU seconds a frame");
  if (!failures.empty()) say("\nNot good:\n" + failures);
  if (options.say) return;
  for (const auto& part : parts)
    for (const auto& [name, tally] : part) emit(tally.row(name));
  emit(all.row("all"));
}

}  // namespace sinew::bench

// sinew bench: the performance cases of the folder bench/.
#include "bench/bench.h"

#include <cmath>
#include <fmt/format.h>

#include "base/parallel.h"
#include "command.h"
#include "examples.h"
#include "print.h"
#include "progress_bar.h"

namespace sinew::cli {

namespace {

struct BenchArguments {
  std::string name;
  bool json = false;
  double threads = 0;
  double repeats = 5;
  std::vector<std::string> only;
  double every = 1, first = 0, budget = 0;

  bool choose() const { return !only.empty() || every > 1 || first > 0 || budget > 0; }
};

// "tets 148955  threads 1  seconds 0.41": the same keys as the JSON, for a person.
std::string line_of(const json::Json& row) {
  std::string line;
  for (size_t i = 0; i < row.size(); ++i) {
    const json::Json& value = row.item(i);
    const bool number = value.is(json::Json::Kind::number);
    line += fmt::format("{}{} {}", i ? "  " : "", row.key(i),
                        number                             ? fmt::format("{:.6g}", value.number())
                        : value.is(json::Json::Kind::text) ? value.text()
                                                           : value.compact());
  }
  return line;
}

int bench(const BenchArguments& arguments) {
  if (bench::cases().empty())
    return complain({ErrorKind::not_built_in,
                     {},
                     {},
                     "this tool was built without benchmarks; ./dev bench builds it with them"});
  bench::Options options;
  options.repeats = static_cast<int>(arguments.repeats);
  options.examples = examples_folder();
  if (arguments.threads > 0) options.threads = {static_cast<int>(arguments.threads)};
  options.only = arguments.only;
  options.every = static_cast<int64_t>(arguments.every);
  options.first = static_cast<int64_t>(arguments.first);
  options.budget = arguments.budget;
  ProgressBar bar(false);
  const auto print = [&](const std::string& text) {
    bar.end();
    fmt::print("{}\n", text);
    std::fflush(stdout);
  };
  options.progress = [&](double done, const std::string& next) { bar.show(done, next); };
  if (!arguments.json) options.say = print;
  bool found = false;
  for (const bench::Case& one : bench::cases()) {
    if (!arguments.name.empty() && one.name != arguments.name) continue;
    if (arguments.choose() && !one.corpus)
      return complain(usage_error(fmt::format(
          "--only, --every, --first and --budget are for a corpus, and \"{}\" is none", one.name)));
    found = true;
    bool any = false;
    one.run(options, [&](const json::Json& row) {
      any = true;
      print(arguments.json ? row.compact() : line_of(row));
    });
    if (!any && one.corpus)
      return complain(
          usage_error(fmt::format("no case of \"{}\" is chosen by --only and --first", one.name)));
  }
  if (found) return exit_done;
  std::string names;
  for (const bench::Case& one : bench::cases()) names += fmt::format("\n  {:14} {}", one.name, one.doc);
  return complain(
      usage_error(fmt::format("no benchmark is called \"{}\"; there are:{}", arguments.name, names)));
}

}  // namespace

const Command& command_bench() {
  static const Command command = {
      "bench", "Measures this build on this machine.", [](Arguments& arguments) -> Action {
        auto values = std::make_shared<BenchArguments>();
        arguments.positional(values->name, "CASE", "Which case; all without one.", false);
        arguments.flag(values->json, "--json", "One JSON object per measurement.");
        arguments.option(values->threads, "--threads", "N", "Threads; 1 and 2 without it.", 1, 256);
        arguments.option(values->repeats, "--repeats", "N", "Runs of which the median is taken.", 1, 1000);
        arguments.option(values->only, "--only", "TEXT", "Of a corpus: cases with this text in their names.");
        arguments.option(values->every, "--every", "N", "Of a corpus: one case in so many.", 1, 1e6);
        arguments.option(values->first, "--first", "N", "Of a corpus: from this case on, counted from 0.", 0,
                         1e6);
        arguments.option(values->budget, "--budget", "SECONDS",
                         "Of a corpus: a case that takes more CPU time ends as failed; 0: none does.", 0,
                         1e6);
        std::string names = "Cases:";
        for (const bench::Case& one : bench::cases()) names += fmt::format("\n  {:14} {}", one.name, one.doc);
        arguments.footer(names);
        return [values] { return bench(*values); };
      }};
  return command;
}

}  // namespace sinew::cli

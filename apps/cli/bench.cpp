// sinew bench: the performance cases of the folder bench/.
#include "bench/bench.h"

#include <cmath>
#include <fmt/format.h>

#include "base/parallel.h"
#include "command.h"
#include "examples.h"
#include "print.h"

namespace sinew::cli {

namespace {

struct BenchArguments {
  std::string name;
  bool json = false;
  double threads = 0;
  double repeats = 5;
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
  bool found = false;
  for (const bench::Case& one : bench::cases()) {
    if (!arguments.name.empty() && one.name != arguments.name) continue;
    found = true;
    one.run(options, [&](const json::Json& row) {
      fmt::print("{}\n", arguments.json ? row.compact() : line_of(row));
      std::fflush(stdout);
    });
  }
  if (found) return exit_done;
  std::string names;
  for (const bench::Case& one : bench::cases()) names += fmt::format("\n  {:10} {}", one.name, one.doc);
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
        std::string names = "Cases:";
        for (const bench::Case& one : bench::cases()) names += fmt::format("\n  {:10} {}", one.name, one.doc);
        arguments.footer(names);
        return [values] { return bench(*values); };
      }};
  return command;
}

}  // namespace sinew::cli

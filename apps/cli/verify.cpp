// sinew verify: the verification problems on this build.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "command.h"
#include "io/file.h"
#include "json/json.h"
#include "json/words.h"
#include "print.h"
#include "signals.h"
#include "verify/page.h"

namespace sinew::cli {
namespace {

struct Options {
  std::vector<std::string> ids;
  bool json = false;
  std::string page;  // folder; empty: none
};

json::Json to_json(const verify::Check& check, const verify::Problem& problem) {
  json::Json json = json::Json::object();
  json.set("id", check.id);
  json.set("problem", problem.id);
  json.set("what", check.what);
  json.set("reference", check.reference);
  json.set("result", check.result);
  json.set("error", check.error);
  json.set("relative", check.relative);
  json.set("tolerance", check.tolerance);
  json.set("ok", check.ok);
  json.set("source", check.source);
  return json;
}

void print_check(const verify::Check& check) {
  fmt::print("  {} {:<44} result {:<14.8g} reference {:<14.8g} error {:.2e} of {:.2g}{}\n",
             check.ok ? "ok  " : "FAIL", check.id, check.result, check.reference, check.error,
             check.tolerance, check.relative ? "" : " (absolute)");
}

int write_page(const std::string& folder, std::span<const verify::Entry> results) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (const verify::PageFile& file : verify::make_page(results))
    if (auto written = io::write_atomically((std::filesystem::path(folder) / file.name).string(), file.bytes);
        !written)
      return complain(written.error());
  return exit_done;
}

int verify_all(const Options& options) {
  std::vector<const verify::Problem*> chosen;
  std::vector<std::string_view> known;
  for (const verify::Problem* problem : verify::problems_by_id()) known.push_back(problem->id);
  for (const std::string& id : options.ids)
    if (const verify::Problem* problem = verify::find_problem(id))
      chosen.push_back(problem);
    else
      return complain(usage_error(json::unknown_word("problem", id, known)));
  if (options.ids.empty()) chosen = verify::problems_by_id();

  const Cancel& cancel = cancel_on_signals();
  const Control control{&cancel, {}};
  int checks = 0, failed = 0;
  std::vector<verify::Entry> results;
  for (const verify::Problem* problem : chosen) {
    if (!options.json) {
      fmt::print("{} {}\n", problem->id, problem->title);
      std::fflush(stdout);
    }
    results.push_back({problem, problem->run(control)});
    for (const verify::Check& check : results.back().outcome.checks) {
      ++checks;
      failed += !check.ok;
      if (options.json)
        fmt::print("{}\n", to_json(check, *problem).compact());
      else
        print_check(check);
    }
    if (cancel.requested()) return exit_interrupted;
    if (!options.json) fmt::print("     reference: {}\n", problem->source);
    std::fflush(stdout);
  }
  if (!options.json)
    fmt::print("{} of {} checks in {} problems are within their tolerance\n", checks - failed, checks,
               chosen.size());
  if (!options.page.empty())
    if (const int code = write_page(options.page, results); code != exit_done) return code;
  return failed == 0 ? exit_done : exit_failed_check;
}

}  // namespace

const Command& command_verify() {
  static const Command command = {
      "verify", "Solve problems with known answers and compare.", [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positionals(o->ids, "IDS", "Problems such as V01; all by default.");
        arguments.flag(o->json, "--json", "Print one JSON object for each check.");
        arguments.option(o->page, "--page", "FOLDER",
                         "Write the results as FOLDER/README.md, with plots beside it.");
        arguments.threads();
        arguments.footer("Exits with 1 if a result is not within its tolerance.\n");
        return [o] { return verify_all(*o); };
      }};
  return command;
}

}  // namespace sinew::cli

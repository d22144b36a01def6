// sinew report: the page of a run, written anew.
#include "report/report.h"

#include <filesystem>
#include <fmt/format.h>

#include "command.h"
#include "print.h"

namespace sinew::cli {

const Command& command_report() {
  struct Options {
    std::string run, file;
  };
  static const Command command = {
      "report", "Write report.html of a run: how it ended, curves, pictures.",
      [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->run, "RUN", "Folder of a run.");
        arguments.option(o->file, "-o,--output", "FILE", "The page; RUN/report.html by default.");
        arguments.footer(
            "`sinew run` writes the same page at its end. It needs no other file and no network.\n");
        return [o]() -> int {
          const std::filesystem::path run = o->run;
          const std::filesystem::path file =
              o->file.empty() ? run / report::report_file : std::filesystem::path(o->file);
          if (auto written = report::write_report(run, file); !written) return complain(written.error());
          fmt::print("{}\n", file.string());
          return exit_done;
        };
      }};
  return command;
}

}  // namespace sinew::cli

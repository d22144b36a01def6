// The command line: finds the subcommand, reads its arguments, runs it. CLI11 is only seen here.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <new>
#include <system_error>

#include "base/machine.h"
#include "base/parallel.h"
#include "command.h"
#include "json/words.h"
#include "print.h"

namespace sinew::cli {

namespace {

std::vector<std::string> given;

std::string usage_footer() {
  return "Exit codes: 0 done, 1 an expectation was not met or a difference was found, 2 wrong command line "
         "or scene,\n"
         "3 did not converge (output is written), 4 a file cannot be read or written, or out of memory,\n"
         "5 not built in, 130 interrupted after a checkpoint.\n";
}

// "unknown command" with the nearest one, before CLI11 gives up on the word.
bool known_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-' || argv[1][0] == '\0') return true;
  std::vector<std::string_view> names;
  for (const Command* command : commands()) names.push_back(command->name);
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return true;
  complain(usage_error(json::unknown_word("command", argv[1], names)));
  hint("`sinew --help` lists the commands.");
  return false;
}

// The message of a wrong command line, with the nearest option for one that does not exist.
void complain_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* at = &app;
  for (const CLI::App* sub : app.get_subcommands()) at = sub;
  if (const auto extras = at->remaining(); !extras.empty() && extras[0].starts_with("-")) {
    std::vector<std::string> names;
    for (const CLI::Option* option : at->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back(fmt::format("--{}", name));
    const std::vector<std::string_view> words(names.begin(), names.end());
    complain(usage_error(json::unknown_word("option", extras[0], words)));
  } else {
    complain(usage_error(error.what()));
  }
  hint(at == &app ? "`sinew --help` lists the commands."
                  : fmt::format("`sinew {} --help` shows its arguments.", at->get_name()));
}

}  // namespace

std::vector<std::string> command_line() { return given; }

void Arguments::positional(std::string& value, const std::string& name, const std::string& doc,
                           bool required) {
  CLI::Option* option = app_.add_option(name, value, doc);
  option->type_name("")->option_text(" ");
  if (required) option->required();
}

void Arguments::positionals(std::vector<std::string>& values, const std::string& name,
                            const std::string& doc) {
  app_.add_option(name, values, doc)->type_name("")->option_text(" ");
}

void Arguments::flag(bool& value, const std::string& flags, const std::string& doc) {
  app_.add_flag(flags, value, doc);
}

void Arguments::option(std::string& value, const std::string& flags, const std::string& name,
                       const std::string& doc) {
  app_.add_option(flags, value, doc)->option_text(name);
}

void Arguments::option(std::vector<std::string>& values, const std::string& flags, const std::string& name,
                       const std::string& doc) {
  app_.add_option(flags, values, doc)->option_text(name)->allow_extra_args(false);
}

void Arguments::option(double& value, const std::string& flags, const std::string& name,
                       const std::string& doc, double min, double max) {
  app_.add_option(flags, value, doc)->option_text(name)->check(CLI::Range(min, max));
}

void Arguments::threads() {
  app_.add_option_function<int>(
          "--threads", [](const int& count) { set_thread_count(count); },
          "Threads; all cores by default. The result is the same for any number.")
      ->option_text("N")
      ->check(CLI::Range(1, 256));
}

void Arguments::footer(const std::string& text) { app_.footer(text); }

int run_command(int argc, char** argv) {
  given.assign(argv, argv + argc);
  if (!known_command(argc, argv)) return exit_usage;
  CLI::App app("Simulates elastic solids from a scene file.", "sinew");
  app.set_version_flag("--version", "sinew " + std::string(build_info().version));
  app.footer(usage_footer());
  app.require_subcommand(0, 1);
  Action chosen;
  for (const Command* command : commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command->name), std::string(command->doc));
    Arguments arguments(*sub);
    Action action = command->prepare(arguments);
    sub->final_callback([&chosen, action = std::move(action)] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    complain_usage(app, error);
    return exit_usage;
  }
  if (!chosen) {
    say(app.help());
    return exit_usage;
  }
  const int code = chosen();
  // The output must have arrived: the disk behind stdout may be full.
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
  return code;
}

}  // namespace sinew::cli

int main(int argc, char** argv) {
  try {
    return sinew::cli::run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory\n", stderr);  // without an allocation that could fail again
    return sinew::cli::exit_io;
  } catch (const std::system_error& error) {  // of fmt::print
    return sinew::cli::complain(
        sinew::io_error("standard output", "cannot write: " + error.code().message()));
  }
}

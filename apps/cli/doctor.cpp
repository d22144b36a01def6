// sinew doctor: what this build and this machine have, what is missing and how to get it.
#include <algorithm>
#include <fmt/format.h>

#include "base/machine.h"
#include "base/parallel.h"
#include "command.h"
#include "exporting/exporter.h"
#include "material/law.h"
#include "print.h"
#include "solve/linear_solver.h"
#include "step/stepper.h"
#include "view/browser.h"
#include "view/page.h"

namespace sinew::cli {
namespace {

void row(std::string_view mark, std::string_view what, const std::string& text) {
  fmt::print("{:<7} {:<14} {}\n", mark, what, text);
}

template <class List>
std::string names(const List& list) {
  std::string text;
  for (const auto* entry : list) text.append(text.empty() ? "" : " ").append(entry->name);
  return text;
}

bool has_word(const std::string& list, const std::string& word) {
  return fmt::format(" {} ", list).find(fmt::format(" {} ", word)) != std::string::npos;
}

// Instruction sets that matter: whether the processor has them and whether this build uses them.
void instruction_sets() {
  struct Set {
    const char* name;
    bool used;
  };
  constexpr Set sets[] = {
#ifdef __AVX2__
      {"avx2", true},
#else
      {"avx2", false},
#endif
#ifdef __FMA__
      {"fma", true},
#else
      {"fma", false},
#endif
#ifdef __AVX512F__
      {"avx512f", true},
#else
      {"avx512f", false},
#endif
  };
  for (const Set& set : sets) {
    const bool here = has_word(sinew::machine().features, set.name);
    if (here && !set.used && !build_info().portable)
      row("missing", set.name,
          "the processor has it, this build does not use it: build on this machine with ./dev build");
    else
      row(here ? "ok" : "-", set.name,
          !here      ? "not on this processor"
          : set.used ? "used"
                     : "left out by the portable build");
  }
}

void direct_solver(std::string_view name, std::string_view package) {
  const auto solvers = solve::linear_solver_names();
  if (std::find(solvers.begin(), solvers.end(), name) != solvers.end())
    row("ok", name, "sparse direct solver");
  else
    row("missing", name, fmt::format("not built in; optional: apt install {}, then build again", package));
}

void program(std::string_view name, const std::vector<std::string>& names, std::string_view use) {
  const auto found = view::find_program(names);
  row(found ? "ok" : "missing", name,
      found ? fmt::format("{}: {}", use, *found)
            : fmt::format("{} need it; optional: apt install {}", use, name));
}

int look() {
  const BuildInfo& info = build_info();
  const Machine& here = sinew::machine();
  row("ok", "sinew", std::string(info.version));
  row("ok", "compiler", std::string(info.compiler));
  row("ok", "flags", std::string(info.flags));
  row("ok", "build", fmt::format("{}{}", binary_id(), info.portable ? ", portable" : ""));
  row("ok", "system", here.system);
  row("ok", "processor", here.cpu);
  row("ok", "cores", fmt::format("{}, {} threads in use", here.cores, thread_count()));
  row("ok", "memory", bytes_text(static_cast<double>(here.memory)));
  instruction_sets();
  direct_solver("cholmod", "libsuitesparse-dev");
  direct_solver("mumps", "libmumps-seq-dev");
  if (view::embedded_page().empty())
    row("missing", "viewer",
        "not built in; optional: apt install nodejs npm, then configure and build again");
  else
    row("ok", "viewer", "sinew view");
  program("chromium", view::chromium_names(), "sinew picture, sinew film");
  program("ffmpeg", {"ffmpeg"}, "sinew film");
  row("ok", "methods", names(step::methods()));
  row("ok", "materials", names(material::laws()));
  row("ok", "exports", names(exporting::exporters()));
  return exit_done;
}

}  // namespace

const Command& command_doctor() {
  static const Command command = {"doctor",
                                  "Tell what this build and this machine have, and what is missing.",
                                  [](Arguments&) -> Action { return look; }};
  return command;
}

}  // namespace sinew::cli

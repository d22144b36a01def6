// sinew diff: whether two runs, or two checkpoints, are the same.
#include <filesystem>
#include <fmt/format.h>

#include "command.h"
#include "json/json.h"
#include "print.h"
#include "run/difference.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string a, b;
  double tolerance = 0;
  bool json = false;
};

int diff(const Options& options) {
  std::error_code code;
  const bool folders = std::filesystem::is_directory(options.a, code);
  const Result<run::Difference> found =
      folders ? run::compare_runs(options.a, options.b) : run::compare_checkpoints(options.a, options.b);
  if (!found) return complain(found.error());
  const bool same = found->within(options.tolerance);
  if (options.json) {
    json::Json json = json::Json::object(), shape = json::Json::list();
    for (const std::string& text : found->shape) shape.add(text);
    json.set("same", same);
    json.set("same_bits", found->same_bits && found->shape.empty());
    json.set("frames", found->frames);
    json.set("largest", found->largest);
    json.set("where", found->where);
    json.set("largest_other", found->largest_other);
    json.set("first", found->first);
    json.set("shape", std::move(shape));
    fmt::print("{}\n", json.compact());
    return same ? exit_done : exit_failed_check;
  }
  for (const std::string& text : found->shape) fmt::print("{}\n", text);
  if (!found->same_bits) {
    fmt::print("the bits first differ in {}\n", found->first);
    fmt::print("largest difference of positions: {:.6g} m{}\n", found->largest,
               found->where.empty() ? "" : " at " + found->where);
    fmt::print("largest difference of other numbers: {:.6g}\n", found->largest_other);
  }
  const std::string compared =
      folders ? fmt::format("{} frames compared", found->frames) : "checkpoints compared";
  fmt::print("{}: {}\n",
             found->same_bits && found->shape.empty() ? "the same to the last bit"
             : same                                   ? "the same within the tolerance"
                                                      : "different",
             compared);
  return same ? exit_done : exit_failed_check;
}

}  // namespace

const Command& command_diff() {
  static const Command command = {
      "diff", "Compare two runs frame by frame, or two checkpoints.", [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->a, "RUN_A", "Folder of a run, or a checkpoint.");
        arguments.positional(o->b, "RUN_B", "Another.");
        arguments.option(
            o->tolerance, "--tol", "LENGTH",
            "Largest distance of two positions that counts as none [m]; by default every bit counts.", 0,
            1e300);
        arguments.flag(o->json, "--json", "Print the difference as one JSON object.");
        arguments.footer("Exits with 0 where they are the same and with 1 where they differ.\n");
        return [o] { return diff(*o); };
      }};
  return command;
}

}  // namespace sinew::cli

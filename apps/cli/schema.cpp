// sinew schema: what a scene file may say, from the table that checks it.
#include <fmt/format.h>

#include "batch/study.h"
#include "command.h"
#include "print.h"
#include "scene/method_page.h"
#include "scene/scene_type.h"

namespace sinew::cli {

const Command& command_schema() {
  struct Options {
    bool markdown = false, methods = false, study = false;
  };
  static const Command command = {
      "schema", "Print the JSON Schema of scene files.", [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.flag(o->markdown, "--markdown", "Print the reference page instead.");
        arguments.flag(o->methods, "--methods", "Print the page of what each method can run instead.");
        arguments.flag(o->study, "--study", "Of study files, for `sinew batch`.");
        return [o]() -> int {
          if (o->markdown && o->methods)
            return complain(
                usage_error("found --markdown and --methods, expected one of them: each is a page"));
          if (o->study && o->methods)
            return complain(usage_error("found --study and --methods, expected one of them"));
          if (o->study && o->markdown) {
            fmt::print("{}", json::reference_page(batch::study_type(), "The study file",
                                                  "sinew schema --study --markdown"));
          } else if (o->study) {
            fmt::print("{}", json::json_schema(batch::study_type(), "Sinew study").pretty());
          } else if (o->methods) {
            const Result<std::string> page = scene::method_page();
            if (!page) return complain(page.error());
            fmt::print("{}", *page);
          } else if (o->markdown) {
            fmt::print(
                "{}", json::reference_page(scene::scene_type(), "The scene file", "sinew schema --markdown"));
          } else {
            fmt::print("{}", json::json_schema(scene::scene_type(), "Sinew scene").pretty());
          }
          return exit_done;
        };
      }};
  return command;
}

}  // namespace sinew::cli

// sinew schema: what a scene file may say, from the table that checks it.
#include <fmt/format.h>

#include "command.h"
#include "scene/scene_type.h"

namespace sinew::cli {

const Command& command_schema() {
  static const Command command = {
      "schema", "Print the JSON Schema of scene files.", [](Arguments& arguments) -> Action {
        auto markdown = std::make_shared<bool>(false);
        arguments.flag(*markdown, "--markdown", "Print the reference page instead.");
        return [markdown]() -> int {
          if (*markdown)
            fmt::print("{}", scene::reference_page(scene::scene_type(), "The scene file"));
          else
            fmt::print("{}", scene::json_schema(scene::scene_type(), "Sinew scene").pretty());
          return exit_done;
        };
      }};
  return command;
}

}  // namespace sinew::cli

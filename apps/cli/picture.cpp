// sinew picture: one frame as a PNG, drawn by the viewer's page.
#include <fmt/format.h>

#include "command.h"
#include "print.h"
#include "signals.h"
#include "view/capture.h"
#include "view/page.h"
#include "view_options.h"

namespace sinew::cli {
namespace {

struct Options {
  ViewOptions view;
  std::string file = "picture.png";
};

int make(const Options& options) {
  const Result<view::Settings> settings = options.view.settings();
  if (!settings) return complain(settings.error());
  const Result<std::string_view> page = view::require_page();
  if (!page) return complain(page.error());
  Result<view::Show> show = options.view.open();
  if (!show) return complain(show.error());
  const Cancel& cancel = cancel_on_signals("");
  const Result<void> ok = view::make_picture(*show, *page, *settings, options.file, &cancel);
  if (cancel.requested()) return exit_interrupted;
  if (!ok) return complain(ok.error());
  fmt::print("{}\n", options.file);
  return exit_done;
}

}  // namespace

const Command& command_picture() {
  static const Command command = {
      "picture", "Draw a frame of a run, a scene at its start, or a mesh into a PNG file.",
      [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        o->view.add_to(arguments);
        arguments.option(o->file, "-o,--output", "FILE", "The file; picture.png by default.");
        arguments.threads();
        arguments.footer("Without --frame the last frame is drawn. Needs the package chromium.\n");
        return [o] { return make(*o); };
      }};
  return command;
}

}  // namespace sinew::cli

// sinew film: the frames of a run as an MP4 or GIF file, drawn by the viewer's page.
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
  view::FilmOptions film{.path = "film.mp4"};
  std::string frames;
};

int make(Options& options) {
  const Result<view::Settings> settings = options.view.settings();
  if (!settings) return complain(settings.error());
  if (auto ok = parse_frames(options.frames, options.film.first, options.film.last); !ok)
    return complain(ok.error());
  const Result<std::string_view> page = view::require_page();
  if (!page) return complain(page.error());
  Result<view::Show> show = options.view.open();
  if (!show) return complain(show.error());
  const Cancel& cancel = cancel_on_signals("");
  const bool terminal = is_terminal(2);
  const auto progress = [&](int64_t done, int64_t all) {
    if (terminal)
      std::fputs(fmt::format("\rframe {} of {}{}", done, all, done == all ? "\n" : "").c_str(), stderr);
  };
  const Result<void> ok = view::make_film(*show, *page, *settings, options.film, progress, &cancel);
  if (cancel.requested()) return exit_interrupted;
  if (!ok) return complain(ok.error());
  fmt::print("{}\n", options.film.path);
  return exit_done;
}

}  // namespace

const Command& command_film() {
  static const Command command = {
      "film", "Draw the frames of a run into an MP4 or GIF file.", [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        o->view.add_to(arguments);
        arguments.option(o->film.path, "-o,--output", "FILE", "The file, .mp4 or .gif; film.mp4 by default.");
        arguments.option(o->film.fps, "--fps", "F", "Frames a second; those of the run by default.", 0.1,
                         240);
        arguments.option(o->frames, "--frames", "A:B", "Which frames; all without it.");
        arguments.threads();
        arguments.footer("Needs the packages chromium and ffmpeg.\n");
        return [o] { return make(*o); };
      }};
  return command;
}

}  // namespace sinew::cli

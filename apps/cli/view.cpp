// sinew view: a scene, a run, a mesh or two runs in the browser.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <thread>

#include "command.h"
#include "print.h"
#include "signals.h"
#include "view/browser.h"
#include "view/export_page.h"
#include "view/page.h"
#include "view/process.h"
#include "view/server.h"
#include "view_options.h"

namespace sinew::cli {
namespace {

struct Options {
  ViewOptions view;
  double port = 0;
  bool no_browser = false;
  std::string page, frames;
};

// Opens the browser if there is a display, by a page that lies in the folder. A failure is no error, since the address is
// printed as well.
std::unique_ptr<view::BrowserFolder> open_browser(const std::string& url) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return nullptr;
  Result<std::unique_ptr<view::BrowserFolder>> folder = view::BrowserFolder::make();
  if (!folder) return nullptr;
  const Result<std::string> start = (*folder)->start_page(url);
  if (start) view::start_apart({"xdg-open", *start});
  return std::move(*folder);
}

int write_page(view::Show& show, std::string_view page, const view::Settings& settings,
               const Options& options) {
  view::PageOptions wanted;
  wanted.path = options.page;
  wanted.field = settings.get("field");
  wanted.component = settings.get("component");
  wanted.settings = settings;
  if (show.live)
    return complain(usage_error("--export writes runs and meshes; run the scene first: sinew run"));
  if (auto ok = parse_frames(options.frames, wanted.first, wanted.last); !ok) return complain(ok.error());
  const Cancel& cancel = cancel_on_signals("");
  const Result<view::PageSize> size = view::export_page(show, page, wanted, &cancel);
  if (cancel.requested()) return exit_interrupted;
  if (!size) return complain(size.error());
  say(fmt::format("{} frames, {}", size->frames, bytes_text(static_cast<double>(size->bytes))));
  fmt::print("{}\n", options.page);
  return exit_done;
}

int serve(view::Show& show, std::string_view page, const view::Settings& settings, const Options& options) {
  const Cancel& cancel = cancel_on_signals("");
  const Result<std::unique_ptr<view::Server>> server =
      view::Server::start(show, {.port = static_cast<int>(options.port), .page = page});
  if (!server) return complain(server.error());
  const std::string url = (*server)->url(settings.query());
  fmt::print("{}\n", url);
  std::fflush(stdout);
  say("Open this address in a browser of this machine; Ctrl-C ends it.");
  const auto folder = options.no_browser ? nullptr : open_browser(url);
  while (!cancel.requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  (*server)->stop();
  return exit_done;
}

int view_it(const Options& options) {
  const Result<view::Settings> settings = options.view.settings();
  if (!settings) return complain(settings.error());
  if (!options.frames.empty() && options.page.empty())
    return complain(usage_error("--frames chooses the frames of --export PAGE; without it all are shown"));
  const Result<std::string_view> page = view::require_page();
  if (!page) return complain(page.error());
  Result<view::Show> show = options.view.open();
  if (!show) return complain(show.error());
  return options.page.empty() ? serve(*show, *page, *settings, options)
                              : write_page(*show, *page, *settings, options);
}

}  // namespace

const Command& command_view() {
  static const Command command = {
      "view", "Show a scene (live), a run, a mesh or two runs side by side in the browser.",
      [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        o->view.add_to(arguments);
        arguments.option(o->port, "--port", "N", "Port to listen on; a free one without it.", 0, 65535);
        arguments.flag(o->no_browser, "--no-browser", "Print the address only.");
        arguments.option(o->page, "--export", "FILE", "Write one HTML file that plays the run, and end.");
        arguments.option(o->frames, "--frames", "A:B", "Frames of --export; all without it.");
        arguments.threads();
        arguments.footer(
            "The server listens on 127.0.0.1 alone and answers only who has the token in the address.\n");
        return [o] { return view_it(*o); };
      }};
  return command;
}

}  // namespace sinew::cli

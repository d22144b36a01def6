// sinew view: a scene, a run, a mesh or two runs in the browser.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <thread>

#include "command.h"
#include "print.h"
#include "signals.h"
#include "view/open.h"
#include "view/page.h"
#include "view/process.h"
#include "view/server.h"
#include "view_options.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string first, second;
  std::vector<std::string> overrides;
  double port = 0;
  bool no_browser = false;
  ViewOptions view;
};

// Where there is a display. That it fails is no error: the address is printed.
void open_browser(const std::string& url) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  view::start_apart({"xdg-open", url});
}

int show(const Options& options) {
  const Result<view::Settings> settings = options.view.settings();
  if (!settings) return complain(settings.error());
  const Result<std::string_view> page = view::require_page();
  if (!page) return complain(page.error());
  std::vector<std::string> paths = {options.first};
  if (!options.second.empty()) paths.push_back(options.second);
  Result<view::Show> shown = view::open_show(paths, options.overrides);
  if (!shown) return complain(shown.error());
  const Cancel& cancel = cancel_on_signals("");
  const Result<std::unique_ptr<view::Server>> server =
      view::Server::start(*shown, {.port = static_cast<int>(options.port), .page = *page});
  if (!server) return complain(server.error());
  const std::string url = (*server)->url(settings->query());
  fmt::print("{}\n", url);
  std::fflush(stdout);
  say("Open this address in a browser of this machine; Ctrl-C ends it.");
  if (!options.no_browser) open_browser(url);
  while (!cancel.requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  (*server)->stop();
  return exit_done;
}

}  // namespace

const Command& command_view() {
  static const Command command = {
      "view", "Show a scene, a run, a mesh or two runs side by side in the browser.",
      [](Arguments& arguments) -> Action {
        auto o = std::make_shared<Options>();
        arguments.positional(o->first, "WHAT", "Scene (runs while you watch), folder of a run, or mesh.");
        arguments.positional(o->second, "OTHER", "A second run or mesh beside it.", false);
        arguments.option(o->overrides, "--set", "PATH=VALUE", "Change a value of the scene; may be repeated.");
        arguments.option(o->port, "--port", "N", "Port to listen on; a free one without it.", 0, 65535);
        arguments.flag(o->no_browser, "--no-browser", "Print the address only.");
        o->view.add_to(arguments);
        arguments.threads();
        arguments.footer(
            "The server listens on 127.0.0.1 alone and answers only who has the token in the address.\n");
        return [o] { return show(*o); };
      }};
  return command;
}

}  // namespace sinew::cli

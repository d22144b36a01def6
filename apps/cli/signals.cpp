#include "signals.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

namespace sinew::cli {
namespace {

Cancel cancel;
const char* text = "";

void stop(int signal) {
  if (cancel.requested()) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  cancel.request();
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

}  // namespace

const Cancel& cancel_on_signals(const char* told) {
  text = told;
  struct sigaction action = {};
  action.sa_handler = stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return cancel;
}

}  // namespace sinew::cli

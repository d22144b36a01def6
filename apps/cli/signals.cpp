#include "signals.h"

#include <csignal>
#include <unistd.h>

namespace sinew::cli {
namespace {

Cancel cancel;

void stop(int signal) {
  if (cancel.requested()) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  cancel.request();
  constexpr char text[] = "\nstopping after this iteration; once more to stop at once\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, sizeof text - 1);
}

}  // namespace

const Cancel& cancel_on_signals() {
  struct sigaction action = {};
  action.sa_handler = stop;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return cancel;
}

}  // namespace sinew::cli

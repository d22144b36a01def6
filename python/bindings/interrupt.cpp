#include "bindings/interrupt.h"

#include <atomic>

namespace sinew::python {
namespace {

std::atomic<Cancel*> current{nullptr};
static_assert(std::atomic<Cancel*>::is_always_lock_free);
struct sigaction python_action = {};

void on_signal(int signal) {
  if (Cancel* cancel = current.load()) cancel->request();
  if (python_action.sa_handler != SIG_DFL && python_action.sa_handler != SIG_IGN)
    python_action.sa_handler(signal);
}

bool on_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

Interrupt::Interrupt() {
  if (!on_main_thread()) return;
  struct sigaction now = {};
  ::sigaction(SIGINT, nullptr, &now);
  if (now.sa_handler != on_signal) {
    // Whoever ignores the signal, or wants to die of it, is left alone.
    if ((now.sa_flags & SA_SIGINFO) || now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) return;
    python_action = old_ = now;
    struct sigaction action = {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = now.sa_flags;
    ::sigaction(SIGINT, &action, nullptr);
    installed_ = true;
  }
  before_ = current.exchange(&cancel_);
  active_ = true;
}

Interrupt::~Interrupt() {
  if (!active_) return;
  current.store(before_);
  if (installed_) ::sigaction(SIGINT, &old_, nullptr);
}

void Interrupt::call(const std::function<void()>& f) {
  const py::gil_scoped_acquire gil;
  if (raised_) return;
  try {
    f();
  } catch (...) {
    raised_ = std::current_exception();
    cancel_.request();
  }
}

void Interrupt::rethrow() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace sinew::python

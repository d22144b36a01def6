#pragma once
// Ctrl-C while the library works without the GIL. For as long as an Interrupt lives on the main thread, SIGINT asks its
// Cancel to stop and then goes on to Python's own handler; rethrow() raises what that handler, or a callback, left.
//
//     Interrupt interrupt;
//     Control control{&interrupt.cancel(), interrupt.guarded(on_residual)};
//     { py::gil_scoped_release release;  stepper.step(..., control); }
//     interrupt.rethrow();
#include <csignal>
#include <exception>
#include <functional>

#include "base/control.h"
#include "bindings/bindings.h"

namespace sinew::python {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  Cancel& cancel() { return cancel_; }
  // Calls f with the GIL. What it raises is kept and stops the work. None: nothing.
  template <class... Args>
  std::function<void(Args...)> guarded(const py::object& f) {
    if (f.is_none()) return {};
    return [this, &f](Args... args) { call([&] { f(args...); }); };
  }
  void call(const std::function<void()>& f);
  // With the GIL.
  void rethrow();

 private:
  Cancel cancel_;
  Cancel* before_ = nullptr;  // of a call around this one
  bool active_ = false, installed_ = false;
  struct sigaction old_ = {};
  std::exception_ptr raised_;
};

}  // namespace sinew::python

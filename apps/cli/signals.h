#pragma once
// SIGINT and SIGTERM ask a computation to stop after its iteration; the second one ends the process at once.
#include "base/control.h"

namespace sinew::cli {

// Installs the handlers; the Cancel lives as long as the process. `told` is printed at the first signal and must live as
// long.
const Cancel& cancel_on_signals(
    const char* told = "\nstopping after this iteration; once more to stop at once\n");

}  // namespace sinew::cli

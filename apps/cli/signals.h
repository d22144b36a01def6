#pragma once
// SIGINT and SIGTERM ask a computation to stop after its iteration; the second one ends the process at once.
#include "base/control.h"

namespace sinew::cli {

// Installs the handlers; the Cancel lives as long as the process.
const Cancel& cancel_on_signals();

}  // namespace sinew::cli

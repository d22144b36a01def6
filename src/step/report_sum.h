#pragma once
// Reports of several steps as one.
//
//     StepReport sum = first;  append(second, sum);
#include "step/step_report.h"

namespace sinew::step {

// Adds the report of the step that follows. Counts, seconds and dissipation add up, the deepest penetration and the worst
// status stand; residuals, energy, contacts and solver are those of the last step; the reason is that of the first step with
// the worst status. Each note is kept once.
void append(const StepReport& next, StepReport& sum);

// Adds what another attempt at the same step cost: its iterations and seconds.
void add_work(const StepReport& attempt, StepReport& report);

}  // namespace sinew::step

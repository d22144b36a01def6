#include "step/report_sum.h"

#include <algorithm>

namespace sinew::step {

void append(const StepReport& next, StepReport& sum) {
  const StepReport before = std::move(sum);
  sum = next;
  sum.status = std::max(before.status, next.status);
  sum.increments += before.increments;
  sum.min_det_F = std::min(before.min_det_F, next.min_det_F);
  sum.penetration = std::max(before.penetration, next.penetration);
  sum.penetration_edge = std::max(before.penetration_edge, next.penetration_edge);
  sum.dissipation += before.dissipation;
  sum.seconds.clear();
  add_work(before, sum);
  for (const auto& [phase, time] : next.seconds) sum.add_seconds(phase.c_str(), time);
  if (before.reason && before.status >= next.status) sum.reason = before.reason;
  sum.notes = before.notes;
  for (const std::string& note : next.notes)
    if (std::find(sum.notes.begin(), sum.notes.end(), note) == sum.notes.end()) sum.notes.push_back(note);
}

void add_work(const StepReport& attempt, StepReport& report) {
  report.iterations += attempt.iterations;
  report.linear_iterations += attempt.linear_iterations;
  for (const auto& [phase, time] : attempt.seconds) report.add_seconds(phase.c_str(), time);
}

}  // namespace sinew::step

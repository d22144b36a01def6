#pragma once
// The report of a step.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "step/reason.h"

namespace sinew::step {

enum class StepStatus {
  converged,  // the tolerance was met
  stalled,    // the step was taken, but the residual is above the tolerance
  failed,     // it ended in numbers that are not finite, or in surfaces that intersect; State is unchanged
  cancelled,  // stopped by the caller; State is unchanged
};

constexpr const char* name_of(StepStatus status) {
  constexpr const char* names[] = {"converged", "stalled", "failed", "cancelled"};
  return names[static_cast<int>(status)];
}

struct StepReport {
  StepStatus status = StepStatus::failed;
  int increments = 0;            // load increments taken
  int iterations = 0;            // Newton iterations or sweeps
  int linear_iterations = 0;     // CG iterations
  double residual = 0;           // 2-norm of the force over free degrees of freedom [N]
  double relative_residual = 0;  // over the 2-norm of internal forces plus that of external loads
  double rounding = 0;           // what rounding of the positions hides of the relative residual
  int32_t rounded_body = -1;     // where it hides that much; -1: nowhere
  double energy = 0;             // potential plus incremental energy at the end [J]
  int inverted = 0;              // elements with det F <= 0
  double min_det_F = 0;
  int64_t contacts = 0;         // pairs that press, at the end
  double penetration = 0;       // deepest one of them below the surface [m]; 0: none is
  double penetration_edge = 0;  // the same over the mean edge length around it
  double dissipation = 0;       // work of friction [J]
  std::string linear_solver;    // the one that was chosen
  std::vector<std::pair<std::string, double>> seconds;  // by phase; for reports only
  std::vector<std::string> notes;                       // fallbacks that were taken
  std::optional<Reason> reason;                         // of a step that stalled or failed

  void add_seconds(const char* phase, double time) {
    for (auto& [name, total] : seconds)
      if (name == phase) {
        total += time;
        return;
      }
    seconds.emplace_back(phase, time);
  }
  bool taken() const { return status == StepStatus::converged || status == StepStatus::stalled; }
};

}  // namespace sinew::step

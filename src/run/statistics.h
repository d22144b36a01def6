#pragma once
// One line of stats.jsonl for every frame: what the steps of the frame told, the reactions of the
// attachments, the expectations that were due, and the hash of the frame's file. The lines are also what a continued run
// remembers of its past.
//
//     FrameTotals totals;  totals.add(report);  Json line = totals.line(frame, snapshot);
#include <cstdint>
#include <string>
#include <vector>

#include "json/json.h"
#include "measure/quantity.h"
#include "scene/scene.h"

namespace sinew::run {

// The sum of the steps of one frame.
struct FrameTotals {
  // Counts, seconds and dissipation added up, the deepest penetration; residuals, energy, contacts and solver of the
  // last step; the reason of the first step with the worst status.
  step::StepReport sum;
  double seconds = 0;    // wall clock [s]
  bool stepped = false;  // false at the start, frame 0

  void add(const step::StepReport& report);
  json::Json line(int64_t frame, const measure::Snapshot& snapshot) const;
};

// {"body", "other", "place", "node" or "element", "cause", "advice"}; "other" where there is one.
json::Json to_json(const step::Reason& reason);
step::Reason reason_of(const json::Json& json);

// Why a frame did not converge.
struct FrameReason {
  int64_t frame = 0;
  step::Reason reason;

  std::string text() const;  // "frame 3: the body ..."
  json::Json json() const;   // with "frame"
};

struct ExpectationResult {
  std::string text;  // "block.det_F.min"
  int64_t frame = 0;
  double value = 0;
  double min = 0, max = 0;  // infinite where there is no bound
  bool ok = false;

  // "block.det_F.min at frame 10: found 0.3, expected at least 0.5".
  std::string sentence() const;
  json::Json json() const;
};

ExpectationResult evaluate(const scene::Expectation& expectation, const measure::Snapshot& snapshot);
// From json(); bounds that were infinite are again.
ExpectationResult expectation_of(const json::Json& json);

}  // namespace sinew::run

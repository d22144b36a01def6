#pragma once
// A corpus of contact scenes in time: bodies that are dropped, squashed, thrown at each other, piled, wrung, pulled through a ring
// and stacked, for several time steps, coefficients of friction and Poisson's ratios. Not every combination is in it, but each
// value of one of these with each value of another. What each case is follows from its number alone; everything that a case does
// not name is what a scene has by default.
//
//     for (const ContactCase& each : contact_corpus({.data = "../shared/data"}))
//       const ContactOutcome outcome = run(each, control);
#include <string>
#include <vector>

#include "base/control.h"
#include "step/step_report.h"
#include "verify/contact_motions.h"

namespace sinew::verify {

struct ContactCase {
  std::string motion, body;
  ContactSetting setting;
  std::string scene;
  scene::MemoryMeshes memory;  // that the scene names

  std::string name() const;  // "twist bar dt=1/24s mu=0.5 nu=0.45"
};

struct ContactOutcome {
  step::StepStatus status = step::StepStatus::failed;  // the worst of any frame; cancelled by the caller
  std::string reason;    // of the first frame that did not converge, with its number
  bool barrier = false;  // how surfaces are kept apart; else by a penalty
  int64_t tets = 0;
  int frames = 0;                  // that were taken, a step each
  std::vector<int> per_step = {};  // iterations of each, also of one that failed
  // Pairs of triangles that touch or pass through each other, by exact signs: at the start, as layers in one cell do, and at the
  // end but not at the start.
  int64_t meeting_at_start = 0, crossings = 0;
  int inverted = 0;                     // elements, at most
  double penetration = 0;               // deepest one, over the edges around it
  double seconds = 0, cpu_seconds = 0;  // of the frames; of all threads

  int iterations() const;
  int most_iterations() const;
  bool good() const { return status == step::StepStatus::converged && crossings == 0; }
};

std::vector<ContactCase> contact_corpus(const CorpusFolders& folders);
ContactOutcome run(const ContactCase& each, const Control& control);

}  // namespace sinew::verify

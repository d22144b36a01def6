#pragma once
// A corpus of equilibria that a quasistatic method should find: bodies as users have them, held in a few places, under loads
// that bend, twist, stretch and buckle them in a single step, for several laws and Poisson's ratios. What each case is
// follows from its number alone.
//
//     for (const CorpusCase& each : corpus({.examples = "examples", .data = "../shared/data"}))
//       const CorpusOutcome outcome = solve(each, *step::find_method("newton"), control);
#include <memory>
#include <string>
#include <vector>

#include "base/control.h"
#include "mesh/mesh.h"
#include "step/stepper.h"
#include "verify/corpus_files.h"

namespace sinew::verify {

// A body with its long axis along x and its low corner at the origin. Vertex groups: "left" and "right", what is held of
// its ends, for each grip.
using CorpusBody = std::shared_ptr<const mesh::TetMesh>;

struct CorpusCase {
  std::string body, grip, load, law, elements;
  double poisson = 0;
  CorpusBody mesh;
  std::string scene;  // that names the mesh "body" in memory

  std::string name() const;
};

struct CorpusOutcome {
  step::StepReport report;
  std::string reason;  // why there is no equilibrium
  int64_t tets = 0;
  double seconds = 0;

  bool solved() const { return reason.empty(); }
};

std::vector<CorpusCase> corpus(const CorpusFolders& folders);
// In one step, as a run takes it: what the method misses goes down the fallback chain (step/fallbacks.h).
CorpusOutcome solve(const CorpusCase& each, const step::Method& method, const Control& control);

}  // namespace sinew::verify

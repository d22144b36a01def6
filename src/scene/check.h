#pragma once
// Findings about a built scene without solving it: free rigid modes, mesh quality, locking, memory
// and cost, what the chosen method lacks.
//
//     for (const Finding& finding : check(built)) print(finding.severity, finding.text);
#include <string>
#include <vector>

#include "scene/scene.h"

namespace sinew::scene {

enum class Severity { note, warning, error };

constexpr const char* name_of(Severity severity) {
  constexpr const char* names[] = {"note", "warning", "error"};
  return names[static_cast<int>(severity)];
}

struct Finding {
  Severity severity = Severity::note;
  std::string text;
};

std::vector<Finding> check(const Built& built);

}  // namespace sinew::scene

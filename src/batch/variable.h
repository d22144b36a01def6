#pragma once
// A Variable is one coordinate of a study: what it changes in the scene and how. The design gives u in [0, 1]; its
// parameter is the number that is stored with a sample:
//
//     range    value between from and to, evenly in the value or in its logarithm
//     choice   number of the choice, from 0
//     path     u itself: keys at even distances, the values linear in between
//
//     const double p = variable.parameter(u);
//     variable.override_scene(p, overrides);      // "/bodies/flesh/material/young=12500", as --set has it
#include <cstdint>
#include <string>
#include <vector>

#include "json/json.h"

namespace sinew::batch {

struct Variable {
  enum class Kind { range, choice, path };

  std::string name;
  Kind kind = Kind::range;
  std::vector<std::string> paths;         // of the scene; a path sets all of them, the others one
  double from = 0, to = 0;                // range
  bool log = false;                       // range
  std::vector<json::Json> choices;        // choice
  std::vector<std::vector<double>> keys;  // path: of each key one number for each of the paths
  int64_t steps = 1;                      // of a grid
  json::Place place = {};                 // in the study

  double parameter(double u) const;
  double coordinate(double parameter) const;  // the u that it belongs to
  bool contains(double parameter) const;
  // Appends the overrides, as --set takes them.
  void override_scene(double parameter, std::vector<std::string>& overrides) const;
  // The value as a manifest has it: the number, or the choice itself.
  json::Json value(double parameter) const;
  // Parameters that are checked before a study runs: ends, choices, keys.
  std::vector<double> corners() const;
};

}  // namespace sinew::batch

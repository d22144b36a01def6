#pragma once
// A strip of length 1.2 with clamped ends that come 0.06 closer. Without Poisson's effect one linear step leads from rest to the
// equilibrium in which it stays flat, far above its buckling load.
#include "unit/plates.h"
#include "unit/solve/held_block.h"

namespace sinew::sample {

inline model::Model flat_strip() {
  model::Model model =
      plate({.cells = {12, 2}, .size = {1.2, 0.2}, .jitter = 0, .thickness = 0.02, .poisson = 0});
  for (const double end : {0.0, 1.2}) {
    std::vector<int32_t> nodes;
    for (int32_t i = 0; i < model.bodies[0].visible().end; ++i)
      if (std::abs(model.X[i][0] - end) < 1e-9) nodes.push_back(i);
    std::vector<model::PoseKey> keys = {{.time = 0}};
    if (end > 0) keys.push_back({.time = 1, .translate = {-0.06, 0, 0}});
    hold(model, end > 0 ? "right" : "left", nodes, keys);
    model.attachments.back().clamped = nodes;
  }
  return model;
}

}  // namespace sinew::sample

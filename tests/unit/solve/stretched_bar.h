#pragma once
// A bar whose far end is pulled and turned at once, while the rest of it stands still: a start with a large residual.
#include "unit/solve/held_block.h"

namespace sinew::sample {

struct StretchedBar {
  std::string law = "corotated";
  double poisson = 0.3;
  double pull = 0.5;  // [m]
  double turn = 1;    // [rad]
  std::array<int32_t, 3> cells = {8, 4, 4};
};

// 1 x 0.5 x 0.5 m, E = 1e5 Pa, cells cut into five tets; its end is where it has to be at time 1.
inline model::Model stretched_bar(const StretchedBar& bar = {}) {
  return held_block({.law = bar.law,
                     .poisson = bar.poisson,
                     .cells = bar.cells,
                     .size = {1, 0.5, 0.5},
                     .right = {{},
                               {.time = 1,
                                .translate = {bar.pull, 0, 0},
                                .axis = {1, 0, 0},
                                .angle = bar.turn,
                                .about = {1, 0.25, 0.25}}},
                     .split = mesh::Split::five,
                     .density = 10});
}

// Its system at time 1.
inline void set_time_1(solve::System& system) { system.set_inputs(inputs_at(system.model(), 1)); }

}  // namespace sinew::sample

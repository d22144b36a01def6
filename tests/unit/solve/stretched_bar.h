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
  const mesh::TetMesh mesh =
      *mesh::make_box({.size = {1, 0.5, 0.5}, .cells = bar.cells, .split = mesh::Split::five});
  model::Model model;
  model.X = mesh.vertices;
  model.tets = mesh.elements;
  const auto nodes = static_cast<int32_t>(model.X.size()), tets = static_cast<int32_t>(model.tets.size());
  model.bodies.push_back({.name = "bar", .nodes = {0, nodes}, .tets = {0, tets}, .surface = {}});
  model.params.density.push_back({{10.0}});
  add_set(model, 0, *material::find_law(bar.law), 1e5, bar.poisson);
  hold(model, "left", face_nodes(bar.cells, 0, false));
  hold(model, "right", face_nodes(bar.cells, 0, true),
       {{},
        {.time = 1,
         .translate = {bar.pull, 0, 0},
         .axis = {1, 0, 0},
         .angle = bar.turn,
         .about = {1, 0.25, 0.25}}});
  return model;
}

// Its system at time 1.
inline void set_time_1(solve::System& system) {
  std::vector<double> inputs(system.model().inputs.size());
  system.model().inputs.evaluate(1, inputs);
  system.set_inputs(inputs);
}

}  // namespace sinew::sample

#pragma once
// Steps on small models: Motion is a stepper with its State, of the method "newton" unless another is named.
#include <memory>
#include <string>

#include "step/stepper.h"
#include "unit/solve/held_block.h"

namespace sinew::sample {

inline step::Settings newton_settings(step::Mode mode = step::Mode::quasistatic, double tolerance = 1e-6) {
  step::Settings settings;
  settings.mode = mode;
  settings.tolerance = tolerance;
  settings.options = FieldValues(step::find_method("newton")->fields);
  return settings;
}

// Starts at rest.
struct Motion {
  Motion(const model::Model& model, const step::Settings& settings, const char* method = "newton")
      : model(model), stepper(std::move(*step::find_method(method)->make(model, settings))) {
    model::StateLayout layout;
    stepper->declare(layout);
    state = model.make_state(layout);
  }
  step::StepReport to(double time, const Control& control = {}) {
    return stepper->step(model.inputs, time, state, control);
  }

  const model::Model& model;
  std::unique_ptr<step::Stepper> stepper;
  model::State state;
};

}  // namespace sinew::sample

#pragma once
// A method is a Stepper: it takes a State from its time to t1. Each file of this folder that registers a Method
// (const Method& method_<stem>()) adds one, found by name.
//
//     auto stepper = find_method("newton")->make(model, settings);
//     StateLayout layout;  (*stepper)->declare(layout);  State state = model.make_state(layout);
//     StepReport report = (*stepper)->step(model.inputs, 1.0 / 30, state, control);
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.h"
#include "base/field.h"
#include "base/result.h"
#include "contact/contact_set.h"
#include "model/model.h"
#include "step/step_report.h"

namespace sinew::step {

enum class Mode { quasistatic, dynamic };
enum class Integrator { backward_euler, bdf2 };

struct Settings {
  Mode mode = Mode::quasistatic;
  Integrator integrator = Integrator::backward_euler;
  double tolerance = 1e-6;  // relative residual
  FieldValues options;      // of the method's own fields
  // In time, of methods that converge: a step may be taken in several, as many as its motion and its convergence ask for.
  bool auto_steps = false;
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  // Names what the method must remember between steps.
  virtual void declare(model::StateLayout& layout) const = 0;
  // Transactional: unless the step was taken State is what it was, also where std::bad_alloc leaves it. One rule for all
  // methods: what ended at finite positions, without surfaces that pass through each other, is taken.
  virtual StepReport step(const model::InputCurve& inputs, double t1, model::State& state,
                          const Control& control) = 0;
  // The contacts that the last step ended with, as its last solve saw them or, where they settled, found at its end.
  virtual std::span<const contact::Pair> contacts() const { return {}; }
  // How far a step that failed came: the State after its last good increment; null: no further than it began.
  virtual const model::State* reached() const { return nullptr; }
};

struct Method {
  std::string_view name;
  std::string_view title;
  std::string_view doc;
  Fields fields;
  bool budgeted = false;  // it stops after the field "iterations", converged or not
  bool barrier = false;   // keeps clear of contacts (solve::Solver::follows_contacts)
  bool converges = true;  // given iterations enough, to the equilibrium of the scene
  // Names what the scene has and this method lacks; empty if it can run.
  std::vector<std::string> (*lacks)(const model::Model&, const Settings&);
  std::unique_ptr<Stepper> (*create)(const model::Model&, const Settings&);

  Result<std::unique_ptr<Stepper>> make(const model::Model& model, const Settings& settings) const;
};

// All methods of this build, by name in ascending order.
std::span<const Method* const> methods();
const Method* find_method(std::string_view name);

}  // namespace sinew::step

#pragma once
// Methods that behave badly, or exactly as a test needs: each iteration moves the nodes by a rule.
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "compare/entry.h"

namespace sinew::compare {

// Iterates x <- rule(x, iteration) until it is told to stop, or for so many iterations.
class RuleStepper final : public step::Stepper {
 public:
  using Rule = void (*)(std::vector<math::Vec3d>& x, int iteration);
  RuleStepper(Rule rule, int iterations) : rule_(rule), iterations_(iterations) {}

  void declare(model::StateLayout&) const override {}
  step::StepReport step(const model::InputCurve&, double, model::State& state,
                        const Control& control) override {
    step::StepReport report;
    std::vector<math::Vec3d> x(state.x().begin(), state.x().end());
    for (int k = 1; k <= iterations_; ++k) {
      if (control.cancelled()) {
        report.status = step::StepStatus::cancelled;
        return report;
      }
      rule_(x, k);
      control.iterate(x);
    }
    report.status = step::StepStatus::stalled;
    return report;
  }

 private:
  Rule rule_;
  int iterations_;
};

constexpr int endless = std::numeric_limits<int>::max();

template <RuleStepper::Rule rule, int iterations = endless>
step::Method fake(std::string_view name) {
  return {.name = name,
          .title = name,
          .doc = {},
          .fields = {},
          .lacks = [](const model::Model&, const step::Settings&) { return std::vector<std::string>(); },
          .create = [](const model::Model&, const step::Settings&) -> std::unique_ptr<step::Stepper> {
            return std::make_unique<RuleStepper>(rule, iterations);
          }};
}

inline void stay(std::vector<math::Vec3d>&, int) {}
inline void grow(std::vector<math::Vec3d>& x, int) {
  for (math::Vec3d& p : x) p *= 3.0;
}
inline void lose(std::vector<math::Vec3d>& x, int k) {
  if (k == 3) x[5][1] = std::numeric_limits<double>::quiet_NaN();
}
inline void exhaust(std::vector<math::Vec3d>&, int k) {
  if (k == 3) throw std::bad_alloc();
}
inline void break_down(std::vector<math::Vec3d>&, int k) {
  if (k == 2) throw std::runtime_error("the pivot is zero");
}

// Quick in its first run, slow at the third iteration of the later ones.
inline void tire(std::vector<math::Vec3d>&, int k) {
  static int runs = 0;
  if (k == 3 && runs++ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(250));
}

}  // namespace sinew::compare

#include "step/time_integrator.h"

#include "step/backward_euler.h"
#include "step/bdf2.h"

namespace sinew::step {

std::unique_ptr<TimeIntegrator> make_time_integrator(Integrator integrator) {
  if (integrator == Integrator::bdf2) return std::make_unique<Bdf2>();
  return std::make_unique<BackwardEuler>();
}

}  // namespace sinew::step

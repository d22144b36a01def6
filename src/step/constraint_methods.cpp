#include "step/constraint_methods.h"

#include <algorithm>

namespace sinew::step {

std::vector<std::string> constraints_lack(const model::Model& model, const Settings& settings) {
  std::vector<std::string> list = lacks_elements(model, &element::Kind::constraints);
  for (auto lacks : {lacks_damping, lacks_projection})
    for (std::string& lack : lacks(model)) list.push_back(std::move(lack));
  if (settings.mode == Mode::dynamic && settings.integrator == Integrator::bdf2) list.emplace_back("BDF2");
  for (const model::Body& body : model.bodies)
    if (body.bending == model::Bending::shell)
      list.push_back("bending by \"shell\", as the body " + body.name + " has (\"hinge\" and \"none\" run)");
  for (const model::Attachment& attachment : model.attachments)
    if (!attachment.clamped.empty())
      list.push_back("clamped borders, as the attachment " + attachment.name + " has");
  if (!model.winds.empty()) list.emplace_back("wind");
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const std::vector<double>& density = model.params.density[b].values;
    if (!std::all_of(density.begin(), density.end(), [](double value) { return value > 0; }))
      list.push_back("bodies without mass, such as " + model.bodies[b].name);
  }
  return list;
}

std::unique_ptr<Stepper> make_constraint_stepper(const model::Model& model, const Settings& settings,
                                                 const solve::ConstraintOptions& options) {
  return std::make_unique<BudgetStepper>(model, settings, [options](solve::System& system) {
    return std::make_unique<solve::ConstraintSolver>(system, options);
  });
}

}  // namespace sinew::step

#include "step/stepper.h"

namespace sinew::step {

Result<std::unique_ptr<Stepper>> Method::make(const model::Model& model, const Settings& settings) const {
  const std::vector<std::string> missing = lacks(model, settings);
  if (missing.empty()) return create(model, settings);
  std::string what = "the method " + std::string(name) + " cannot run this scene: it lacks ";
  for (size_t i = 0; i < missing.size(); ++i) what += (i ? ", " : "") + missing[i];
  return usage_error(what);
}

const Method* find_method(std::string_view name) {
  for (const Method* method : methods())
    if (method->name == name) return method;
  return nullptr;
}

}  // namespace sinew::step

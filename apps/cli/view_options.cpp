#include "view_options.h"

namespace sinew::cli {

void ViewOptions::add_to(Arguments& arguments) {
  for (const view::SettingSpec& spec : view::setting_specs())
    arguments.option(values_[std::string(spec.name)], "--" + std::string(spec.name), std::string(spec.form),
                     std::string(spec.doc));
}

Result<view::Settings> ViewOptions::settings() const {
  view::Settings settings;
  for (const auto& [name, value] : values_)
    if (!value.empty())
      if (auto ok = settings.set(name, value); !ok) return ok.error();
  return settings;
}

}  // namespace sinew::cli

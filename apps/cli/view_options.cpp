#include "view_options.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>

#include "print.h"
#include "unit_option.h"
#include "view/open.h"

namespace sinew::cli {

void ViewOptions::add_to(Arguments& arguments) {
  arguments.positional(first_, "WHAT", "Scene, folder of a run, or mesh.");
  arguments.positional(second_, "OTHER", "A second run or mesh beside it.", false);
  arguments.option(overrides_, "--set", "PATH=VALUE", "Change a value of the scene; may be repeated.");
  unit_option(arguments, unit_);
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

Result<view::Show> ViewOptions::open() const {
  std::vector<std::string> paths = {first_};
  if (!second_.empty()) paths.push_back(second_);
  view::OpenOptions options{.overrides = overrides_,
                            .live = {.session = default_folder(first_, "-session.json"),
                                     .on_note = [](const std::string& note) { say(note); }}};
  if (!unit_.empty()) {
    const Result<double> unit = unit_of(unit_);
    if (!unit) return unit.error();
    options.unit = *unit;
  }
  return view::open_show(paths, options);
}

Result<void> parse_frames(const std::string& text, int64_t& first, int64_t& last) {
  if (text.empty()) return {};
  const auto number = [](std::string_view digits, int64_t& value) {
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return digits.empty() || (code == std::errc() && end == digits.data() + digits.size() && value >= 0);
  };
  const size_t colon = text.find(':');
  const std::string_view whole = text;
  if (colon != std::string::npos && number(whole.substr(0, colon), first) &&
      number(whole.substr(colon + 1), last) && first <= last)
    return {};
  return usage_error(fmt::format("--frames: found \"{}\", expected A:B with 0 <= A <= B", text));
}

}  // namespace sinew::cli

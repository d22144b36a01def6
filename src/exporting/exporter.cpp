#include "exporting/exporter.h"

#include <algorithm>
#include <fmt/format.h>

#include "json/words.h"

namespace sinew::exporting {

std::string ExportPlan::frame_file(const std::string& name, int64_t index, std::string_view ending) const {
  return rest ? file(name, ending) : fmt::format("{}_{:05}{}", name, index, ending);
}

std::string ExportPlan::file(const std::string& name, std::string_view ending) const {
  return fmt::format("{}{}{}", name, rest ? "_rest" : "", ending);
}

const Exporter* find_exporter(std::string_view name) {
  for (const Exporter* exporter : exporters())
    if (exporter->name == name) return exporter;
  return nullptr;
}

Result<std::vector<const Exporter*>> find_exporters(std::span<const std::string> names) {
  std::vector<const Exporter*> found;
  for (const std::string& name : names) {
    const Exporter* exporter = find_exporter(name);
    if (!exporter) {
      std::vector<std::string_view> known;
      for (const Exporter* e : exporters()) known.push_back(e->name);
      return usage_error(json::unknown_word("export", name, known));
    }
    if (std::find(found.begin(), found.end(), exporter) == found.end()) found.push_back(exporter);
  }
  return found;
}

Result<void> check_frame_count(const Exporter& exporter, int64_t frames) {
  if (exporter.max_frames == 0 || frames <= exporter.max_frames) return {};
  return usage_error(
      fmt::format("{} holds at most {} frames, there are {}; choose some of them with "
                  "`sinew export RUN --format {} --frames A:B:STEP`{}",
                  exporter.name, exporter.max_frames, frames, exporter.name,
                  exporter.instead.empty() ? "" : fmt::format(", or write {}", exporter.instead)));
}

bool is_frame_file(const std::filesystem::path& path, std::string_view folder, std::string_view ending) {
  if (path.parent_path() != folder || path.extension() != ending) return false;
  const std::string stem = path.stem().string();
  const size_t bar = stem.find_last_not_of("0123456789");
  return stem.ends_with("_rest") || (bar != std::string::npos && stem[bar] == '_' && stem.size() - bar > 5);
}

}  // namespace sinew::exporting

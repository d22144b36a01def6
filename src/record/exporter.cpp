#include "record/exporter.h"

namespace sinew::record {

const Exporter* find_exporter(std::string_view name) {
  for (const Exporter* exporter : exporters())
    if (exporter->name == name) return exporter;
  return nullptr;
}

}  // namespace sinew::record

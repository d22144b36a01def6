#include "io/pvd.h"

#include <fmt/format.h>
#include <pugixml.hpp>
#include <sstream>

#include "io/file.h"

namespace sinew::io {

Result<void> write_pvd(const std::string& path, std::span<const PvdEntry> entries) {
  pugi::xml_document document;
  pugi::xml_node file = document.append_child("VTKFile");
  file.append_attribute("type") = "Collection";
  file.append_attribute("version") = "1.0";
  file.append_attribute("byte_order") = "LittleEndian";
  pugi::xml_node collection = file.append_child("Collection");
  for (const PvdEntry& entry : entries) {
    pugi::xml_node data = collection.append_child("DataSet");
    data.append_attribute("timestep") = fmt::format("{}", entry.time).c_str();
    data.append_attribute("part") = "0";
    data.append_attribute("file") = entry.file.c_str();
  }
  std::ostringstream text;
  document.save(text, " ");
  return write_atomically(path, text.str());
}

}  // namespace sinew::io

#include "io/pvd.h"

#include <fmt/format.h>

#include "io/file.h"
#include "io/xml.h"

namespace sinew::io {

Result<void> write_pvd(const std::string& path, std::span<const PvdEntry> entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      " <Collection>\n";
  for (const PvdEntry& entry : entries)
    text += fmt::format("  <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                        xml_escaped(entry.file));
  return write_atomically(path, text + " </Collection>\n</VTKFile>\n");
}

}  // namespace sinew::io

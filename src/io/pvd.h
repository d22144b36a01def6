#pragma once
// A .pvd file names the .vtu files of a run and their times, for ParaView.
#include <span>
#include <string>

#include "base/result.h"

namespace sinew::io {

struct PvdEntry {
  double time = 0;   // [s]
  std::string file;  // relative to the .pvd file
};

Result<void> write_pvd(const std::string& path, std::span<const PvdEntry> entries);

}  // namespace sinew::io

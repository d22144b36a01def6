#pragma once
// report.html of a run: how it ended, pictures of the first, the middle and the last frame, curves over the frames,
// expectations, warnings, what was simulated, and the command, program and machine that did it. One file that needs no
// other, no network and no script, light or dark as the reader's system is.
//
//     if (auto ok = write_report(folder, folder / report_file); !ok) return ok.error();
#include <filesystem>
#include <string>

#include "base/result.h"
#include "run/run_reader.h"

namespace sinew::report {

inline constexpr const char* report_file = "report.html";

Result<std::string> make_report(const run::RunReader& run);
// Writes the report of the run in that folder; if it fails the file is as it was.
Result<void> write_report(const std::filesystem::path& run, const std::filesystem::path& file);

}  // namespace sinew::report

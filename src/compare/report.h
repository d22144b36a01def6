#pragma once
// The files of a comparison: compare.json (everything), curves.csv (a row for each method and iteration), plots as SVG
// and report.html, which holds verdict, table and plots and needs no other file.
//
//     for (const ReportFile& file : make_report(comparison, setup)) io::write_atomically(folder / file.name, file.bytes);
#include "compare/compare.h"
#include "model/size.h"

namespace sinew::compare {

struct Setup {
  std::string scene;  // the file
  std::string scene_hash;
  std::vector<std::string> command;  // line
  model::Size size;
  int threads = 1;
  std::vector<double> at;  // times whose points get a table of their own [s]
};

struct ReportFile {
  std::string name;
  std::string bytes;
};

// Whether a report may have a file of this name.
bool is_report_file(std::string_view name);
std::vector<ReportFile> make_report(const Comparison& comparison, const Setup& setup);

// Numbers that are not finite are null. Without `curves` the points are left out.
json::Json to_json(const Comparison& comparison, const Setup& setup, bool curves);
// Numbers that are not finite are empty cells.
std::string to_csv(const Comparison& comparison);

}  // namespace sinew::compare

#pragma once
// The results of verification problems as a page of Markdown with plots beside it. Each problem has one plot for
// every kind of family it was solved on (error over element size, nodes or time step), or, where it has none, its
// errors and tolerances check by check. No dates, no timings: the same results make the same bytes. Rounding
// errors differ between machines, so that errors below 1e-12 are shown as that.
//
//     for (const PageFile& file : make_page(results)) write(folder / file.name, file.bytes);
#include <span>
#include <string>
#include <vector>

#include "verify/problem.h"

namespace sinew::verify {

struct Entry {
  const Problem* problem = nullptr;
  Outcome outcome;
};

struct PageFile {
  std::string name;  // "README.md", "V01.svg"
  std::string bytes;
};

std::vector<PageFile> make_page(std::span<const Entry> results);

}  // namespace sinew::verify

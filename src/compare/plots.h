#pragma once
// The plots of a comparison: a line for each method, at most 200 points each, both axes logarithmic. The start, at time
// and iteration 0, has no place on them. A plot without any point is left out.
#include "compare/compare.h"
#include "plot/plot.h"

namespace sinew::compare {

struct NamedPlot {
  std::string name;  // of the file, without ending
  plot::Plot plot;
};

std::vector<NamedPlot> make_plots(const Comparison& comparison);

}  // namespace sinew::compare

#pragma once
// Line plots as standalone SVG: several series with lines and markers over linear or logarithmic axes, a legend,
// and triangles that show a slope. Colours are those of Okabe, Ito: Color universal design, 2008, which colour-blind
// readers tell apart, with grey for black and yellow darkened, so that all show on white and on dark. Series differ by
// marker as well; up to 24 have a pair of their own, and the lines are dashed from the ninth on. Text is text; the picture follows a light or dark setting.
//
//     Plot plot{"Tube", {"element size [m]", true}, {"relative error", true}, {}};
//     plot.series.push_back({.label = "six tets a cell", .x = h, .y = error, .slope = 2});
//     std::string svg = to_svg(plot);
//
// Points that cannot be drawn are left out, and the line is broken there: not finite, beyond 1e150 in size, or not
// positive on a logarithmic axis.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::plot {

struct Axis {
  std::string label;  // with the unit in brackets
  bool log = false;
};

struct Series {
  std::string label;  // in the legend; empty: none
  std::vector<double> x, y;
  bool line = true;
  bool marker = true;
  int every = 1;     // a marker at every n-th point, the first and the last
  double slope = 0;  // not 0: a triangle with this slope beside the series, where both axes are logarithmic
};

struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Series> series;
};

std::string to_svg(const Plot& plot);

// The colour of the index-th series, such as "#0072b2".
std::string_view colour_of(size_t index);
// A small picture of the line and marker of the index-th series, to stand in a text.
std::string key_svg(size_t index);

// Round numbers, ascending, at least two: the first is at or below every drawable value, the last at or above.
std::vector<double> ticks(std::span<const double> values, bool log);
// The shortest text of a number: "0.5", "2e-7".
std::string tick_text(double value);

}  // namespace sinew::plot

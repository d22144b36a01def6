#include "compare/plots.h"

#include <algorithm>
#include <cmath>

namespace sinew::compare {

namespace {

constexpr double max_points = 199, max_markers = 12;

using Value = std::function<double(const Point&)>;

// The points that stand apart in the picture, and the last one.
plot::Series series_of(const Curve& curve, const Value& x, const Value& y) {
  plot::Series series{.label = curve.entry.label, .x = {}, .y = {}};
  double low = INFINITY, high = 0;
  for (const Point& point : curve.points)
    if (x(point) > 0) low = std::min(low, x(point)), high = std::max(high, x(point));
  const double bin = std::max(std::log(high / low) / max_points, 1e-9);
  double next = -INFINITY;
  for (const Point& point : curve.points) {
    if (!(x(point) > 0) || (std::log(x(point)) < next && &point != &curve.last())) continue;
    next = std::log(x(point)) + bin;
    series.x.push_back(x(point));
    series.y.push_back(y(point));
  }
  series.every = static_cast<int>(std::ceil(static_cast<double>(series.x.size()) / max_markers));
  series.every = std::max(series.every, 1);
  return series;
}

}  // namespace

std::vector<NamedPlot> make_plots(const Comparison& comparison) {
  const Value seconds = [](const Point& p) { return p.seconds; };
  const Value iteration = [](const Point& p) { return static_cast<double>(p.iteration); };
  const Value relative = [](const Point& p) { return p.relative; };
  const Value error = [](const Point& p) { return p.error_rms; };
  const double first = comparison.curves.empty() ? 1 : comparison.curves[0].points[0].energy_gap;
  const bool scaled = first > 0 && std::isfinite(first);
  const Value gap = [scale = scaled ? first : 1](const Point& p) { return p.energy_gap / scale; };
  const std::string gap_label = scaled ? "energy gap / that of the start" : "energy gap [J]";
  const struct {
    const char *name, *title;
    const Value &x, &y;
    std::string x_label, y_label;
  } kinds[] = {
      {"residual_time", "Residual over time", seconds, relative, "time [s]", "relative residual"},
      {"residual_iterations", "Residual over iterations", iteration, relative, "iterations",
       "relative residual"},
      {"energy_time", "Energy gap over time", seconds, gap, "time [s]", gap_label},
      {"error_time", "Position error over time", seconds, error, "time [s]", "RMS position error / size"},
      {"error_iterations", "Position error over iterations", iteration, error, "iterations",
       "RMS position error / size"},
  };
  std::vector<NamedPlot> plots;
  for (const auto& kind : kinds) {
    plot::Plot plot{kind.title, {kind.x_label, true}, {kind.y_label, true}, {}};
    bool drawable = false;
    for (const Curve& curve : comparison.curves) {
      plot.series.push_back(series_of(curve, kind.x, kind.y));
      for (const double y : plot.series.back().y) drawable |= y > 0 && std::isfinite(y);
    }
    if (drawable) plots.push_back({kind.name, std::move(plot)});
  }
  return plots;
}

}  // namespace sinew::compare

#include "plot/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "io/xml.h"

namespace sinew::plot {

namespace {

// Places in the picture [px].
constexpr double left = 72, top = 36, width = 440, height = 300, bottom_room = 52, legend_row = 20;

constexpr std::array<std::string_view, 8> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#8c8c8c", "#a39a00"};

constexpr std::string_view style = R"(<style>
text { font: 12px sans-serif; fill: #222 }
.title { font-size: 14px; font-weight: bold }
.back { fill: #fff }
.frame { fill: none; stroke: #666 }
.grid { stroke: #ddd }
.slope { fill: none; stroke: #666 }
@media (prefers-color-scheme: dark) {
text { fill: #ddd }
.back { fill: #16181c }
.frame, .slope { stroke: #999 }
.grid { stroke: #333 }
}
</style>
)";

bool drawable(double value, bool log) {
  return std::isfinite(value) && std::abs(value) < 1e150 && !(log && value < 1e-150);
}

// The numbers 1, 2, 5, 10, 20, ... and their inverses, by index.
double one_two_five(int index) {
  const int decade = index >= 0 ? index / 3 : -((2 - index) / 3);
  constexpr double mantissa[] = {1, 2, 5};
  // Divided rather than multiplied by a rounded 1e-1, so that 5e-1 is 0.5.
  const double size = std::pow(10.0, std::abs(decade));
  return decade >= 0 ? mantissa[index - 3 * decade] * size : mantissa[index - 3 * decade] / size;
}

std::vector<double> log_ticks(double low, double high) {
  // One before, so that rounding of the logarithm does no harm.
  int first = 3 * static_cast<int>(std::floor(std::log10(low))) - 1;
  while (one_two_five(first + 1) <= low) ++first;
  int last = first + 1;
  while (one_two_five(last) < high) ++last;
  int step = 1;
  if (last - first > 7) {
    // Whole decades, several at a time if there are many.
    first = 3 * static_cast<int>(std::floor(first / 3.0));
    last = 3 * static_cast<int>(std::ceil(last / 3.0));
    step = 3 * ((last - first) / 3 / 9 + 1);
  }
  std::vector<double> result;
  for (int index = first; result.size() < 2 || result.back() < high; index += step)
    result.push_back(one_two_five(index));
  return result;
}

std::vector<double> linear_ticks(double low, double high) {
  // A range of a few roundings has no ticks that doubles can tell apart.
  if (const double size = std::max(std::abs(low), std::abs(high)); !(high - low > 1e-9 * size)) {
    const double room = size == 0 ? 1 : size / 10;
    low -= room;
    high += room;
  }
  int index = 3 * static_cast<int>(std::floor(std::log10((high - low) / 8))) - 1;
  while (one_two_five(index) < (high - low) / 8) ++index;
  const double step = one_two_five(index);
  std::vector<double> result;
  for (double k = std::floor(low / step); result.size() < 2 || result.back() < high; ++k)
    result.push_back(k * step);
  return result;
}

// An axis in the picture: [first tick, last tick] to [begin, end].
struct Scale {
  std::vector<double> marks;
  bool log;
  double begin, end;  // [px]

  double operator()(double value) const {
    const double a = marks.front(), b = marks.back();
    const double t = log ? std::log(value / a) / std::log(b / a) : (value - a) / (b - a);
    return begin + t * (end - begin);
  }
};

Scale make_scale(const Plot& plot, bool vertical) {
  const Axis& axis = vertical ? plot.y : plot.x;
  std::vector<double> values;
  for (const Series& series : plot.series)
    for (size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
      if (drawable(series.x[i], plot.x.log) && drawable(series.y[i], plot.y.log))
        values.push_back(vertical ? series.y[i] : series.x[i]);
  if (vertical) return {ticks(values, axis.log), axis.log, top + height, top};
  return {ticks(values, axis.log), axis.log, left, left + width};
}

std::string text(double x, double y, std::string_view anchor, std::string_view content,
                 std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     io::xml_escaped(content));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view kind) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind,
                     x1, y1, x2, y2);
}

std::string marker(size_t kind, double x, double y) {
  // Six with the circle, which is no multiple of eight: series of one colour differ in shape.
  static constexpr std::array<std::string_view, 5> shapes = {
      "M-4,-4H4V4H-4Z", "M0,-5L5,4H-5Z", "M0,-5.5L5,0L0,5.5L-5,0Z", "M0,5L5,-4H-5Z",
      "M-1.5,-5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5Z"};
  if (kind % 6 == 0) return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", x, y);
  return fmt::format("<path transform=\"translate({:.1f} {:.1f})\" d=\"{}\"/>\n", x, y, shapes[kind % 6 - 1]);
}

std::string_view dashes(size_t index) { return index < colours.size() ? "" : " stroke-dasharray=\"6 3\""; }

std::string axes(const Plot& plot, const Scale& x, const Scale& y) {
  std::string out;
  for (double value : x.marks) {
    out += line(x(value), top, x(value), top + height, "grid");
    out += text(x(value), top + height + 17, "middle", tick_text(value));
  }
  for (double value : y.marks) {
    out += line(left, y(value), left + width, y(value), "grid");
    out += text(left - 7, y(value) + 4, "end", tick_text(value));
  }
  out += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", left, top,
                     width, height);
  out += text(left, top - 14, "start", plot.title, " class=\"title\"");
  out += text(left + width / 2, top + height + 40, "middle", plot.x.label);
  out += text(0, 0, "middle", plot.y.label,
              fmt::format(" transform=\"translate(16 {}) rotate(-90)\"", top + height / 2));
  return out;
}

// A triangle with the slope, below the end of the series where y is least.
std::string slope_triangle(const Plot& plot, const Series& series, const Scale& x, const Scale& y) {
  if (series.slope == 0 || !plot.x.log || !plot.y.log) return "";
  double x0 = 0, y0 = INFINITY;
  for (size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i)
    if (drawable(series.x[i], true) && drawable(series.y[i], true) && series.y[i] < y0)
      x0 = series.x[i], y0 = series.y[i];
  if (!std::isfinite(y0)) return "";
  const double grown = series.slope > 0 ? 1.5 : 1 / 1.5;
  const double rise = y(y0 * std::pow(grown, series.slope)) - y(y0), run = x(x0 * grown) - x(x0);
  const double ax = x(x0) + run * 0.4, ay = std::min(y(y0) + 14, top + height - 3);
  return fmt::format("<path class=\"slope\" d=\"M{:.1f},{:.1f}h{:.1f}v{:.1f}Z\"/>\n", ax, ay, run, rise) +
         text(ax + run + (run > 0 ? 4 : -4), ay + rise / 2 + 4, run > 0 ? "start" : "end",
              tick_text(series.slope));
}

std::string draw(const Plot& plot, size_t index, const Scale& x, const Scale& y) {
  const Series& series = plot.series[index];
  std::string path, marks;
  bool broken = true;
  for (size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    if (!drawable(series.x[i], plot.x.log) || !drawable(series.y[i], plot.y.log)) {
      broken = true;
      continue;
    }
    const double px = x(series.x[i]), py = y(series.y[i]);
    path += fmt::format("{}{:.1f},{:.1f}", broken ? 'M' : 'L', px, py);
    broken = false;
    if (series.marker && (i % static_cast<size_t>(series.every) == 0 || i + 1 == series.x.size()))
      marks += marker(index, px, py);
  }
  const std::string_view colour = colour_of(index);
  std::string out = fmt::format("<g fill=\"{}\">\n", colour);
  if (series.line && !path.empty())
    out += fmt::format("<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{} d=\"{}\"/>\n", colour,
                       dashes(index), path);
  return out + marks + "</g>\n" + slope_triangle(plot, series, x, y);
}

// A line of 24 px from (x, y) on, with the marker in its middle.
std::string key(size_t index, bool line, bool marked, double x, double y) {
  std::string out = fmt::format("<g fill=\"{0}\" stroke=\"{0}\">\n", colour_of(index));
  if (line)
    out += fmt::format("<path stroke-width=\"1.6\"{} d=\"M{:.1f},{:.1f}h24\"/>\n", dashes(index), x, y);
  if (marked) out += marker(index, x + 12, y);
  return out + "</g>\n";
}

std::string legend(const Plot& plot) {
  std::string out;
  double y = top + 10;
  for (size_t index = 0; index < plot.series.size(); ++index) {
    const Series& series = plot.series[index];
    if (series.label.empty()) continue;
    const double x = left + width + 16;
    out += key(index, series.line, series.marker, x, y) + text(x + 31, y + 4, "start", series.label);
    y += legend_row;
  }
  return out;
}

}  // namespace

std::string_view colour_of(size_t index) { return colours[index % colours.size()]; }

std::string key_svg(size_t index) {
  return "<svg width=\"24\" height=\"12\">" + key(index, true, true, 0, 6) + "</svg>";
}

std::vector<double> ticks(std::span<const double> values, bool log) {
  double low = INFINITY, high = -INFINITY;
  for (double value : values) {
    if (!drawable(value, log)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low > high) low = 1, high = log ? 10 : 2;
  return log ? log_ticks(low, high) : linear_ticks(low, high);
}

std::string tick_text(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1e-3 && size < 1e5) return fmt::format("{:.{}g}", value, size < 1e4 ? 4 : 5);
  const std::string digits = fmt::format("{:.3e}", value);  // 2.500e-07
  std::string mantissa = digits.substr(0, digits.find('e'));
  while (mantissa.back() == '0') mantissa.pop_back();
  if (mantissa.back() == '.') mantissa.pop_back();
  return fmt::format("{}e{}", mantissa, std::stoi(digits.substr(digits.find('e') + 1)));
}

std::string to_svg(const Plot& plot) {
  size_t rows = 0, longest = 0;
  for (const Series& series : plot.series) {
    rows += !series.label.empty();
    longest = std::max(longest, series.label.size());
  }
  const double full_width = left + width + (rows == 0 ? 20 : 60 + 6.6 * static_cast<double>(longest));
  const double full_height =
      std::max(top + height + bottom_room, top + 20 + legend_row * static_cast<double>(rows));
  const Scale x = make_scale(plot, false), y = make_scale(plot, true);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\">\n",
      full_width, full_height);
  out += style;
  out += fmt::format("<rect class=\"back\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", full_width, full_height);
  out += axes(plot, x, y);
  for (size_t index = 0; index < plot.series.size(); ++index) out += draw(plot, index, x, y);
  return out + legend(plot) + "</svg>\n";
}

}  // namespace sinew::plot

#include "report/curves.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

namespace sinew::report {

using json::Json;

namespace {

constexpr size_t max_points = 600, max_markers = 12, max_forces = 8;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double number(const Json& json) { return json.is(Json::Kind::number) ? json.number() : missing; }

// The length of a vector of three numbers.
double length(const Json& json) {
  if (json.size() != 3) return missing;
  return std::hypot(number(json.item(0)), number(json.item(1)), number(json.item(2)));
}

// Values by name, one for each line; a name that a line lacks has none there.
class Table {
 public:
  explicit Table(std::span<const Json> lines) {
    for (const Json& line : lines) frames_.push_back(number(line["frame"]));
  }

  void put(const std::string& name, size_t line, double value) {
    const auto [at, fresh] = rows_.try_emplace(name, order_.size());
    if (fresh) order_.push_back({name, std::vector<double>(frames_.size(), missing)});
    order_[at->second].values[line] = value;
  }

  bool empty() const { return order_.empty(); }
  // The rows that grow largest, in the order in which they came.
  void keep_largest(size_t count);
  std::vector<plot::Series> series() const;

 private:
  struct Row {
    std::string name;
    std::vector<double> values;
    double largest() const {
      double most = 0;
      for (const double value : values)
        if (std::abs(value) > most) most = std::abs(value);
      return most;
    }
  };

  std::vector<double> frames_;
  std::vector<Row> order_;
  std::map<std::string, size_t> rows_;
};

void Table::keep_largest(size_t count) {
  if (order_.size() <= count) return;
  std::vector<double> sizes;
  for (const Row& row : order_) sizes.push_back(row.largest());
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count) - 1, sizes.end(),
                   std::greater<>());
  const double least = sizes[count - 1];
  std::erase_if(order_, [&](const Row& row) { return row.largest() < least; });
  if (order_.size() > count) order_.resize(count);  // of equal ones the first
}

std::vector<plot::Series> Table::series() const {
  std::vector<plot::Series> list;
  for (const Row& row : order_) {
    plot::Series series{.label = row.name, .x = frames_, .y = row.values};
    thin(series);
    series.every = std::max(1, static_cast<int>(series.x.size() / max_markers));
    list.push_back(std::move(series));
  }
  return list;
}

bool drawable(const plot::Plot& plot) {
  for (const plot::Series& series : plot.series)
    for (const double y : series.y)
      if (std::isfinite(y) && (!plot.y.log || y > 0)) return true;
  return false;
}

void add(std::vector<plot::Plot>& plots, std::string title, std::string label, bool log, const Table& table) {
  plot::Plot plot{std::move(title), {"frame", false}, {std::move(label), log}, table.series()};
  if (plot.series.size() == 1) plot.series[0].label.clear();  // the title says it
  if (drawable(plot)) plots.push_back(std::move(plot));
}

// One value a line, by key.
Table column(std::span<const Json> lines, const char* key) {
  Table table(lines);
  for (size_t i = 0; i < lines.size(); ++i) table.put(key, i, number(lines[i][key]));
  return table;
}

bool any_positive(std::span<const Json> lines, const char* key) {
  return std::any_of(lines.begin(), lines.end(), [&](const Json& line) { return number(line[key]) > 0; });
}

Table residuals(std::span<const Json> lines, double tolerance) {
  Table table(lines);
  for (size_t i = 0; i < lines.size(); ++i)
    table.put("relative residual", i, number(lines[i]["relative_residual"]));
  if (any_positive(lines, "relative_residual"))
    for (size_t i = 0; i < lines.size(); ++i) table.put("tolerance", i, tolerance);
  return table;
}

Table energies(std::span<const Json> lines) {
  Table table(lines);
  for (size_t i = 0; i < lines.size(); ++i) table.put("energy of the step", i, number(lines[i]["energy"]));
  double lost = 0;
  if (any_positive(lines, "dissipation"))
    for (size_t i = 0; i < lines.size(); ++i) {
      if (const double work = number(lines[i]["dissipation"]); std::isfinite(work)) lost += work;
      table.put("lost to friction so far", i, lost);
    }
  return table;
}

Table iterations(std::span<const Json> lines) {
  Table table(lines);
  const bool linear = any_positive(lines, "linear_iterations");
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i]["status"].text() == "start") continue;
    table.put("iterations", i, number(lines[i]["iterations"]));
    if (linear) table.put("of the linear solver", i, number(lines[i]["linear_iterations"]));
  }
  return table;
}

Table seconds(std::span<const Json> lines) {
  Table table(lines);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i]["status"].text() == "start") continue;
    table.put("all", i, number(lines[i]["seconds"]));
    const Json& phases = lines[i]["phases"];
    if (phases.is(Json::Kind::object))
      for (size_t k = 0; k < phases.size(); ++k)
        if (number(phases.item(k)) > 0) table.put(phases.key(k), i, number(phases.item(k)));
  }
  table.keep_largest(max_forces);
  return table;
}

// The size of forces by name: {"wall": {"force": [..]}} or {"a:b": [..]}.
Table forces(std::span<const Json> lines, const char* key) {
  Table table(lines);
  for (size_t i = 0; i < lines.size(); ++i) {
    const Json& all = lines[i][key];
    if (!all.is(Json::Kind::object)) continue;
    for (size_t k = 0; k < all.size(); ++k) {
      const Json& one = all.item(k);
      table.put(all.key(k), i, length(one.is(Json::Kind::object) ? one["force"] : one));
    }
  }
  table.keep_largest(max_forces);
  return table;
}

}  // namespace

void thin(plot::Series& series) {
  const size_t count = std::min(series.x.size(), series.y.size());
  if (count <= max_points) return;
  const size_t stretches = max_points / 2 - 1;
  std::vector<size_t> kept = {0};
  for (size_t s = 0; s < stretches; ++s) {
    const size_t begin = count * s / stretches, end = count * (s + 1) / stretches;
    size_t low = begin, high = begin;
    for (size_t i = begin; i < end; ++i) {
      if (!std::isfinite(series.y[i])) continue;
      if (!(series.y[low] <= series.y[i])) low = i;
      if (!(series.y[high] >= series.y[i])) high = i;
    }
    kept.push_back(std::min(low, high));
    kept.push_back(std::max(low, high));
  }
  kept.push_back(count - 1);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  std::vector<double> x, y;
  for (const size_t i : kept) {
    x.push_back(series.x[i]);
    y.push_back(series.y[i]);
  }
  series.x = std::move(x);
  series.y = std::move(y);
}

std::vector<plot::Plot> curves(std::span<const Json> lines, double tolerance) {
  std::vector<plot::Plot> plots;
  const bool linear = any_positive(lines, "linear_iterations");
  add(plots, "Relative residual", "relative residual", true, residuals(lines, tolerance));
  add(plots, "Energy", "energy [J]", false, energies(lines));
  add(plots, "Iterations a frame", "iterations", linear, iterations(lines));
  add(plots, "Time a frame", "time [s]", true, seconds(lines));
  if (any_positive(lines, "contacts")) {
    add(plots, "Pairs in contact", "pairs that press", false, column(lines, "contacts"));
    add(plots, "Deepest penetration", "depth [m]", false, column(lines, "penetration"));
    add(plots, "Contact forces", "force [N]", false, forces(lines, "contact_forces"));
  }
  add(plots, "Least det F", "det F", false, column(lines, "min_det_F"));
  add(plots, "Reactions of attachments", "force [N]", false, forces(lines, "reactions"));
  return plots;
}

}  // namespace sinew::report

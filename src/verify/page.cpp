#include "verify/page.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "plot/plot.h"

namespace sinew::verify {

namespace {

constexpr double rounding = 1e-12;

std::string small_text(double value, const char* format) {
  if (std::abs(value) < rounding && value != 0) return "< 1e-12";
  return fmt::format(fmt::runtime(format), value);
}

// Vertical bars would end a cell.
std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

plot::Plot plot_of_checks(const Entry& result) {
  plot::Plot plot{
      fmt::format("{} {}", result.problem->id, result.problem->title), {"check", false}, {"error", true}, {}};
  plot::Series error{.label = "error (at least 1e-12)", .x = {}, .y = {}, .line = false};
  plot::Series tolerance{.label = "tolerance", .x = {}, .y = {}, .line = false};
  for (const Check& check : result.outcome.checks) {
    const double number = static_cast<double>(error.x.size()) + 1;
    error.x.push_back(number);
    error.y.push_back(std::isnan(check.error) ? check.error : std::max(check.error, rounding));
    tolerance.x.push_back(number);
    tolerance.y.push_back(check.tolerance);
  }
  plot.series = {std::move(error), std::move(tolerance)};
  return plot;
}

plot::Plot plot_of_series(const Entry& result, const std::string& x_label) {
  plot::Plot plot{fmt::format("{} {}", result.problem->id, result.problem->title),
                  {x_label, true},
                  {"relative error", true},
                  {}};
  std::set<double> shown;  // one triangle for each order
  for (const Series& series : result.outcome.series) {
    if (series.x_label != x_label) continue;
    plot::Series line{.label = series.label, .x = series.x, .y = series.y};
    for (double& y : line.y) y = std::max(y, rounding);
    if (series.order != 0 && shown.insert(series.order).second) line.slope = series.order;
    plot.series.push_back(std::move(line));
  }
  return plot;
}

std::string table_of_checks(const Entry& result) {
  std::string out =
      "| check | compared | reference | result | error | tolerance | |\n|---|---|---|---|---|---|---|\n";
  for (const Check& check : result.outcome.checks)
    out += fmt::format("| {} | {} | {:.10g} | {} | {}{} | {:.2g} | {} |\n",
                       cell(check.id.substr(result.problem->id.size() + 1)), cell(check.what),
                       check.reference, small_text(check.result, "{:.8g}"), small_text(check.error, "{:.1e}"),
                       check.relative ? "" : " absolute", check.tolerance, check.ok ? "ok" : "**fails**");
  return out;
}

// Errors and the orders between neighbours, for one kind of family.
std::string table_of_series(const Entry& result, const std::string& x_label) {
  std::string out = fmt::format("| error over {} | expected order | |\n|---|---|---|\n", cell(x_label));
  for (const Series& series : result.outcome.series) {
    if (series.x_label != x_label) continue;
    std::string errors;
    for (size_t i = 0; i < series.x.size(); ++i) {
      if (i > 0) errors += ", ";
      if (i > 0 && series.order != 0)
        errors += fmt::format("(order {:.2f}) ", std::log(series.y[i - 1] / series.y[i]) /
                                                     std::log(series.x[i - 1] / series.x[i]));
      errors += fmt::format("{}: {}", plot::tick_text(series.x[i]), small_text(series.y[i], "{:.2e}"));
    }
    out += fmt::format("| {} | {} | {} |\n", cell(series.label),
                       series.order == 0 ? "" : plot::tick_text(series.order), errors);
  }
  return out;
}

std::vector<std::string> x_labels(const Outcome& outcome) {
  std::vector<std::string> labels;
  for (const Series& series : outcome.series)
    if (std::find(labels.begin(), labels.end(), series.x_label) == labels.end())
      labels.push_back(series.x_label);
  return labels;
}

int failures(const Entry& result) {
  return static_cast<int>(std::count_if(result.outcome.checks.begin(), result.outcome.checks.end(),
                                        [](const Check& check) { return !check.ok; }));
}

std::string heading(const Problem& problem) { return fmt::format("{} {}", problem.id, problem.title); }

// The anchor that readers of Markdown make of a heading to link to it.
std::string anchor(std::string_view heading) {
  std::string out;
  for (const char c : heading) {
    if (c == ' ' || c == '-')
      out += '-';
    else if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string summary(std::span<const Entry> results) {
  std::string out = "| problem | | checks | outside tolerance |\n|---|---|---|---|\n";
  for (const Entry& result : results)
    out += fmt::format("| [{}](#{}) | {} | {} | {} |\n", result.problem->id, anchor(heading(*result.problem)),
                       cell(result.problem->title), result.outcome.checks.size(), failures(result));
  return out;
}

}  // namespace

std::vector<PageFile> make_page(std::span<const Entry> results) {
  std::vector<PageFile> files(1);
  std::string text =
      "# Verification\n\nProblems with known answers, solved by `sinew verify`; `./dev docs` writes this "
      "page. "
      "The references do not come from this program. Errors are relative unless marked; those below 1e-12 "
      "are "
      "rounding.\n\n";
  text += summary(results);
  for (const Entry& result : results) {
    const Problem& problem = *result.problem;
    text += fmt::format("\n## {}\n\n{}\n\nReference: {}.\n\n", heading(problem), problem.doc, problem.source);
    int pictures = 0;
    const auto picture = [&](const plot::Plot& plot) {
      const std::string name = ++pictures == 1 ? fmt::format("{}.svg", problem.id)
                                               : fmt::format("{}_{}.svg", problem.id, pictures);
      text += fmt::format("![{}]({})\n\n", heading(problem), name);
      files.push_back({name, plot::to_svg(plot)});
    };
    for (const std::string& x_label : x_labels(result.outcome)) {
      picture(plot_of_series(result, x_label));
      text += table_of_series(result, x_label) + "\n";
    }
    if (result.outcome.series.empty()) picture(plot_of_checks(result));
    text += table_of_checks(result);
  }
  files[0] = {"README.md", std::move(text)};
  return files;
}

}  // namespace sinew::verify

#include "compare/summary.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "plot/plot.h"

namespace sinew::compare {

namespace {

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string budget_text(const Options& options) {
  std::vector<std::string> parts;
  if (std::isfinite(options.budget)) parts.push_back(seconds_text(options.budget));
  if (options.iterations < std::numeric_limits<int64_t>::max())
    parts.push_back(fmt::format("{} iteration{}", options.iterations, options.iterations == 1 ? "" : "s"));
  return parts.size() == 2 ? "at most " + parts[0] + " and " + parts[1] : listed(parts);
}

// The usable curve with the least finite value at its end; null: none.
const Curve* lowest(const Comparison& comparison, double Point::*value) {
  const Curve* best = nullptr;
  for (const Curve& curve : comparison.curves)
    if (curve.usable() && std::isfinite(curve.last().*value) &&
        (!best || curve.last().*value < best->last().*value))
      best = &curve;
  return best;
}

// "After 5 s each", where all had that much; a method may have ended before, or have iterations of its own.
std::string when(const Comparison& comparison) {
  const bool each = std::none_of(comparison.curves.begin(), comparison.curves.end(),
                                 [](const Curve& curve) { return curve.usable() && curve.ended; });
  return each ? "After " + budget_text(comparison.options) + " each" : "At their ends";
}

// The last relative residual, and the best one on the way where that was far below.
std::string residual_text(const Curve& curve) {
  const double last = curve.last().relative;
  double best = curve.points[0].relative;
  for (const Point& point : curve.points) best = std::min(best, point.relative);
  const bool lost = best < curve.points[0].relative && last > 10 * best;
  return small_text(last) + (lost ? " (best " + small_text(best) + ")" : "");
}

// The converged methods in the order of their times; else who is lowest at the end.
std::string end_sentence(const Comparison& comparison) {
  const Options& options = comparison.options;
  std::vector<const Curve*> converged;
  for (const Curve& curve : comparison.curves)
    if (curve.status == Status::converged && first_below(curve, options.tolerance))
      converged.push_back(&curve);
  if (!converged.empty()) {
    const auto seconds = [&](const Curve* curve) { return first_below(*curve, options.tolerance)->seconds; };
    std::stable_sort(converged.begin(), converged.end(),
                     [&](const Curve* a, const Curve* b) { return seconds(a) < seconds(b); });
    std::vector<std::string> names;
    for (const Curve* curve : converged)
      names.push_back(fmt::format("{} after {}", curve->entry.label, seconds_text(seconds(curve))));
    return fmt::format("Converged to relative residual {}: {}.", plot::tick_text(options.tolerance),
                       listed(names));
  }
  const Curve* residual = lowest(comparison, &Point::relative);
  const Curve* error = lowest(comparison, &Point::error_rms);
  if (!residual) return "No method came to a point that can be used.";
  std::string text = fmt::format("{}, {} has the lowest relative residual ({})", when(comparison),
                                 residual->entry.label, small_text(residual->last().relative));
  if (error)
    text += fmt::format(" and {} the lowest position error ({} of the size of the scene)",
                        error == residual ? "also" : error->entry.label, small_text(error->last().error_rms));
  return text + ".";
}

const Curve* first_at(const Comparison& comparison, double target) {
  const Curve* best = nullptr;
  for (const Curve& curve : comparison.curves) {
    const Point* point = first_below(curve, target);
    if (point && (!best || point->seconds < first_below(*best, target)->seconds)) best = &curve;
  }
  return best;
}

// "First to relative residual 1e-1 to 1e-3: a (20 ms); 1e-4: b (1 s). None came down to 1e-5."; the time is that of the
// last.
std::string target_sentence(const Comparison& comparison) {
  std::string text, never;
  const Curve* leader = nullptr;
  double first = 0, last = 0;
  const auto close = [&] {
    if (!leader) return;
    text += text.empty() ? "First to relative residual " : "; ";
    text += target_text(first) + (first == last ? "" : " to " + target_text(last));
    text += fmt::format(": {} ({})", leader->entry.label, seconds_text(first_below(*leader, last)->seconds));
  };
  for (const double target : targets) {
    if (target < comparison.options.tolerance) break;
    const Curve* curve = first_at(comparison, target);
    if (curve != leader) {
      close();
      leader = curve;
      first = target;
    }
    last = target;
    if (!curve) never = fmt::format("None came down to {}.", target_text(target));
    if (!curve) break;
  }
  close();
  return text.empty() ? never : text + "." + (never.empty() ? "" : " " + never);
}

std::string status_sentence(const Comparison& comparison) {
  std::vector<std::string> parts;
  for (const Curve& curve : comparison.curves) {
    if (curve.status == Status::diverged) parts.push_back(curve.entry.label + " diverged");
    if (curve.status == Status::stagnated)
      parts.push_back(
          fmt::format("{} stagnated at relative residual {}", curve.entry.label, residual_text(curve)));
    if (curve.status == Status::failed)
      parts.push_back(
          fmt::format("{} failed ({})", curve.entry.label, curve.notes.empty() ? "" : curve.notes[0]));
  }
  return parts.empty() ? "" : listed(parts) + ".";
}

std::string time_cell(const Curve& curve, double target) {
  const Point* point = first_below(curve, target);
  return point ? seconds_text(point->seconds) : "-";
}

}  // namespace

const Point* first_below(const Curve& curve, double relative) {
  for (const Point& point : curve.points)
    if (point.relative <= relative) return &point;
  return nullptr;
}

const Point& at_time(const Curve& curve, double seconds) {
  size_t i = 0;
  while (i + 1 < curve.points.size() && curve.points[i + 1].seconds <= seconds) ++i;
  return curve.points[i];
}

std::vector<std::string> verdict(const Comparison& comparison) {
  std::vector<std::string> sentences = {end_sentence(comparison)};
  for (const std::string& text : {target_sentence(comparison), status_sentence(comparison)})
    if (!text.empty()) sentences.push_back(text);
  const Reference& reference = comparison.reference;
  if (!reference.found())
    sentences.emplace_back("Newton found no reference: energy gaps and position errors are not known.");
  else if (reference.status == step::StepStatus::stalled || reference.relaxed ||
           reference.relative > comparison.options.tolerance)
    sentences.push_back(
        fmt::format("The reference came only to relative residual {}; smaller position errors mean nothing.",
                    small_text(reference.relative)));
  return sentences;
}

Table summary_table(const Comparison& comparison) {
  Table table{2,
              {"method", "status", "iterations", "time", "relative residual", "position error", "to 1e-2",
               "to 1e-4", "to 1e-6", "to 1e-8"},
              {}};
  for (const Curve& curve : comparison.curves) {
    const Point& last = curve.last();
    table.rows.push_back({curve.entry.label, std::string(name_of(curve.status)),
                          fmt::format("{}", last.iteration), seconds_text(last.seconds), residual_text(curve),
                          small_text(last.error_rms), time_cell(curve, 1e-2), time_cell(curve, 1e-4),
                          time_cell(curve, 1e-6), time_cell(curve, 1e-8)});
  }
  return table;
}

Table table_at(const Comparison& comparison, std::span<const double> times) {
  Table table{1, {"method"}, {}};
  for (const double time : times) {
    table.head.push_back("residual at " + seconds_text(time));
    table.head.emplace_back("error");
  }
  for (const Curve& curve : comparison.curves) {
    std::vector<std::string> row = {curve.entry.label};
    for (const double time : times) {
      const Point& point = at_time(curve, time);
      row.push_back(small_text(point.relative));
      row.push_back(small_text(point.error_rms));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string to_text(const Table& table) {
  std::vector<size_t> width;
  for (const std::string& word : table.head) width.push_back(word.size());
  for (const auto& row : table.rows)
    for (size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  std::string text;
  const auto line = [&](const std::vector<std::string>& row) {
    for (size_t c = 0; c < row.size(); ++c)
      text += c < table.left ? fmt::format("{}{:<{}}", c ? "  " : "", row[c], width[c])
                             : fmt::format("  {:>{}}", row[c], width[c]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  };
  line(table.head);
  for (const auto& row : table.rows) line(row);
  return text;
}

std::string target_text(double target) { return fmt::format("1e{:.0f}", std::log10(target)); }

std::string seconds_text(double seconds) {
  if (seconds == 0) return "0 s";
  if (seconds < 0.9995e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  return seconds < 999.5 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string small_text(double value) {
  if (value == 0) return "0";
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : "-";
}

}  // namespace sinew::compare

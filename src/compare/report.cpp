#include "compare/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/machine.h"
#include "compare/plots.h"
#include "compare/summary.h"
#include "plot/html.h"

namespace sinew::compare {

using json::Json;
using plot::escaped;

namespace {

std::string reference_text(const Comparison& comparison) {
  const Reference& r = comparison.reference;
  return fmt::format("newton, {} after {} iterations{}, relative residual {}, residual {} N",
                     step::name_of(r.status), r.iterations, r.relaxed ? ", less exactly than wanted" : "",
                     small_text(r.relative), small_text(r.residual));
}

std::string html_table(const Comparison& comparison, const Table& table) {
  plot::HtmlTable html{table.head, table.left, {}};
  for (size_t r = 0; r < table.rows.size(); ++r) {
    std::vector<std::string>& row = html.rows.emplace_back();
    row.push_back(plot::key_svg(r) + escaped(table.rows[r][0]));
    for (size_t c = 1; c < table.rows[r].size(); ++c)
      row.push_back(c < table.left
                        ? fmt::format("<span class=\"{}\">{}</span>", name_of(comparison.curves[r].status),
                                      escaped(table.rows[r][c]))
                        : escaped(table.rows[r][c]));
  }
  return plot::html_table(html);
}

// One legend for all plots.
std::string html_plots(const Comparison& comparison) {
  std::string out = "<p class=\"keys\">";
  for (size_t i = 0; i < comparison.curves.size(); ++i)
    out += fmt::format("<span>{}{}</span>\n", plot::key_svg(i), escaped(comparison.curves[i].entry.label));
  out += "</p>\n<div class=\"plots\">\n";
  for (NamedPlot& plot : make_plots(comparison)) {
    for (plot::Series& series : plot.plot.series) series.label.clear();
    out += "<div>\n" + plot::to_svg(plot.plot) + "</div>\n";
  }
  return out + "</div>\n";
}

std::string setup_table(const Comparison& comparison, const Setup& setup) {
  const Machine& machine = sinew::machine();
  const BuildInfo& build = build_info();
  const Options& options = comparison.options;
  return plot::html_facts({
      {"scene", escaped(setup.scene) + " (" + setup.scene_hash + ")"},
      {"size", fmt::format("{}, diagonal {:.4g} m", size_text(setup.size), comparison.size)},
      {"step", fmt::format("{}, to t = {:.6g} s", options.step, comparison.time)},
      {"reference", reference_text(comparison)},
      {"times", fmt::format("median of {} interleaved run{}, {} thread{}", options.repeats,
                            options.repeats == 1 ? "" : "s", setup.threads, setup.threads == 1 ? "" : "s")},
      {"converged", "relative residual of at most " + plot::tick_text(options.tolerance)},
      {"machine", escaped(fmt::format("{}, {} cores, {:.1f} GB, {}", machine.cpu, machine.cores,
                                      static_cast<double>(machine.memory) * 1e-9, machine.system))},
      {"program", escaped(fmt::format("sinew {}, {}", build.version, build.compiler))},
      {"command", "<code>" + escaped(plot::command_text(setup.command)) + "</code>"},
  });
}

std::string to_html(const Comparison& comparison, const Setup& setup) {
  std::string out = plot::html_verdict(verdict(comparison), plot::Tone::plain);
  out += "<h2>At the end</h2>\n" + html_table(comparison, summary_table(comparison));
  out +=
      "<p>\"to 1e-4\": time to that relative residual. Position error: RMS distance from the reference over "
      "the size of the scene.</p>\n";
  if (!setup.at.empty())
    out += "<h2>At given times</h2>\n" + html_table(comparison, table_at(comparison, setup.at));
  out += "<h2>Curves</h2>\n" + html_plots(comparison);
  out += "<h2>Set-up</h2>\n" + setup_table(comparison, setup);
  std::vector<std::string> notes = comparison.notes;
  for (const Curve& curve : comparison.curves)
    for (const std::string& note : curve.notes) notes.push_back(curve.entry.label + ": " + note);
  if (!notes.empty()) out += "<h2>Notes</h2>\n" + plot::html_list(notes, notes.size());
  return plot::html_page("Methods on " + setup.scene, out);
}

Json texts(std::span<const std::string> list) {
  Json json = Json::list();
  for (const std::string& text : list) json.add(text);
  return json;
}

Json points_json(const Curve& curve) {
  Json json = Json::object();
  const auto add = [&](const char* name, const auto& value) {
    Json list = Json::list();
    for (const Point& point : curve.points) list.add(value(point));
    json.set(name, std::move(list));
  };
  const double first = curve.points[0].energy_gap;
  add("iteration", [](const Point& p) { return p.iteration; });
  add("seconds", [](const Point& p) { return p.seconds; });
  add("residual", [](const Point& p) { return p.residual; });
  add("relative", [](const Point& p) { return p.relative; });
  add("energy_gap", [](const Point& p) { return p.energy_gap; });
  add("energy_gap_relative", [&](const Point& p) { return p.energy_gap / first; });
  add("error_rms", [](const Point& p) { return p.error_rms; });
  add("error_max", [](const Point& p) { return p.error_max; });
  return json;
}

Json point_json(const Point& point) {
  Json json = Json::object();
  json.set("iteration", point.iteration);
  json.set("seconds", point.seconds);
  json.set("residual", point.residual);
  json.set("relative", point.relative);
  json.set("energy_gap", point.energy_gap);
  json.set("error_rms", point.error_rms);
  json.set("error_max", point.error_max);
  return json;
}

Json options_json(const Entry& entry) {
  Json json = Json::object();
  for (const Field& field : entry.method->fields) {
    switch (field.kind) {
      case Field::Kind::number:
      case Field::Kind::integer:
        json.set(field.name, entry.settings.options.number(field.name));
        break;
      case Field::Kind::boolean:
        json.set(field.name, entry.settings.options.flag(field.name));
        break;
      default:
        json.set(field.name, entry.settings.options.text(field.name));
    }
  }
  return json;
}

Json curve_json(const Curve& curve, const Setup& setup, size_t index, bool points) {
  Json json = Json::object();
  json.set("label", curve.entry.label);
  json.set("method", curve.entry.method->name);
  json.set("options", options_json(curve.entry));
  json.set("status", name_of(curve.status));
  json.set("colour", plot::colour_of(index));
  json.set("notes", texts(curve.notes));
  json.set("setup_seconds", curve.setup_seconds);
  json.set("end", point_json(curve.last()));
  Json reached = Json::object(), at = Json::list();
  for (const double target : targets)
    if (const Point* point = first_below(curve, target)) {
      Json& entry = reached.set(target_text(target), Json::object());
      entry.set("seconds", point->seconds);
      entry.set("iterations", point->iteration);
    }
  json.set("reached", std::move(reached));
  for (const double time : setup.at) at.add(point_json(at_time(curve, time)));
  if (!setup.at.empty()) json.set("at", std::move(at));
  if (points) json.set("points", points_json(curve));
  return json;
}

Json machine_json() {
  const Machine& machine = sinew::machine();
  Json json = Json::object();
  json.set("cpu", machine.cpu);
  json.set("system", machine.system);
  json.set("cores", machine.cores);
  json.set("memory", machine.memory);
  return json;
}

}  // namespace

Json to_json(const Comparison& comparison, const Setup& setup, bool curves) {
  const Options& options = comparison.options;
  const BuildInfo& build = build_info();
  Json json = Json::object();
  json.set("verdict", texts(verdict(comparison)));
  json.set("scene", setup.scene);
  json.set("scene_hash", setup.scene_hash);
  json.set("command", texts(setup.command));
  json.set("sinew", build.version);
  json.set("compiler", build.compiler);
  json.set("flags", build.flags);
  json.set("binary", binary_id());
  json.set("machine", machine_json());
  json.set("threads", setup.threads);
  json.set("nodes", setup.size.nodes);
  json.set("tets", setup.size.tets);
  json.set("triangles", setup.size.triangles);
  json.set("size", comparison.size);
  json.set("step", options.step);
  json.set("time", comparison.time);
  json.set("budget", options.budget);
  json.set("iterations", options.iterations == Options().iterations ? Json() : Json(options.iterations));
  json.set("repeats", options.repeats);
  json.set("tolerance", options.tolerance);
  if (!setup.at.empty()) json.set("at", Json::numbers(setup.at));
  const Reference& r = comparison.reference;
  Json& reference = json.set("reference", Json::object());
  reference.set("status", step::name_of(r.status));
  reference.set("relaxed", r.relaxed);
  reference.set("iterations", r.iterations);
  reference.set("residual", r.residual);
  reference.set("relative", r.relative);
  reference.set("energy", r.energy);
  json.set("notes", texts(comparison.notes));
  Json& list = json.set("methods", Json::list());
  for (size_t i = 0; i < comparison.curves.size(); ++i)
    list.add(curve_json(comparison.curves[i], setup, i, curves));
  return json;
}

std::string to_csv(const Comparison& comparison) {
  std::string out = "method,iteration,seconds,residual,relative,energy_gap,error_rms,error_max\n";
  for (const Curve& curve : comparison.curves)
    for (const Point& point : curve.points) {
      std::string quoted;
      for (const char c : curve.entry.label) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
      out += fmt::format("\"{}\",{}", quoted, point.iteration);
      for (const double value : {point.seconds, point.residual, point.relative, point.energy_gap,
                                 point.error_rms, point.error_max})
        out += std::isfinite(value) ? "," + json::number_text(value) : ",";
      out += '\n';
    }
  return out;
}

bool is_report_file(std::string_view name) {
  static constexpr std::string_view names[] = {"report.html",
                                               "compare.json",
                                               "curves.csv",
                                               "residual_time.svg",
                                               "residual_iterations.svg",
                                               "energy_time.svg",
                                               "error_time.svg",
                                               "error_iterations.svg"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::vector<ReportFile> make_report(const Comparison& comparison, const Setup& setup) {
  std::vector<ReportFile> files;
  for (const NamedPlot& plot : make_plots(comparison))
    files.push_back({plot.name + ".svg", plot::to_svg(plot.plot)});
  files.push_back({"curves.csv", to_csv(comparison)});
  files.push_back({"compare.json", to_json(comparison, setup, true).pretty()});
  files.push_back({"report.html", to_html(comparison, setup)});
  return files;
}

}  // namespace sinew::compare

#include "report/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "base/memory.h"
#include "io/base64.h"
#include "io/file.h"
#include "plot/html.h"
#include "report/curves.h"
#include "report/facts.h"
#include "report/pictures.h"
#include "run/run_folder.h"
#include "run/statistics.h"
#include "scene/check.h"

namespace sinew::report {

using json::Json;
using plot::escaped;
using plot::Tone;

namespace {

constexpr size_t shown_warnings = 20, shown_reasons = 20;

int64_t whole(const Json& json) {
  return json.is(Json::Kind::number) ? static_cast<int64_t>(std::clamp(json.number(), -1.0, 1e15)) : 0;
}

struct Expectations {
  std::vector<run::ExpectationResult> results;
  std::vector<const scene::Expectation*> waiting;  // whose frame was not reached
  size_t missed = 0;
};

Expectations expectations_of(const run::RunReader& run) {
  Expectations all;
  for (const Json& json : run.summary()["expect"].items()) {
    all.results.push_back(run::expectation_of(json));
    all.missed += !all.results.back().ok;
  }
  for (const scene::Expectation& one : run.built().expect)
    if (std::none_of(all.results.begin(), all.results.end(),
                     [&](const auto& r) { return r.text == one.text && r.frame == one.frame; }))
      all.waiting.push_back(&one);
  return all;
}

std::string verdict_html(const run::RunReader& run, const Expectations& expectations) {
  const Json& summary = run.summary();
  const std::string& status = summary["status"].text();
  const int64_t frame = whole(summary["frame"]), last = whole(summary["frames"]);
  const int64_t stalled = whole(summary["not_converged"]);
  std::vector<std::string> sentences;
  Tone tone = Tone::bad;
  if (status == "done") {
    tone = Tone::good;
    sentences.push_back(fmt::format("Done: all {} frames.", last));
  } else if (status == "not_converged") {
    sentences.push_back(fmt::format("Not converged: {} of {} frames did not reach the tolerance{}.", stalled,
                                    last,
                                    frame < last ? fmt::format("; the run ended at frame {}", frame) : ""));
    if (const auto reasons = summary["reasons"].items(); !reasons.empty())
      sentences.push_back(run::FrameReason{run::frame_of(reasons[0]), run::reason_of(reasons[0])}.text() +
                          ".");
  } else if (status == "interrupted") {
    tone = Tone::plain;
    sentences.push_back(
        fmt::format("Interrupted after frame {} of {}; the command with --resume goes on.", frame, last));
  } else if (status == "failed") {
    sentences.push_back(fmt::format("Failed after frame {} of {}: {}", frame, last, summary["error"].text()));
  } else {
    tone = Tone::plain;
    sentences.push_back(
        "The end was not recorded: the run goes on, or it was killed; with --resume it goes on from its "
        "last checkpoint.");
  }
  const size_t count = expectations.results.size();
  if (expectations.missed > 0) {
    tone = Tone::bad;
    sentences.push_back(fmt::format("{} of {} expectations not met.", expectations.missed, count));
  } else if (count > 0) {
    sentences.push_back(count == 1 ? "The expectation is met."
                                   : fmt::format("All {} expectations are met.", count));
  }
  if (!expectations.waiting.empty())
    sentences.push_back(fmt::format("{} expectation{} at frames that were not reached.",
                                    expectations.waiting.size(),
                                    expectations.waiting.size() == 1 ? "" : "s"));
  return plot::html_verdict(sentences, tone);
}

// Frames that did not converge one after another at the same place, for the same cause, share a row.
std::string reasons_html(std::span<const Json> reasons) {
  plot::HtmlTable table{{"frames", "body", "place [m]", "", "cause", "what to try"}, 6, {}};
  std::string last_key;
  int64_t first = 0;
  for (const Json& json : reasons) {
    const step::Reason reason = run::reason_of(json);
    const int64_t frame = run::frame_of(json);
    const std::string key = reason.text();
    if (key == last_key) {
      table.rows.back()[0] = fmt::format("{} to {}", first, frame);
      continue;
    }
    if (table.rows.size() == shown_reasons) return plot::html_table(table) + "<p>More are in run.json.</p>\n";
    last_key = key;
    first = frame;
    const std::string number = reason.node >= 0      ? fmt::format("node {}", reason.node)
                               : reason.element >= 0 ? fmt::format("element {}", reason.element)
                                                     : "";
    table.rows.push_back(
        {fmt::format("{}", frame),
         escaped(reason.other.empty() ? reason.body : reason.body + ", " + reason.other),
         fmt::format("{:.4g}, {:.4g}, {:.4g}", reason.place[0], reason.place[1], reason.place[2]), number,
         escaped(reason.cause), escaped(reason.advice)});
  }
  return plot::html_table(table);
}

std::string pictures_html(const std::vector<Picture>& pictures) {
  if (pictures.empty()) return "<p>No frames are stored.</p>\n";
  std::string out = "<div class=\"pictures\">\n";
  for (const Picture& picture : pictures) {
    const std::string title = fmt::format("frame {}, t = {:.5g} s", picture.frame, picture.time);
    if (picture.png.empty()) {
      out += fmt::format("<p>{}: {}</p>\n", title, escaped(picture.problem));
      continue;
    }
    out += fmt::format("<figure><img alt=\"{0}\" src=\"data:image/png;base64,", title);
    io::append_base64(out, picture.png);
    out += fmt::format("\"><figcaption>{0}</figcaption></figure>\n", title);
  }
  return out + "</div>\n";
}

std::string curves_html(const run::RunReader& run) {
  std::string out = "<div class=\"plots\">\n";
  for (plot::Plot& plot : curves(run.lines(), run.built().settings.tolerance)) {
    // Below the plot, so that all plots are of one size.
    std::string keys;
    for (size_t i = 0; i < plot.series.size(); ++i) {
      if (plot.series[i].label.empty()) continue;
      keys += fmt::format("<span>{}{}</span>\n", plot::key_svg(i), escaped(plot.series[i].label));
      plot.series[i].label.clear();
    }
    out += "<div>\n" + plot::to_svg(plot);
    if (!keys.empty()) out += "<p class=\"keys\">" + keys + "</p>\n";
    out += "</div>\n";
  }
  return out + "</div>\n";
}

std::string bound_text(double bound) { return std::isinf(bound) ? "" : fmt::format("{:.9g}", bound); }

std::string expectations_html(const Expectations& expectations) {
  plot::HtmlTable table{{"expectation", "", "frame", "value", "least", "most"}, 2, {}};
  for (const run::ExpectationResult& r : expectations.results)
    table.rows.push_back(
        {escaped(r.text), r.ok ? "<span class=\"met\">met</span>" : "<span class=\"missed\">not met</span>",
         fmt::format("{}", r.frame), fmt::format("{:.9g}", r.value), bound_text(r.min), bound_text(r.max)});
  for (const scene::Expectation* e : expectations.waiting)
    table.rows.push_back({escaped(e->text), "not reached", fmt::format("{}", e->frame), "",
                          bound_text(e->min), bound_text(e->max)});
  return plot::html_table(table);
}

// "frame 3: slow", "frame 7: slow"  ->  "frames 3, 7: slow".
std::vector<std::string> gathered(const std::vector<std::string>& list) {
  constexpr size_t named = 8;
  struct Group {
    std::string text;
    std::vector<std::string> frames;
  };
  std::vector<Group> groups;
  std::map<std::string, size_t, std::less<>> at;
  for (const std::string& warning : list) {
    const size_t colon = warning.starts_with("frame ") ? warning.find(": ") : std::string::npos;
    const std::string text = colon == std::string::npos ? warning : warning.substr(colon + 2);
    const auto [group, fresh] = at.try_emplace(text, groups.size());
    if (fresh) groups.push_back({text, {}});
    if (colon != std::string::npos) groups[group->second].frames.push_back(warning.substr(6, colon - 6));
  }
  std::vector<std::string> out;
  for (const Group& group : groups) {
    const size_t count = group.frames.size(), shown = std::min(count, named);
    std::string frames;
    for (size_t i = 0; i < shown; ++i) frames += (i > 0 ? ", " : "") + group.frames[i];
    if (shown < count) frames += fmt::format(" and {} more", count - shown);
    out.push_back(count == 0 ? group.text
                             : fmt::format("frame{} {}: {}", count == 1 ? "" : "s", frames, group.text));
  }
  return out;
}

// All warnings: of the folder, of the run and of the scene.
std::vector<std::string> warnings_of(const run::RunReader& run) {
  std::vector<std::string> list(run.warnings().begin(), run.warnings().end());
  for (const Json& text : run.summary()["warnings"].items()) list.push_back(text.text());
  for (const std::string& note : run.built().notes) list.push_back(note);
  for (const scene::Finding& finding : scene::check(run.built()))
    if (finding.severity != scene::Severity::note) list.push_back(finding.text);
  return gathered(list);
}

}  // namespace

Result<std::string> make_report(const run::RunReader& run) {
  const Json& summary = run.summary();
  const Result<std::vector<Picture>> pictures = pictures_of(run);
  if (!pictures) return pictures.error();
  const Expectations expectations = expectations_of(run);
  const std::vector<std::string> warnings = warnings_of(run);
  const std::string& title = summary["scene"]["title"].text();
  std::string out = verdict_html(run, expectations) + pictures_html(*pictures);
  if (const auto reasons = summary["reasons"].items(); !reasons.empty())
    out += "<h2>Why frames did not converge</h2>\n" + reasons_html(reasons);
  if (!warnings.empty()) out += "<h2>Warnings</h2>\n" + plot::html_list(warnings, shown_warnings);
  out += "<h2>Curves</h2>\n" + curves_html(run);
  if (!expectations.results.empty() || !expectations.waiting.empty())
    out += "<h2>Expectations</h2>\n" + expectations_html(expectations);
  out += "<h2>What was simulated</h2>\n" + bodies_html(run.built().model) + setup_html(run.built(), summary);
  out += "<h2>By what</h2>\n" + origin_html(summary);
  return plot::html_page(title.empty() ? summary["scene_file"].text() : title, out);
}

Result<void> write_report(const std::filesystem::path& run, const std::filesystem::path& file) {
  return unless_out_of_memory(file.native(), [&]() -> Result<void> {
    const Result<run::RunReader> reader = run::RunReader::open(run);
    if (!reader) return reader.error();
    const Result<std::string> page = make_report(*reader);
    if (!page) return page.error();
    return io::write_atomically(file.string(), *page);
  });
}

}  // namespace sinew::report

#include "plot/html.h"

#include <algorithm>
#include <fmt/format.h>

#include "io/xml.h"

namespace sinew::plot {

namespace {

constexpr std::string_view style = R"(<style>
:root { color-scheme: light dark; --page: #fff; --ink: #1c1e22; --soft: #5c6068; --rule: #d8dade; --box: #f3f5f8 }
@media (prefers-color-scheme: dark) {
:root { --page: #16181c; --ink: #e2e4e8; --soft: #9ca0a8; --rule: #3a3d44; --box: #20232a }
}
body { max-width: 1180px; margin: 2em auto; padding: 0 1em; background: var(--page); color: var(--ink);
  font: 15px/1.5 sans-serif }
h1 { font-size: 1.5em } h2 { font-size: 1.15em; margin-top: 2em }
.verdict { background: var(--box); border-left: 4px solid #0072b2; padding: .6em 1em; font-size: 1.05em }
.verdict.good { border-color: #009e73 } .verdict.bad { border-color: #d55e00 }
.verdict p { margin: .3em 0; overflow-wrap: anywhere }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .92em }
th, td { padding: .3em .7em; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap }
th { color: var(--soft); font-weight: normal }
th:first-child, td:first-child, .left { text-align: left } td.left { white-space: normal; vertical-align: top }
.keys { margin: .2em 0; font-size: .92em }
.facts td { vertical-align: top } .facts .left { white-space: normal }
.swatch { display: inline-block; width: .8em; height: .8em; margin-right: .5em }
.facts { margin-top: .8em }
.keys span { display: inline-block; margin-right: 1.6em; white-space: nowrap }
td svg, .keys svg { vertical-align: middle; margin-right: .5em }
.converged, .met { color: #009e73 } .diverged, .failed, .missed { color: #d55e00 }
.plots, .pictures { display: grid; gap: 1em }
.plots { grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)) }
.pictures { grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)) }
.plots svg, .pictures img { max-width: 100%; height: auto }
figure { margin: 0 } figcaption { color: var(--soft); font-size: .92em }
li, code { overflow-wrap: anywhere }
</style>
)";

std::string list_items(std::span<const std::string> entries) {
  std::string out = "<ul>\n";
  for (const std::string& entry : entries) out += "<li>" + escaped(entry) + "</li>\n";
  return out + "</ul>\n";
}

}  // namespace

std::string escaped(std::string_view text) { return io::xml_escaped(text); }

std::string html_page(std::string_view title, std::string_view html) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>{0}</title>\n{1}</head>\n<body>\n<h1>{0}</h1>\n{2}</body>\n</html>\n",
      escaped(title), style, html);
}

std::string html_verdict(std::span<const std::string> sentences, Tone tone) {
  constexpr std::string_view kinds[] = {"verdict", "verdict good", "verdict bad"};
  std::string out = fmt::format("<div class=\"{}\">\n", kinds[static_cast<int>(tone)]);
  for (const std::string& sentence : sentences) out += "<p>" + escaped(sentence) + "</p>\n";
  return out + "</div>\n";
}

std::string html_facts(const HtmlFacts& html) {
  std::string out = "<div class=\"wide\"><table class=\"facts\">\n";
  for (const auto& [name, content] : html)
    out += fmt::format("<tr><td>{}</td><td class=\"left\">{}</td></tr>\n", escaped(name), content);
  return out + "</table></div>\n";
}

std::string html_table(const HtmlTable& table) {
  const auto kind = [&](size_t column) { return column < table.left ? " class=\"left\"" : ""; };
  std::string out = "<div class=\"wide\"><table>\n<tr>";
  for (size_t c = 0; c < table.head.size(); ++c)
    out += fmt::format("<th{}>{}</th>", kind(c), escaped(table.head[c]));
  out += "</tr>\n";
  for (const std::vector<std::string>& row : table.rows) {
    out += "<tr>";
    for (size_t c = 0; c < row.size(); ++c) out += fmt::format("<td{}>{}</td>", kind(c), row[c]);
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string html_list(std::span<const std::string> entries, size_t shown) {
  if (entries.empty()) return {};
  shown = std::min(shown, entries.size());
  std::string out = list_items(entries.first(shown));
  if (shown < entries.size())
    out += fmt::format("<details><summary>{} more</summary>\n{}</details>\n", entries.size() - shown,
                       list_items(entries.subspan(shown)));
  return out;
}

std::string command_text(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain =
        !word.empty() && word.find_first_of(" \t\n'\"\\$`*?[]{}()<>|&;!#~") == std::string::npos;
    text += text.empty() ? "" : " ";
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace sinew::plot

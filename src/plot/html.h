#pragma once
// The parts that all HTML pages share: one style, light or dark as the reader's system is, and the pieces that pages
// are put together from. A page needs no other file, no network and no script.
//
//     std::string body = html_verdict({"All is well."}, Tone::good) + "<h2>Set-up</h2>\n" + html_facts(rows);
//     std::string page = html_page("Run of block.json", body);
//
// What is named `html`, and the cells of tables, are put in as they are; all else is text and made safe here.
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sinew::plot {

// Safe in text and in attributes.
std::string escaped(std::string_view text);

// The title is also the heading.
std::string html_page(std::string_view title, std::string_view html);

enum class Tone { plain, good, bad };
// A box with a paragraph for each sentence.
std::string html_verdict(std::span<const std::string> sentences, Tone tone);

// Names, and what there is to say of each.
using HtmlFacts = std::vector<std::pair<std::string, std::string>>;
std::string html_facts(const HtmlFacts& html);

struct HtmlTable {
  std::vector<std::string> head;
  size_t left = 1;                             // columns of words, the others are numbers
  std::vector<std::vector<std::string>> rows;  // HTML; a cell for each column
};
std::string html_table(const HtmlTable& table);

// The entries beyond `shown` unfold when asked for. Empty where there are none.
std::string html_list(std::span<const std::string> entries, size_t shown);

// Quoted for a shell where it has to be.
std::string command_text(std::span<const std::string> words);

}  // namespace sinew::plot

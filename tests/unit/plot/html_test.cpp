#include "plot/html.h"

#include <gtest/gtest.h>

namespace sinew::plot {
namespace {

TEST(Html, TextIsMadeSafe) {
  const std::vector<std::string> wild = {"<b>&\"'"};
  for (const std::string& out : {html_page(wild[0], ""), html_verdict(wild, Tone::bad), html_list(wild, 5),
                                 html_facts({{wild[0], ""}}), html_table({{wild[0]}, 1, {}})}) {
    EXPECT_EQ(out.find("<b>"), std::string::npos) << out;
    EXPECT_NE(out.find("&lt;b&gt;&amp;"), std::string::npos) << out;
  }
}

TEST(Html, LongListsUnfold) {
  const std::vector<std::string> entries(30, "note");
  const std::string out = html_list(entries, 20);
  EXPECT_NE(out.find("<summary>10 more</summary>"), std::string::npos);
  EXPECT_EQ(html_list(entries, 30).find("<details>"), std::string::npos);
  EXPECT_EQ(html_list({}, 5), "");
}

TEST(Html, CommandsAreQuotedForAShell) {
  EXPECT_EQ(command_text(std::vector<std::string>{"sinew", "run", "a b.json", "it's", ""}),
            "sinew run 'a b.json' 'it'\\''s' ''");
}

}  // namespace
}  // namespace sinew::plot

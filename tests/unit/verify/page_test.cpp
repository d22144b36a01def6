#include "verify/page.h"

#include <cmath>
#include <gtest/gtest.h>

#include "unit/plot/svg_tags.h"

namespace sinew::verify {
namespace {

Problem problem_named(std::string_view id) {
  return {.id = id, .title = "Title", .source = "somebody 1950", .doc = "What is compared.", .run = nullptr};
}

const PageFile* find(const std::vector<PageFile>& files, std::string_view name) {
  for (const PageFile& file : files)
    if (file.name == name) return &file;
  return nullptr;
}

int points(const PageFile& file) {
  int count = 0;
  for (const SvgTag& one : svg_tags(file.bytes)) count += one.tag.name == "circle";
  return count;
}

TEST(Page, ListsChecksAndPlotsThem) {
  const Problem problem = problem_named("P1");
  Checks checks(problem);
  checks.relative("good", "a | b [m]", 2.0000001, 2, 1e-6);
  checks.absolute("bad", "c [m]", 1, 0, 1e-3);
  checks.absolute("round", "d [m]", 3e-17, 0, 1e-12);
  const std::vector<PageFile> files = make_page(std::vector<Entry>{{&problem, checks.take()}});
  ASSERT_EQ(files.size(), 2u);
  const PageFile *page = find(files, "README.md"), *svg = find(files, "P1.svg");
  ASSERT_TRUE(page && svg);
  EXPECT_NE(page->bytes.find("| good | a \\| b [m] | 2 | 2.0000001 | 5.0e-08 | 1e-06 | ok |"),
            std::string::npos)
      << page->bytes;
  EXPECT_NE(page->bytes.find("| bad | c [m] | 0 | 1 | 1.0e+00 absolute | 0.001 | **fails** |"),
            std::string::npos);
  EXPECT_NE(page->bytes.find("| round | d [m] | 0 | < 1e-12 | < 1e-12 absolute |"), std::string::npos);
  EXPECT_NE(page->bytes.find("| [P1](#p1-title) | Title | 3 | 1 |"), std::string::npos);
  EXPECT_NE(page->bytes.find("somebody 1950"), std::string::npos);
  EXPECT_NE(page->bytes.find("](P1.svg)"), std::string::npos);
  EXPECT_EQ(points(*svg), 4);  // three errors and the legend
}

TEST(Page, HasOnePlotForEachKindOfFamily) {
  const Problem problem = problem_named("P2");
  Checks checks(problem);
  checks.relative("good", "a", 1, 1, 1e-6);
  checks.series("six", "cell size [m]", {0.2, 0.1}, {1.04, 0.99}, 1, 2);
  checks.series("five", "cell size [m]", {0.2, 0.1}, {-1.08, -0.98}, -1, 2);
  checks.series("nodes", "nodes", {100, 800}, {1.04, 1.01}, 1, 0);
  const std::vector<PageFile> files = make_page(std::vector<Entry>{{&problem, checks.take()}});
  ASSERT_EQ(files.size(), 3u);
  ASSERT_TRUE(find(files, "P2.svg") && find(files, "P2_2.svg"));
  EXPECT_NE(files[0].bytes.find("| six | 2 | 0.2: 4.00e-02, (order 2.00) 0.1: 1.00e-02 |"), std::string::npos)
      << files[0].bytes;
  EXPECT_NE(files[0].bytes.find("| five | 2 | 0.2: 8.00e-02, (order 2.00) 0.1: 2.00e-02 |"),
            std::string::npos);
  EXPECT_NE(files[0].bytes.find("| nodes |  | 100: 4.00e-02, 800: 1.00e-02 |"), std::string::npos);
}

TEST(Page, SameResultsMakeTheSameBytes) {
  const Problem problem = problem_named("P3");
  const auto make = [&] {
    Checks checks(problem);
    checks.relative("a", "a", std::nan(""), 1, 1e-6);
    return make_page(std::vector<Entry>{{&problem, checks.take()}});
  };
  const auto one = make(), two = make();
  ASSERT_EQ(one.size(), two.size());
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].bytes, two[i].bytes);
}

}  // namespace
}  // namespace sinew::verify

#include "scene/method_page.h"

#include <gtest/gtest.h>

#include "step/stepper.h"

namespace sinew::scene {
namespace {

// The cells of the row that begins so.
std::vector<std::string> cells(const std::string& page, const std::string& title, const std::string& after) {
  const size_t begin = page.find("| " + title + " |", page.find(after));
  EXPECT_NE(begin, std::string::npos) << title;
  const std::string line = page.substr(begin, page.find('\n', begin) - begin);
  std::vector<std::string> list;
  for (size_t at = line.find('|', 1); at + 1 < line.size();) {
    const size_t end = line.find('|', at + 1);
    list.push_back(line.substr(at + 2, end - at - 3));
    at = end;
  }
  return list;
}

TEST(MethodPage, AsksEveryMethod) {
  const Result<std::string> page = method_page();
  ASSERT_TRUE(page) << page.error().text();
  std::vector<std::string> names;
  for (const step::Method* method : step::methods()) names.emplace_back(method->name);
  const auto answer = [&](const std::string& method, const std::string& title, const std::string& after) {
    const std::vector<std::string> row = cells(*page, title, after);
    EXPECT_EQ(row.size(), names.size()) << title;
    const size_t at = static_cast<size_t>(std::find(names.begin(), names.end(), method) - names.begin());
    return at < row.size() ? row[at] : std::string();
  };
  EXPECT_EQ(answer("newton", "second order", "## Elements"), "yes");
  EXPECT_EQ(answer("pbng", "second order", "## Elements"), "-");
  EXPECT_EQ(answer("pbng", "colliders, `project`", "## Contact"), "yes");
  EXPECT_EQ(answer("newton", "colliders, `project`", "## Contact"), "-");
  EXPECT_EQ(answer("xpbd", "motion, BDF2", "## In time"), "-");
  EXPECT_EQ(answer("pbd", "stiffness damping", "## In time"), "-");
  EXPECT_EQ(answer("l_bfgs", "friction", "## Contact"), "yes");
}

}  // namespace
}  // namespace sinew::scene

// The main program of the tests. `--source FILE` runs those of one source file, without its ending, and leaves out what is
// named Long...: ctest starts a process for each file, and one for each of the long tests.
#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>
#include <string>
#include <string_view>

namespace {

// As a filter of gtest; empty where the program has no such file.
std::string tests_of(std::string_view source) {
  std::string names;
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  for (int s = 0; s < program.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *program.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      if (std::filesystem::path(test.file()).stem() != source) continue;
      names.append(names.empty() ? "" : ":").append(suite.name()).append(".").append(test.name());
    }
  }
  return names.empty() ? names : names + "-Long*:*.Long*:*/Long*";
}

}  // namespace

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (count == 3 && std::string_view(arguments[1]) == "--source") {
    const std::string filter = tests_of(arguments[2]);
    if (filter.empty()) {
      std::cerr << "no tests of " << arguments[2] << " in this program\n";
      return 1;
    }
    testing::GTEST_FLAG(filter) = filter;
  } else if (count > 1) {
    std::cerr << "no option '" << arguments[1] << "'; there are --source FILE and those of --help\n";
    return 2;
  }
  return RUN_ALL_TESTS();
}

// The files of tests/broken/FORMAT are wrong on purpose. FORMAT/expected.txt lists every one of them, a line each:
//
//     FILE tets|triangles error|file|note TEXT
//
// `error`: refused, with a line or a byte offset in the message; `file`: refused, for a reason that has no place in
// the file (it has no tets at all, say); `note`: read, and the repair is said in a note. TEXT is part of the message.
// The fuzz targets start from the same files.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

#include "io/mesh_file.h"

namespace sinew::io {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(SINEW_SOURCE_DIR) / "tests" / "broken";
constexpr size_t min_files = 30;

struct Case {
  std::string file, kind, outcome, text;
};

std::vector<Case> cases_of(const fs::path& list) {
  std::vector<Case> cases;
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Case& c = cases.emplace_back();
    words >> c.file >> c.kind >> c.outcome >> std::ws;
    std::getline(words, c.text);
  }
  return cases;
}

void expect_outcome(const fs::path& path, const Case& c) {
  SCOPED_TRACE(path.filename().string());
  Notes notes;
  std::optional<Error> error;
  if (c.kind == "tets") {
    if (const auto mesh = read_tet_mesh(path.string(), &notes); !mesh) error = mesh.error();
  } else {
    if (const auto mesh = read_tri_mesh(path.string(), &notes); !mesh) error = mesh.error();
  }
  EXPECT_FALSE(c.text.empty());
  if (c.outcome == "note") {
    ASSERT_FALSE(error) << error->text();
    std::string all;
    for (const std::string& note : notes) all += note + "\n";
    EXPECT_NE(all.find(c.text), std::string::npos) << "notes: " << all;
    return;
  }
  ASSERT_TRUE(error) << "was read without an error";
  const std::string text = error->text();
  EXPECT_NE(text.find(c.text), std::string::npos) << text;
  EXPECT_NE(text.find(path.stem().string()), std::string::npos)
      << "the message does not name the file: " << text;
  if (c.outcome == "error") {
    static const std::regex place("line [0-9]+|byte [0-9]+");
    EXPECT_TRUE(std::regex_search(text, place)) << "no line or byte offset: " << text;
  }
}

class Broken : public testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Broken);

TEST_P(Broken, FilesAreRefusedWithThePlaceOrRepairedAloud) {
  const fs::path format = folder / GetParam();
  const std::vector<Case> cases = cases_of(format / "expected.txt");
  EXPECT_GE(cases.size(), min_files);
  std::set<std::string> listed = {"expected.txt"};
  for (const Case& c : cases) {
    listed.insert(c.file);
    expect_outcome(format / c.file, c);
  }
  for (const auto& entry : fs::directory_iterator(format)) {
    const std::string name = entry.path().filename().string();
    // TetGen's pair of files is listed by one of them.
    const bool pair = listed.count(entry.path().stem().string() + ".ele") != 0;
    EXPECT_TRUE(listed.count(name) || pair) << name << " is not in expected.txt";
  }
}

std::vector<std::string> formats() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Formats, Broken, testing::ValuesIn(formats()),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace sinew::io

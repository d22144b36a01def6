// Broken mesh files: each must be refused with a message that says what is wrong and where.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "io/medit.h"
#include "io/obj.h"
#include "io/tetgen.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

struct Broken {
  std::string text;
  std::vector<const char*> parts;  // of the message
};

template <class Parse>
void expect_refused(const std::vector<Broken>& table, Parse&& parse) {
  for (const Broken& broken : table) {
    const auto mesh = parse(broken.text);
    ASSERT_FALSE(mesh) << broken.text;
    EXPECT_EQ(mesh.error().kind, ErrorKind::input);
    for (const char* part : broken.parts)
      EXPECT_NE(mesh.error().text().find(part), std::string::npos) << mesh.error().text() << "\nfor\n"
                                                                   << broken.text;
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(BrokenFiles, Medit) {
  const std::string good =
      "MeshVersionFormatted 1\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
      "Tetrahedra\n1\n1 2 3 4 0\nEnd\n";
  const auto parse = [](const std::string& text) { return parse_medit_tets(text, "a.mesh"); };
  ASSERT_TRUE(parse(good));
  const std::string head = "MeshVersionFormatted 1\nDimension 3\n";
  expect_refused(
      {
          {"", {"a.mesh: line 1", "ends here"}},
          {"solid cube\n", {"line 1", "'solid'", "MeshVersionFormatted"}},
          {std::string("\x00\x01\x02\xff garbage", 12), {"line 1", "expected"}},
          {"MeshVersionFormatted 9\n", {"version '9' is not in 1..4"}},
          {replaced(good, "Dimension 3", "Dimension 2"), {"line 2", "dimension '2'"}},
          {replaced(good, "Vertices\n4", "Vertices\n2000000000"), {"line 4", "can hold"}},
          {replaced(good, "Vertices\n4", "Vertices\n99999999999999999999"), {"line 4", "not in 0.."}},
          {replaced(good, "Vertices\n4", "Vertices\n-4"), {"line 4", "'-4'"}},
          {replaced(good, "Vertices\n4", "Vertices\n5"), {"'Tetrahedra'", "expected a number"}},
          {replaced(good, "Vertices\n4", "Vertices\n3"), {"line 8", "'0'", "keyword"}},
          {replaced(good, "0 1 0 0\n", "0 nan 0 0\n"), {"line 7", "'nan'", "finite"}},
          {replaced(good, "0 1 0 0\n", "0 1e999 0 0\n"), {"line 7", "out of range"}},
          {replaced(good, "0 1 0 0\n", "0 1,5 0 0\n"), {"line 7", "'1,5'"}},
          {replaced(good, "1 2 3 4 0", "1 2 3 5 0"), {"line 11", "vertex index 5 is not in 1..4"}},
          {replaced(good, "1 2 3 4 0", "0 2 3 4 0"), {"line 11", "vertex index '0'"}},
          {replaced(good, "1 2 3 4 0", "1 2 2 4 0"), {"line 11", "uses vertex 1 twice"}},
          {replaced(good, "0 0 1 0\n", "1 1 0 0\n"), {"line 11", "tetrahedron 0 has no volume"}},
          {replaced(good, "Tetrahedra\n1\n", "Tetrahedra\n1000000000\n"), {"can hold"}},
          {replaced(good, "Tetrahedra\n1\n1 2 3 4 0\nEnd\n", "Tetrahedra\n1\n1 2"), {"line 11", "ends here"}},
          {replaced(good, "Tetrahedra\n1\n1 2 3 4 0\n", ""), {"no tetrahedra"}},
          {head + "Hexahedra\n1\n1 2 3 4 5 6 7 8 0\n", {"Hexahedra are not read"}},
          {replaced(good, "End", "Vertices\n0\n"), {"a second list of Vertices"}},
      },
      parse);
  expect_refused({{good, {"no triangles"}}},
                 [](const std::string& text) { return parse_medit_triangles(text, "a.mesh"); });
}

TEST(BrokenFiles, TetGen) {
  const std::string node = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", ele = "1 4 0\n0 0 1 2 3\n";
  const auto with_node = [&](const std::string& text) { return parse_tetgen(text, "a.node", ele, "a.ele"); };
  const auto with_ele = [&](const std::string& text) { return parse_tetgen(node, "a.node", text, "a.ele"); };
  ASSERT_TRUE(with_node(node));
  expect_refused(
      {
          {"", {"a.node", "ends here"}},
          {"0 3 0 0\n", {"no vertices"}},
          {replaced(node, "4 3 0 0", "4 2 0 0"), {"dimension '2'"}},
          {replaced(node, "4 3 0 0", "2000000000 3 0 0"), {"can hold"}},
          {replaced(node, "4 3 0 0", "4 3 900 0"), {"can hold"}},
          {replaced(node, "4 3 0 0", "5 3 0 0"), {"ends here"}},
          {replaced(node, "4 3 0 0", "3 3 0 0"), {"more text follows after 3"}},
          {replaced(node, "0 0 0 0", "2 0 0 0"), {"first vertex has index 2"}},
          {replaced(node, "2 0 1 0", "7 0 1 0"), {"line 4", "found vertex index 7, expected 2"}},
          {replaced(node, "2 0 1 0", "2 0 -nan 0"), {"line 4", "'-nan'"}},
      },
      with_node);
  expect_refused(
      {
          {"", {"a.ele", "ends here"}},
          {"0 4 0\n", {"no tetrahedra"}},
          {"1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", {"10 nodes per tetrahedron"}},
          {"1 4 0\n0 0 1 2 4\n", {"line 2", "'4' is not in 0..3"}},
          {"1 4 0\n1 0 1 2 3\n", {"tetrahedron index 1, expected 0"}},
          {"1 4 0\n0 0 1 2 2\n", {"line 2", "twice"}},
          {"1000000000 4 0\n0 0 1 2 3\n", {"can hold"}},
          {"1 4 0\n0 0 1 2 3\nmore\n", {"more text"}},
      },
      with_ele);
}

TEST(BrokenFiles, Obj) {
  const std::string good = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const auto parse = [](const std::string& text) { return parse_obj(text, "a.obj"); };
  ASSERT_TRUE(parse(good));
  expect_refused(
      {
          {"", {"a.obj", "no triangles"}},
          {"v 0 0\nv 1 0 0\n", {"line 1", "three coordinates"}},
          {replaced(good, "1 0 0", "1 0 nan"), {"line 2", "finite"}},
          {replaced(good, "1 0 0", "1 0 x"), {"line 2", "'x'"}},
          {replaced(good, "f 1 2 3", "f 1 2"), {"line 4", "2 corners"}},
          {replaced(good, "f 1 2 3", "f 1 2 4"), {"line 4", "vertex index 4 is not in 1..3"}},
          {replaced(good, "f 1 2 3", "f 1 2 0"), {"line 4", "vertex index 0"}},
          {replaced(good, "f 1 2 3", "f 1 2 -4"), {"line 4", "vertex index -4"}},
          {replaced(good, "f 1 2 3", "f 1 2 99999999999"), {"line 4", "vertex index 99999999999"}},
          {replaced(good, "f 1 2 3", "f a b c"), {"line 4", "'a'"}},
          {replaced(good, "f 1 2 3", "f / / /"), {"line 4", "'/'"}},
          {replaced(good, "f 1 2 3", "f 1 1 1"), {"no triangles"}},
      },
      parse);
}

// Whatever byte is changed, and wherever the file is cut, the readers answer.
TEST(BrokenFiles, DamagedTextNeverCrashes) {
  mesh::TetMesh mesh = *mesh::make_box({.cells = {1, 1, 1}});
  mesh.element_groups["g"] = {0, 2};
  mesh::TriMesh surface = mesh::boundary_surface(mesh).mesh;
  surface.element_groups["g"] = {1};
  const auto damage = [](const std::string& good, auto&& parse) {
    for (size_t i = 0; i < good.size(); ++i) {
      (void)parse(good.substr(0, i));
      for (char c : {'9', '-', ' ', '\n', '\0', 'e'}) {
        std::string bad = good;
        bad[i] = c;
        (void)parse(bad);
      }
    }
  };
  damage(format_medit(mesh), [](const std::string& text) { return bool(parse_medit_tets(text, "a")); });
  damage(format_obj(surface), [](const std::string& text) { return bool(parse_obj(text, "a")); });
  const std::string ele = format_tetgen_ele(mesh), node = format_tetgen_node(mesh);
  damage(ele, [&](const std::string& text) { return bool(parse_tetgen(node, "a", text, "b")); });
  damage(node, [&](const std::string& text) { return bool(parse_tetgen(text, "a", ele, "b")); });
}

}  // namespace
}  // namespace sinew::io

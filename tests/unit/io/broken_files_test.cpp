// Broken mesh files: each must be refused with a message that says what is wrong and where.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "io/gmsh.h"
#include "io/medit.h"
#include "io/obj.h"
#include "io/off.h"
#include "io/ply.h"
#include "io/stl.h"
#include "io/tetgen.h"
#include "io/vtu.h"
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

TEST(BrokenFiles, Gmsh) {
  const std::string good =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 "
      "1\n"
      "$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n";
  const auto parse = [](const std::string& text) { return parse_gmsh_tets(text, "a.msh"); };
  ASSERT_TRUE(parse(good));
  expect_refused(
      {
          {"", {"a.msh: line 1"}},
          {replaced(good, "4.1 0", "2.2 0"), {"line 2", "Gmsh '2.2' is not read", "convert"}},
          {replaced(good, "4.1 0", "4.1 1"), {"binary"}},
          {replaced(good, "$Nodes", "Nodes"), {"line 4", "section"}},
          {replaced(good, "1 4 1 4", "1 2000000000 1 4"), {"line 5", "can hold"}},
          {replaced(good, "3 1 0 4", "3 1 0 5"), {"more nodes"}},
          {replaced(good, "1 4 1 4", "1 5 1 5"), {"4 nodes in the blocks, expected 5"}},
          {replaced(good, "1\n2\n3\n4\n", "1\n2\n2\n4\n"), {"node tag 2 is used twice"}},
          {replaced(good, "0 1 0\n", "0 inf 0\n"), {"line 13", "finite"}},
          {replaced(good, "3 1 4 1\n", "3 1 11 1\n"), {"line 18", "element type 11 is not read"}},
          {replaced(good, "3 1 4 1\n", "2 1 4 1\n"), {"dimension 2"}},
          {replaced(good, "3 1 4 1\n", "3 1 4 1000000\n"), {"can hold"}},
          {replaced(good, "1 1 2 3 4", "1 1 2 3 7"), {"line 19", "node tag 7 is not among"}},
          {replaced(good, "1 1 2 3 4", "1 1 2 3 3"), {"line 19", "twice"}},
          {replaced(good, "0 0 1\n", "2 2 0\n"), {"line 19", "no volume"}},
          {replaced(good, "$EndElements", "$EndNodes"), {"expected '$EndElements'"}},
          {replaced(good, "$Elements", "$Periodic"), {"the file ends before $EndPeriodic"}},
          {replaced(good, "$Nodes", "$PhysicalNames\n1\n3 1 body\n$EndPhysicalNames\n$Nodes"),
           {"double quotes"}},
          {good.substr(0, good.find("$Nodes")), {"no vertices"}},
          {good.substr(0, good.find("$Elements")), {"no tetrahedra"}},
          {good.substr(0, good.find("$Nodes")) + good.substr(good.find("$Elements")), {"before $Nodes"}},
      },
      parse);
}

TEST(BrokenFiles, Vtu) {
  const std::string good =
      "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid>\n"
      "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n"
      "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 "
      "1</DataArray>"
      "</Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
      "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>"
      "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells>\n"
      "<PointData><DataArray type=\"Float32\" Name=\"t\" format=\"ascii\">1 2 3 4</DataArray></PointData>\n"
      "</Piece></UnstructuredGrid></VTKFile>";
  const auto parse = [](const std::string& text) { return parse_vtu_tets(text, "a.vtu"); };
  ASSERT_TRUE(parse(good)) << parse(good).error().text();
  const auto binary = [&](const char* data, const char* header) {
    return replaced(replaced(good, "\"ascii\">1 2 3 4", std::string("\"binary\">") + data), "<VTKFile",
                    header);
  };
  const char *plain = "<VTKFile",
             *packed = "<VTKFile compressor=\"vtkZLibDataCompressor\" header_type=\"UInt32\"";
  expect_refused(
      {
          {"", {"a.vtu", "not XML"}},
          {"not xml at all", {"not XML"}},
          {good.substr(0, good.size() - 12), {"not XML", "line 7"}},
          {replaced(good, "\"UnstructuredGrid\"", "\"PolyData\""), {"'PolyData'"}},
          {replaced(good, "<VTKFile", "<VTKFile byte_order=\"BigEndian\""), {"BigEndian"}},
          {replaced(good, "<VTKFile", "<VTKFile compressor=\"vtkLZ4DataCompressor\""),
           {"vtkLZ4DataCompressor"}},
          {replaced(good, "<VTKFile", "<VTKFile header_type=\"Int7\""), {"'Int7'"}},
          {replaced(good, "\"4\"", "\"-4\""), {"NumberOfPoints", "-4"}},
          {replaced(good, "\"4\"", "\"2000000000\""), {"numbers"}},
          {replaced(good, "\"4\"", "\"9999999\""), {"do not fit"}},
          {replaced(good, "\"4\"", "\"5\""), {"'Points': 15 numbers do not fit"}},
          {replaced(good, "\"4\"", "\"3\""), {"more than 9 values"}},
          {replaced(good, "0 1 0 0 0 1", "0 1 nan 0 0 1"), {"finite"}},
          {replaced(good, "Grid\">", "Grid\"><AppendedData encoding=\"raw\">_\x01<&</AppendedData>"),
           {"raw appended"}},
          {replaced(good, ">1 2 3 4<", ">1 2 3    <"), {"'t': value 3", "ends here"}},
          {replaced(good, "Components=\"3\"", "Components=\"2\""), {"expected 3 components"}},
          {replaced(good, "Float64", "Float16"), {"unknown type 'Float16'"}},
          {replaced(good, "0 1 2 3<", "0 1 2 4<"), {"point 4 is not in 0..3"}},
          {replaced(good, "0 1 2 3<", "0 1 2 -1<"), {"point -1"}},
          {replaced(good, "0 1 2 3<", "0 1 2 2<"), {"twice"}},
          {replaced(good, ">4<", ">3<"), {"more than 3 values"}},
          {replaced(good, ">4<", ">-4<"), {"offset -4"}},
          {replaced(good, ">10<", ">12<"), {"VTK type 12", "tetrahedron"}},
          {replaced(good, ">10<", ">5<"), {"no tetrahedra"}},
          {replaced(good, "\"types\"", "\"kinds\""), {"no array 'types'"}},
          {replaced(good, "0 0 0 1<", "1 1 0 0<"), {"no volume"}},
          {replaced(good, "<Piece ", "<Part "), {"not XML"}},
          {replaced(good, "\"ascii\">1 2", "\"hex\">1 2"), {"'hex'"}},
          {binary("****", plain), {"'t': not base64"}},
          {binary("AAA=", plain), {"cut off"}},
          {binary("EAAAAAAA", plain), {"cut off"}},
          {binary("/////wAA", plain), {"holds 4294967295 bytes, expected 16"}},
          {binary("//////////////////////////8=", packed), {"cut off"}},
          {binary("AQAAAP////8AAAAABAAAAAAAAAA=", packed), {"more than 16 bytes"}},
          {binary("AQAAABAAAAAAAAAABAAAAAAAAAA=", packed), {"does not decompress"}},
          {binary("EAAAAAAAwH8AAMB/AADAfwAAwH8=", plain), {"value 0 is not a finite number"}},
          {replaced(good, "\"ascii\">1 2", "\"appended\" offset=\"0\">1 2"),
           {"appended data must be base64"}},
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
  damage(format_gmsh(mesh), [](const std::string& text) { return bool(parse_gmsh_tets(text, "a")); });
  damage(format_obj(surface), [](const std::string& text) { return bool(parse_obj(text, "a")); });
  damage(format_off(surface), [](const std::string& text) { return bool(parse_off(text, "a")); });
  damage(format_ply(surface), [](const std::string& text) { return bool(parse_ply(text, "a")); });
  damage(*format_stl(surface), [](const std::string& text) { return bool(parse_stl(text, "a")); });
  const std::string ele = format_tetgen_ele(mesh), node = format_tetgen_node(mesh);
  damage(ele, [&](const std::string& text) { return bool(parse_tetgen(node, "a", text, "b")); });
  damage(node, [&](const std::string& text) { return bool(parse_tetgen(text, "a", ele, "b")); });
}

}  // namespace
}  // namespace sinew::io

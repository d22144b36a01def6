#include "io/vtk.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>

#include "io/vtu.h"
#include "second_order.h"

namespace sinew::io {
namespace {

const std::string header =
    "# vtk DataFile Version 3.0\na title, # any text\nASCII\nDATASET UNSTRUCTURED_GRID\n";
const std::string five_points = "POINTS 5 float\n0 0 0  1 0 0  0 1 0\n0 0 1  1 1 1\n";
const std::string two_tets = "CELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10\n10\n";

template <class T>
std::string big_endian(std::initializer_list<T> values) {
  std::string bytes;
  for (T value : values) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    for (int shift = 8 * (sizeof(T) - 1); shift >= 0; shift -= 8) bytes += static_cast<char>(bits >> shift);
  }
  return bytes;
}

TEST(Vtk, ReadsTetsAndEveryKindOfData) {
  Notes notes;
  const auto mesh = parse_vtk_tets(
      header + five_points + two_tets +
          "POINT_DATA 5\nSCALARS heat double\nLOOKUP_TABLE default\n1 2 3 4 5\n"
          "VECTORS force float\n1 2 3 1 2 3 1 2 3 1 2 3 7 8 9\n"
          "CELL_DATA 2\nscalars pair int 2\nlookup_table mine\n1 2 3 4\nLOOKUP_TABLE mine 1\n0 0 0 1\n"
          "TENSORS strain float\n1 0 0 0 1 0 0 0 1\n2 0 0 0 2 0 0 0 2\n"
          "FIELD FieldData 2\ngroup:right%20half 1 2 unsigned_char\n0 1\nid 1 2 vtkIdType\n5 6\n"
          "METADATA\nINFORMATION 0\n\nCOLOR_SCALARS shade 1\n0.5 1\n",
      "a.vtk", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_TRUE(notes.empty());
  EXPECT_NEAR(mesh::total_volume(*mesh), 0.5, 1e-15);
  EXPECT_EQ(mesh->vertex_data.at("heat").values, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(mesh->vertex_data.at("force").width, 3);
  EXPECT_EQ(mesh->vertex_data.at("force").values[14], 9);
  EXPECT_EQ(mesh->element_data.at("pair").width, 2);
  EXPECT_EQ(mesh->element_data.at("pair").values, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(mesh->element_data.at("strain").width, 9);
  EXPECT_EQ(mesh->element_data.at("strain").values[17], 2);
  EXPECT_EQ(mesh->element_data.at("id").values, (std::vector<double>{5, 6}));
  EXPECT_EQ(mesh->element_data.at("shade").values, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(mesh->element_groups.at("right half"), std::vector<int32_t>{1});
}

TEST(Vtk, ReadsOffsetsOfVersionFive) {
  const auto mesh = parse_vtk_tets(
      "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 2\nTIME 1 1 "
      "double\n3\n"
      "label 1 1 string\nany%20text\n" +
          five_points +
          "METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n"
          "CELLS 4 11\nOFFSETS vtktypeint64\n0 3 7 11\nCONNECTIVITY vtktypeint64\n"
          "0 1 2 0 1 2 3 1 2 3 4\nCELL_TYPES 3\n5 10 10\nCELL_DATA 3\nSCALARS s int\nLOOKUP_TABLE default\n7 "
          "8 9\n",
      "a.vtk");
  ASSERT_TRUE(mesh) << mesh.error().text();
  ASSERT_EQ(mesh->elements.size(), 2u);
  EXPECT_EQ(mesh->elements[1], (mesh::TetMesh::Element{1, 2, 3, 4}));
  // The triangle is left out, and its row.
  EXPECT_EQ(mesh->element_data.at("s").values, (std::vector<double>{8, 9}));
}

TEST(Vtk, ReadsBigEndianBytes) {
  const std::string text =
      "# vtk DataFile Version 2.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n" +
      big_endian<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}) + "\nCELLS 1 5\n" +
      big_endian<int32_t>({4, 0, 1, 2, 3}) + "\nCELL_TYPES 1\n" + big_endian<int32_t>({10}) +
      "\nPOINT_DATA 4\nSCALARS a short 1\nLOOKUP_TABLE default\n" + big_endian<int16_t>({-1, 2, 300, 4}) +
      "\nSCALARS b bit\nLOOKUP_TABLE default\n\xA0\nFIELD f 2\nwords 1 4 string\n\xC1x\xC0\xC2yz\x80\x01q\n"
      "c 1 4 vtktypeint64\n" +
      big_endian<int64_t>({int64_t{1} << 40, 2, 3, 4}) + "\n";
  const auto mesh = parse_vtk_tets(text, "a.vtk");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_NEAR(mesh::total_volume(*mesh), 1.0 / 6, 1e-15);
  EXPECT_EQ(mesh->vertex_data.at("a").values, (std::vector<double>{-1, 2, 300, 4}));
  EXPECT_EQ(mesh->vertex_data.at("b").values, (std::vector<double>{1, 0, 1, 0}));
  EXPECT_EQ(mesh->vertex_data.at("c").values[0], std::ldexp(1.0, 40));
  EXPECT_EQ(mesh->vertex_data.size(), 3u);
}

TEST(Vtk, PolygonsAndStripsBecomeTriangles) {
  Notes notes;
  const auto mesh = parse_vtk_triangles(
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 1 1 0 0 1 0\n"
      "POLYGONS 2 9\n4 0 1 2 3\n3 0 1 2\nTRIANGLE_STRIPS 1 5\n4 0 1 3 2\nLINES 1 3\n2 0 1\n"
      "CELL_DATA 4\nSCALARS s int 1\nLOOKUP_TABLE default\n9 1 2 3\nFIELD f 1\ngroup:g 1 4 unsigned_char\n1 "
      "1 0 0\n",
      "a.vtk", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  // Data come in the order lines, polygons, strips, whatever the order of the lists.
  EXPECT_EQ(mesh->elements,
            (std::vector<mesh::TriMesh::Element>{{0, 1, 3}, {1, 2, 3}, {0, 1, 2}, {0, 1, 3}, {1, 2, 3}}));
  EXPECT_EQ(mesh->element_data.at("s").values, (std::vector<double>{1, 1, 2, 3, 3}));
  EXPECT_EQ(mesh->element_groups.at("g"), (std::vector<int32_t>{0, 1}));
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_NE(notes[0].find("left out 1 cells"), std::string::npos);
  EXPECT_NE(notes[1].find("cut 2 polygons"), std::string::npos);
}

TEST(Vtk, AttributesAndGroupsComeBack) {
  const mesh::TetMesh mesh = sample_tets();
  const auto back = parse_vtk_tets(format_vtk(mesh), "a.vtk");
  ASSERT_TRUE(back) << back.error().text();
  expect_same_geometry(mesh, *back);
  expect_same_data(mesh.vertex_data, back->vertex_data);
  expect_same_data(mesh.element_data, back->element_data);
  EXPECT_EQ(mesh.vertex_groups, back->vertex_groups);
  EXPECT_EQ(mesh.element_groups, back->element_groups);
  const mesh::TriMesh surface = sample_triangles();
  const auto triangles = parse_vtk_triangles(format_vtk(surface), "a.vtk");
  ASSERT_TRUE(triangles) << triangles.error().text();
  expect_same_geometry(surface, *triangles);
}

TEST(Vtk, SecondOrderComesBack) {
  const mesh::TetMesh mesh = second_order_box();
  Notes notes;
  const auto back = parse_vtk_tets(format_vtk(mesh), "a.vtk", &notes);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_TRUE(notes.empty());
  expect_same_geometry(mesh, *back);
  EXPECT_EQ(mesh.edge_nodes, back->edge_nodes);
  EXPECT_EQ(mesh.vertex_groups, back->vertex_groups);
  EXPECT_EQ(mesh.element_groups, back->element_groups);
}

TEST(Vtk, InvertedTetsOfSecondOrderKeepTheirNodesOnTheirEdges) {
  Notes notes;
  const auto mesh =
      parse_vtk_tets(header +
                         "POINTS 10 float\n0 0 0 2 0 0 0 2 0 0 0 2 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 0 1 1\n"
                         "CELLS 1 11\n10 0 1 3 2 4 8 7 6 5 9\nCELL_TYPES 1\n24\n",
                     "a.vtk", &notes);
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(notes.size(), 1u);
  EXPECT_GT(mesh::total_volume(*mesh), 0);
  const auto& x = mesh->vertices;
  for (int e = 0; e < 6; ++e)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(2 * x[mesh->edge_nodes[0][e]][k], x[mesh->elements[0][mesh::tet_edges[e][0]]][k] +
                                                      x[mesh->elements[0][mesh::tet_edges[e][1]]][k]);
}

// The same cells and groups in both files. `both` holds a tet and a line, `base` triangles and no tet.
TEST(Vtk, CellsOfLowerDimensionGiveTheirGroupsToTheirVerticesAsInVtu) {
  const auto legacy =
      parse_vtk_tets(header + five_points +
                         "CELLS 4 16\n3 4 2 0\n4 0 1 2 3\n2 3 4\n3 0 1 2\nCELL_TYPES 4\n5 10 3 5\n"
                         "POINT_DATA 5\nFIELD f 1\ngroup:base 1 5 unsigned_char\n0 0 0 1 0\n"
                         "CELL_DATA 4\nFIELD f 3\ngroup:base 1 4 unsigned_char\n1 0 0 1\n"
                         "group:both 1 4 unsigned_char\n0 1 1 0\n"
                         "group:none 1 4 unsigned_char\n0 0 0 0\n",
                     "a.vtk");
  const auto array = [](const char* type, const std::string& name, const char* text) {
    return "<DataArray type='" + std::string(type) + "' Name='" + name + "' format='ascii'>" + text +
           "</DataArray>";
  };
  const std::string xml =
      "<VTKFile type='UnstructuredGrid' version='1.0'><UnstructuredGrid><Piece NumberOfPoints='5' "
      "NumberOfCells='4'><Points><DataArray type='Float64' NumberOfComponents='3' format='ascii'>"
      "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1</DataArray></Points><Cells>" +
      array("Int32", "connectivity", "4 2 0 0 1 2 3 3 4 0 1 2") + array("Int32", "offsets", "3 7 9 12") +
      array("UInt8", "types", "5 10 3 5") + "</Cells><PointData>" +
      array("UInt8", "group:base", "0 0 0 1 0") + "</PointData><CellData>" +
      array("UInt8", "group:base", "1 0 0 1") + array("UInt8", "group:both", "0 1 1 0") +
      array("UInt8", "group:none", "0 0 0 0") + "</CellData></Piece></UnstructuredGrid></VTKFile>";
  const auto modern = parse_vtu_tets(xml, "a.vtu");
  for (const auto* mesh : {&legacy, &modern}) {
    ASSERT_TRUE(*mesh) << mesh->error().text();
    EXPECT_EQ((*mesh)->vertex_groups, (mesh::Groups{{"base", {0, 1, 2, 3, 4}}, {"both", {3, 4}}}));
    EXPECT_EQ((*mesh)->element_groups, (mesh::Groups{{"both", {0}}, {"none", {}}}));
  }
}

TEST(Vtk, LinesOfASurfaceGiveTheirGroupsToTheirVertices) {
  const auto mesh = parse_vtk_triangles(header + five_points +
                                            "CELLS 3 12\n2 1 0\n3 0 1 2\n4 0 1 2 3\nCELL_TYPES 3\n3 5 10\n"
                                            "CELL_DATA 3\nFIELD f 1\ngroup:rim 1 3 unsigned_char\n1 0 1\n",
                                        "a.vtk");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex_groups, (mesh::Groups{{"rim", {0, 1}}}));
  EXPECT_TRUE(mesh->element_groups.empty());
}

// The data of a polygon are repeated for its triangles: within limits.
TEST(Vtk, ManyTrianglesWithWideDataAreRefused) {
  std::string text =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\nPOLYGONS 1 "
      "60001\n60000";
  for (int i = 0; i < 60000; ++i) text += " 0";
  text += "\nCELL_DATA 1\nSCALARS s int 1000\nLOOKUP_TABLE default\n";
  for (int i = 0; i < 1000; ++i) text += "0 ";
  const auto mesh = parse_vtk_triangles(text, "a.vtk");
  ASSERT_FALSE(mesh);
  EXPECT_NE(mesh.error().text().find("more than is read"), std::string::npos) << mesh.error().text();
}

}  // namespace
}  // namespace sinew::io

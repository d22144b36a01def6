#include "io/vtu.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "io/file.h"
#include "sample_meshes.h"

namespace sinew::io {
namespace {

using mesh::TetMesh;

// Two tets and a triangle with point data t and cell data E, in the encodings that other programs write.
struct Encoded {
  const char *points, *connectivity, *offsets, *types, *t, *E;
};
constexpr Encoded ascii{"0 0 0 1 0 0 0 1 0 0 0 1 1 1 1",
                        "0 1 2 3 1 2 3 4 0 2 1",
                        "4 8 11",
                        "10 10 5",
                        "0 0.5 1.0e+00 1.5 2",
                        "10 20 30"};
constexpr Encoded plain{
    "eAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPA/"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8D8AAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAADwPwAAAAAAAPA/AAAAAAAA8D8AAAAAAADwPw==",
    "WAAAAAAAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAMAAAAAAAAAAQAAAAAAAAACAAAAAAAAAAMAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAIA"
    "AAAAAAAA"
    "AQAAAAAAAAA=",
    "GAAAAAQAAAAAAAAACAAAAAAAAAALAAAAAAAAAA==",
    "GAAAAAoAAAAAAAAACgAAAAAAAAAFAAAAAAAAAA==",
    "KAAAAAAAAAAAAAAAAAAAAAAA4D8AAAAAAADwPwAAAAAAAPg/AAAAAAAAAEA=",
    "GAAAAAAAAAAAACRAAAAAAAAANEAAAAAAAAA+QA=="};
constexpr Encoded zlib{"AQAAAACAAAB4AAAAFAAAAA==eJxjYMAHPtjjlSZaHpMGAPByBxs=",
                       "AQAAAACAAABYAAAAGwAAAA==eJxjYIAARijNBKWZCYizMKACmDxMPQADsAAU",
                       "AQAAAACAAAAYAAAAEAAAAA==eJxjYYAADijNDaUBAVAAGA==",
                       "AQAAAACAAAAYAAAAEAAAAA==eJzjYoAALijNCqUBAdAAGg==",
                       "AQAAAACAAAAoAAAAFwAAAA==eJxjYEAGD+wh9Aco/QNKMzgAAD5FA8Y=",
                       "AQAAAACAAAAYAAAAFAAAAA==eJxjYAABFQcwxWACpe0cAAvkAVc="};

std::string document(const Encoded& e, const std::string& format, const std::string& attributes = "") {
  const auto array = [&](const char* type, const char* name, const char* more, const char* data) {
    return std::string("<DataArray type=\"") + type + "\" Name=\"" + name + "\" " + more + "format=\"" +
           format + "\">\n" + data + "\n</DataArray>\n";
  };
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\" " +
         attributes + ">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"5\" NumberOfCells=\"3\">\n<Points>\n" +
         array("Float64", "Points", "NumberOfComponents=\"3\" ", e.points) + "</Points>\n<Cells>\n" +
         array("Int64", "connectivity", "", e.connectivity) + array("Int64", "offsets", "", e.offsets) +
         array("Int64", "types", "", e.types) + "</Cells>\n<PointData>\n" + array("Float64", "t", "", e.t) +
         "</PointData>\n<CellData>\n" + array("Float64", "E", "", e.E) +
         "</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

void expect_two_tets(const Result<TetMesh>& mesh, const Notes& notes) {
  ASSERT_TRUE(mesh) << mesh.error().text();
  ASSERT_EQ(mesh->elements.size(), 2u);
  EXPECT_EQ(mesh->elements[0], (TetMesh::Element{0, 1, 2, 3}));
  EXPECT_NEAR(mesh::total_volume(*mesh), 1.0 / 6 + 1.0 / 3, 1e-15);
  EXPECT_EQ(mesh->vertex_data.at("t").values, (std::vector<double>{0, 0.5, 1, 1.5, 2}));
  EXPECT_EQ(mesh->element_data.at("E").values, (std::vector<double>{10, 20}));
  ASSERT_GE(notes.size(), 1u);
  EXPECT_EQ(notes[0], "left out 1 cells of lower dimension");
}

TEST(Vtu, ReadsEveryEncoding) {
  Notes notes;
  expect_two_tets(parse_vtu_tets(document(ascii, "ascii"), "a", &notes), notes);
  notes.clear();
  expect_two_tets(parse_vtu_tets(document(plain, "binary"), "a", &notes), notes);
  notes.clear();
  expect_two_tets(parse_vtu_tets(document(plain, "binary", "header_type=\"UInt32\""), "a", &notes), notes);
  notes.clear();
  expect_two_tets(
      parse_vtu_tets(document(zlib, "binary", "compressor=\"vtkZLibDataCompressor\""), "a", &notes), notes);
}

TEST(Vtu, ReadsAppendedBase64) {
  std::string text = document(zlib, "appended", "compressor=\"vtkZLibDataCompressor\"");
  std::string appended;
  for (const char* data : {zlib.points, zlib.connectivity, zlib.offsets, zlib.types, zlib.t, zlib.E}) {
    const std::string open = "format=\"appended\">";
    const size_t at = text.find(open);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, text.find('<', at) - at,
                 "format=\"appended\" offset=\"" + std::to_string(appended.size()) + "\">");
    text.replace(text.find("\"appended\""), 10, "'appended'");
    appended += data;
  }
  text.replace(text.find("</VTKFile>"), 10,
               "<AppendedData encoding=\"base64\">\n_" + appended + "\n</AppendedData></VTKFile>");
  Notes notes;
  expect_two_tets(parse_vtu_tets(text, "a", &notes), notes);
}

// The same bytes raw: decoded here by hand, as other programs append them.
TEST(Vtu, ReadsAppendedRawInBothByteOrders) {
  const auto raw_of = [](auto values, bool swapped) {
    std::string raw;
    const auto add = [&](auto value) {
      std::string bytes(reinterpret_cast<const char*>(&value), sizeof(value));
      if (swapped) std::reverse(bytes.begin(), bytes.end());
      raw += bytes;
    };
    add(static_cast<uint64_t>(values.size() * sizeof(values[0])));
    for (auto value : values) add(value);
    return raw;
  };
  for (const bool swapped : {false, true}) {
    const std::string arrays[] = {
        raw_of(std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, swapped),
        raw_of(std::vector<int64_t>{0, 1, 2, 3, 1, 2, 3, 4, 0, 2, 1}, swapped),
        raw_of(std::vector<int64_t>{4, 8, 11}, swapped),
        raw_of(std::vector<int64_t>{10, 10, 5}, swapped),
        raw_of(std::vector<double>{0, 0.5, 1, 1.5, 2}, swapped),
        raw_of(std::vector<double>{10, 20, 30}, swapped)};
    std::string text = document({"", "", "", "", "", ""}, "appended", "header_type=\"UInt64\""), appended;
    if (swapped) text.replace(text.find("LittleEndian"), 12, "BigEndian");
    size_t at = 0;
    for (const std::string& array : arrays) {
      at = text.find("format=\"appended\"", at) + 17;
      text.insert(at, " offset=\"" + std::to_string(appended.size()) + "\"");
      appended += array;
    }
    text.insert(text.find("</VTKFile>"),
                "<AppendedData encoding=\"raw\">\n_" + appended + "\n</AppendedData>\n");
    Notes notes;
    expect_two_tets(parse_vtu_tets(text, "a", &notes), notes);
    for (size_t cut = 0; cut + 12 < text.size(); ++cut)
      EXPECT_FALSE(parse_vtu_tets(std::string_view(text).substr(0, cut), "a")) << cut;
  }
}

TEST(Vtu, OverlappingAppendedArraysAreRefused) {
  std::string text = document(ascii, "ascii");
  std::string arrays;
  for (int i = 0; i < 500; ++i)
    arrays += "<DataArray type=\"Float64\" Name=\"t\" format=\"appended\" offset=\"0\"/>";
  text.replace(text.find("</PointData>"), 0, arrays);
  const std::string padding(200000, '\n');
  text.replace(text.find("</VTKFile>"), 0,
               "<AppendedData encoding=\"base64\">_" + (padding + plain.t) + "</AppendedData>");
  const auto mesh = parse_vtu_tets(text, "a");
  ASSERT_FALSE(mesh);
  EXPECT_NE(mesh.error().what.find("overlap"), std::string::npos) << mesh.error().what;
}

Result<TetMesh> there_and_back(const TetMesh& mesh, Notes* notes = nullptr) {
  Scratch scratch;
  const std::string path = scratch.path("a.vtu");
  if (auto ok = write_vtu(path, mesh); !ok) return ok.error();
  const auto source = Source::open(path);
  if (!source) return source.error();
  return parse_vtu_tets(*source, "a.vtu", notes);
}

TEST(Vtu, SecondOrderComesBack) {
  const TetMesh mesh = second_order(sample_tets());
  Notes notes;
  const auto back = there_and_back(mesh, &notes);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_TRUE(notes.empty()) << notes[0];
  expect_same_geometry(mesh, *back);
  EXPECT_EQ(mesh.edge_nodes, back->edge_nodes);
  expect_same_data(mesh.vertex_data, back->vertex_data);
}

// Faces of second order are in a group: their vertices, those on edges too, become a vertex group.
TEST(Vtu, GroupsOfFacesBecomeVertexGroups) {
  const std::string text =
      "<VTKFile type='UnstructuredGrid'><UnstructuredGrid><Piece NumberOfPoints='10' "
      "NumberOfCells='2'><Points>"
      "<DataArray type='Float32' NumberOfComponents='3' format='ascii'>0 0 0 2 0 0 0 2 0 0 0 2 1 0 0 1 1 0 0 "
      "1 0 "
      "0 0 1 1 0 1 0 1 1<InformationKey "
      "name='a'><Value>7</Value></InformationKey></DataArray></Points><Cells>"
      "<DataArray type='Int32' Name='connectivity' format='ascii'>0 1 2 4 5 6 0 1 2 3 4 5 6 7 8 9</DataArray>"
      "<DataArray type='Int32' Name='offsets' format='ascii'>6 16</DataArray>"
      "<DataArray type='UInt8' Name='types' format='ascii'>22 24</DataArray></Cells><CellData>"
      "<DataArray type='UInt8' Name='group:base' format='ascii'>1 0</DataArray>"
      "<DataArray type='UInt8' Name='group:body' format='ascii'>0 1</DataArray>"
      "<DataArray type='Int32' Name='k' format='ascii'>3 4</DataArray></CellData>"
      "</Piece></UnstructuredGrid></VTKFile>";
  const auto mesh = parse_vtu_tets(text, "a.vtu");
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex_groups, (mesh::Groups{{"base", {0, 1, 2, 4, 5, 6}}}));
  EXPECT_EQ(mesh->element_groups, (mesh::Groups{{"body", {0}}}));
  EXPECT_EQ(mesh->element_data.at("k").values, (std::vector<double>{4}));
  EXPECT_EQ(mesh->edge_nodes[0], (std::array<int32_t, 6>{4, 5, 6, 7, 8, 9}));
}

TEST(Vtu, AttributesAndGroupsComeBackBitForBit) {
  TetMesh mesh = sample_tets();
  mesh.element_groups["a <b> & \"c\""] = {1, 4};
  Notes notes;
  const auto back = there_and_back(mesh, &notes);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_TRUE(notes.empty()) << notes[0];
  expect_same_geometry(mesh, *back);
  expect_same_data(mesh.vertex_data, back->vertex_data);
  expect_same_data(mesh.element_data, back->element_data);
  EXPECT_EQ(mesh.vertex_groups, back->vertex_groups);
  EXPECT_EQ(mesh.element_groups, back->element_groups);
}

TEST(Vtu, LargeArraysTakeSeveralBlocks) {
  const TetMesh mesh = *mesh::make_box({.cells = {20, 20, 20}});
  const auto back = there_and_back(mesh);
  ASSERT_TRUE(back) << back.error().text();
  expect_same_geometry(mesh, *back);
}

TEST(Vtu, FieldsInDoubleAndSingle) {
  Scratch scratch;
  const TetMesh mesh = *mesh::make_box({.cells = {2, 2, 2}});
  std::vector<double> u(mesh.vertices.size() * 3, 1.0 / 3), p(mesh.elements.size(), 0.1);
  const VtuField points[] = {{"u", 3, u}}, cells[] = {{"p", 1, p, true}};
  const std::string path = scratch.path("a.vtu");
  ASSERT_TRUE(write_vtu(path, mesh.vertices, mesh.elements, points, cells));
  const auto back = parse_vtu_tets(*read_text(path), path);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->vertex_data.at("u").values, u);
  EXPECT_EQ(back->vertex_data.at("u").width, 3);
  EXPECT_EQ(back->element_data.at("p").values[5], double(0.1f));

  const auto surface = mesh::boundary_surface(mesh).mesh;
  ASSERT_TRUE(write_vtu(path, surface.vertices, surface.elements, {}, {}, true));
  EXPECT_EQ(parse_vtu_triangles(*read_text(path), path)->elements, surface.elements);

  const VtuField wrong[] = {{"u", 2, u}};
  const auto result = write_vtu(path, mesh.vertices, mesh.elements, wrong, {});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().what.find("field 'u' has 81 values, expected 54"), std::string::npos)
      << result.error().what;
}

TEST(Vtu, EveryTruncationIsRefused) {
  const std::string good = document(zlib, "binary", "compressor=\"vtkZLibDataCompressor\"");
  for (size_t length = 0; length + 12 < good.size(); length += 3)
    EXPECT_FALSE(parse_vtu_tets(good.substr(0, length), "a")) << length;
}

TEST(Vtu, FlippedBytesNeverCrash) {
  for (const std::string& good : {document(zlib, "binary", "compressor=\"vtkZLibDataCompressor\""),
                                  document(plain, "binary"), document(ascii, "ascii")})
    for (size_t i = 0; i < good.size(); ++i)
      for (int bit : {0, 2, 4}) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ 1 << bit);
        const auto mesh = parse_vtu_tets(bad, "a");
        EXPECT_TRUE(!mesh || mesh->elements.size() <= 3);
      }
}

}  // namespace
}  // namespace sinew::io
